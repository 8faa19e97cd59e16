/** Job metrics for the dashboards and alarms of one stack, written into the log, so that they need no API call. */
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { FileError } from '../lib/batch/job/file-error.ts';
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

/** Metrics of one process; all functions of a stack use the same names and dimensions. */
export function jobMetrics(): Metrics {
  return new Metrics({
    namespace: METRIC_NAMESPACE,
    serviceName: SERVICE_NAME,
    defaultDimensions: { [METRIC_STACK_DIMENSION]: process.env[ENVIRONMENT.stackName] ?? NO_STACK },
  });
}

/** Counts a committed job, for every function that commits. */
export function countCompleted(metrics: Metrics, { puzzles, timing }: JobStats): void {
  metrics.addMetric(METRICS.jobsCompleted, MetricUnit.Count, 1);
  metrics.addMetric(METRICS.puzzles, MetricUnit.Count, puzzles.total);
  metrics.addMetric(METRICS.puzzlesUnsolved, MetricUnit.Count, puzzles.total - puzzles.solved);
  metrics.addMetric(METRICS.solveTime, MetricUnit.Milliseconds, timing.solveMs);
}

/** Counts a rejected job, for every function that rejects. */
export function countRejected(metrics: Metrics, { code }: FileError): void {
  metrics.addMetric(METRICS.jobsRejected, MetricUnit.Count, 1);
  if (code === 'ceiling_reached') metrics.addMetric(METRICS.ceilingsReached, MetricUnit.Count, 1);
}
