/** Job metrics for the dashboards and alarms of one stack, written into the log, so that they need no API call. */
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import {
  ENVIRONMENT,
  METRIC_NAMESPACE,
  METRIC_STACK_DIMENSION,
  METRICS,
  SERVICE_NAME,
} from '../lib/batch/names.ts';
import type { JobStats } from '../lib/batch/results/statistics.ts';

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
export function countCompleted(metrics: Metrics, { puzzles, timing }: JobStats): void {
  metrics.addMetric(METRICS.jobsCompleted, MetricUnit.Count, 1);
  metrics.addMetric(METRICS.puzzles, MetricUnit.Count, puzzles.total);
  metrics.addMetric(METRICS.puzzlesUnsolved, MetricUnit.Count, puzzles.total - puzzles.solved);
  metrics.addMetric(METRICS.solveTime, MetricUnit.Milliseconds, timing.solveMs);
}
