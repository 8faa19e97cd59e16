/** Lambda entry: plans a large job, and decides the next step after each map. */
import type { Context } from 'aws-lambda';
import { planShards } from '../lib/batch/large/plan-shards.ts';
import type { CursorInput, PlanOutput } from '../lib/batch/large/steps.ts';
import { ENVIRONMENT } from '../lib/batch/names.ts';
import { dependenciesFor } from './dependencies.ts';
import { eventDestination } from './event-destination.ts';
import { countRejected, jobMetrics } from './job-metrics.ts';

const metrics = jobMetrics();

export async function handler(input: CursorInput, context: Context): Promise<PlanOutput> {
  const shardBytes = process.env[ENVIRONMENT.shardBytes];
  const largeSeconds = process.env[ENVIRONMENT.largeJobSeconds];
  const output = await planShards(input, {
    ...dependenciesFor(context),
    events: eventDestination(),
    shardBytes: shardBytes === undefined ? undefined : Number(shardBytes),
    largeSeconds: largeSeconds === undefined ? undefined : Number(largeSeconds),
    onReject() {
      countRejected(metrics);
      metrics.publishStoredMetrics();
    },
  });
  // Step Functions itself reads and writes these, so they are whole keys.
  const prefix = process.env[ENVIRONMENT.resultsPrefix] ?? '';
  return output.items === ''
    ? output
    : { ...output, items: prefix + output.items, work: prefix + output.work };
}
