/** Lambda entry: joins what the shards of a large file came to, and commits it. */
import type { Context } from 'aws-lambda';
import { mergeShards } from '../lib/batch/fan-out/merge/merge-shards.ts';
import type { MergeInput, StepProgress } from '../lib/batch/fan-out/steps.ts';
import { countCompleted, jobMetrics } from './job-metrics.ts';
import { machineryFor } from './machinery.ts';

const metrics = jobMetrics();

export function handler(input: MergeInput, context: Context): Promise<StepProgress> {
  return mergeShards(input, {
    ...machineryFor(context),
    onCommit(stats) {
      countCompleted(metrics, stats);
      metrics.publishStoredMetrics();
    },
  });
}
