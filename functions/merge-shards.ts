/** Lambda entry: merges the results of the shards of a large file, and commits them. */
import type { Context } from 'aws-lambda';
import { mergeShards } from '../lib/batch/large/merge-shards.ts';
import type { CursorInput, StepProgress } from '../lib/batch/large/steps.ts';
import { dependenciesFor } from './dependencies.ts';
import { eventDestination } from './event-destination.ts';
import { countCompleted, countRejected, jobMetrics } from './job-metrics.ts';

const metrics = jobMetrics();

export function handler(input: CursorInput, context: Context): Promise<StepProgress> {
  return mergeShards(input, {
    ...dependenciesFor(context),
    events: eventDestination(),
    onReject() {
      countRejected(metrics);
      metrics.publishStoredMetrics();
    },
    onCommit(stats) {
      countCompleted(metrics, stats);
      metrics.publishStoredMetrics();
    },
  });
}
