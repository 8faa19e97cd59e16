/** Lambda entry: counts the puzzles of one range of a large file. */
import type { Context } from 'aws-lambda';
import { countShard } from '../lib/batch/fan-out/plan/count-shard.ts';
import type { CountInput } from '../lib/batch/fan-out/steps.ts';
import { machineryFor } from './machinery.ts';

export async function handler(input: CountInput, context: Context): Promise<object> {
  await countShard(input, machineryFor(context));
  return {};
}
