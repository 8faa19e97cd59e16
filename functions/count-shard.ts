/** Lambda entry: counts the puzzles of one range of a large file. */
import type { Context } from 'aws-lambda';
import { countShard } from '../lib/batch/large/count-range.ts';
import type { CountInput } from '../lib/batch/large/steps.ts';
import { dependenciesFor } from './dependencies.ts';

export async function handler(input: CountInput, context: Context): Promise<object> {
  await countShard(input, dependenciesFor(context));
  return {};
}
