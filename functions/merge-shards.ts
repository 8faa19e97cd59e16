/** Lambda entry: joins what the shards of a large file came to, and commits it. */
import type { Context } from 'aws-lambda';
import { mergeShards } from '../lib/batch/fan-out/merge-shards.ts';
import type { MergeInput, StepProgress } from '../lib/batch/fan-out/steps.ts';
import { machineryFor } from './machinery.ts';

export function handler(input: MergeInput, context: Context): Promise<StepProgress> {
  return mergeShards(input, machineryFor(context));
}
