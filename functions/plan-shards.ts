/** Lambda entry: the plan of a large job, and every decision between its maps. */
import type { Context } from 'aws-lambda';
import { planShards } from '../lib/batch/fan-out/plan-shards.ts';
import type { PlanInput, PlanOutput } from '../lib/batch/fan-out/steps.ts';
import { ENVIRONMENT } from '../lib/batch/names.ts';
import { createEngine } from '../lib/sudoku/engines.ts';
import { machineryFor } from './machinery.ts';

export function handler(input: PlanInput, context: Context): Promise<PlanOutput> {
  const shardBytes = process.env[ENVIRONMENT.shardBytes];
  return planShards(input, {
    ...machineryFor(context),
    openEngine: ({ engine }) => createEngine(engine),
    shardBytes: shardBytes === undefined ? undefined : Number(shardBytes),
  });
}
