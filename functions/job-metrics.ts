/** Job metrics for the dashboards and alarms of one stack, written into the log, so that they need no API call. */
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import {
  ENVIRONMENT,
  METRIC_NAMESPACE,
  METRIC_STACK_DIMENSION,
  METRICS,
  SERVICE_NAME,
  STATUS_METRICS,
} from '../lib/batch/names.ts';
import type { JobStats } from '../lib/batch/results/statistics.ts';
import { PUZZLE_STATUSES } from '../lib/batch/solving/puzzle-status.ts';

/** Stack name outside a deployment. */
const NO_STACK = 'local';

/** Name of the stack in its metrics and events. */
export function stackName(): string {
  return process.env[ENVIRONMENT.stackName] ?? NO_STACK;
}

/** Metrics of one process; all functions of a stack use the same names and dimensions. */
export function jobMetrics(): Metrics {
  return new Metrics({
    namespace: METRIC_NAMESPACE,
    serviceName: SERVICE_NAME,
    defaultDimensions: { [METRIC_STACK_DIMENSION]: stackName() },
  });
}

/** Counts a committed job, for every function that commits. */
export function countCompleted(metrics: Metrics, { puzzles, timing, used }: JobStats): void {
  metrics.addMetric(METRICS.jobsCompleted, MetricUnit.Count, 1);
  // With a 0 for each job that is not rejected, the average of the metric is the rate of rejects.
  metrics.addMetric(METRICS.jobsRejected, MetricUnit.Count, 0);
  metrics.addMetric(METRICS.puzzles, MetricUnit.Count, puzzles.total);
  for (const status of PUZZLE_STATUSES) {
    metrics.addMetric(STATUS_METRICS[status], MetricUnit.Count, puzzles[status]);
  }
  metrics.addMetric(METRICS.puzzlesUnsolved, MetricUnit.Count, puzzles.total - puzzles.solved);
  metrics.addMetric(METRICS.solveTime, MetricUnit.Milliseconds, timing.solveMs);
  metrics.addMetric(METRICS.puzzlesPerSecond, MetricUnit.CountPerSecond, timing.puzzlesPerSecond);
  if (timing.solveUs !== undefined) {
    metrics.addMetric(METRICS.puzzleTimeP50, MetricUnit.Microseconds, timing.solveUs.p50);
    metrics.addMetric(METRICS.puzzleTimeP99, MetricUnit.Microseconds, timing.solveUs.p99);
  }
  if (used !== undefined) metrics.addMetric(METRICS.shards, MetricUnit.Count, used.shards);
}

/** Counts a rejected job, for every function that rejects. */
export function countRejected(metrics: Metrics): void {
  metrics.addMetric(METRICS.jobsRejected, MetricUnit.Count, 1);
}
