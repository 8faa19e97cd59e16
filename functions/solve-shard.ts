/** Lambda entry: solves one shard of a large file, until the invocation's time is used up. */
import type { Context } from 'aws-lambda';
import { solveShard } from '../lib/batch/large/solve-shard.ts';
import type { SolveShardInput, StepProgress } from '../lib/batch/large/steps.ts';
import { dependenciesFor } from './dependencies.ts';

export function handler(input: SolveShardInput, context: Context): Promise<StepProgress> {
  return solveShard(input, dependenciesFor(context));
}
