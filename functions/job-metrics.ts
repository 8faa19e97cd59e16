/** Counts of jobs, for the dashboards and alarms of one stack: written into the log, so that they cost no call. */
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import {
  ENVIRONMENT,
  METRIC_NAMESPACE,
  METRIC_STACK_DIMENSION,
  METRICS,
  SERVICE_NAME,
} from '../lib/batch/names.ts';
import type { JobStats } from '../lib/batch/results/statistics.ts';

/** Where no stack has a name: on this machine. */
const NO_STACK = 'local';

/** One for each process; several functions of a stack count the same things under the same names. */
export function jobMetrics(): Metrics {
  return new Metrics({
    namespace: METRIC_NAMESPACE,
    serviceName: SERVICE_NAME,
    defaultDimensions: { [METRIC_STACK_DIMENSION]: process.env[ENVIRONMENT.stackName] ?? NO_STACK },
  });
}

/** Counts a job that is committed, whichever function did it. */
export function countCompleted(metrics: Metrics, { puzzles, timing }: JobStats): void {
  metrics.addMetric(METRICS.jobsCompleted, MetricUnit.Count, 1);
  metrics.addMetric(METRICS.puzzles, MetricUnit.Count, puzzles.total);
  metrics.addMetric(METRICS.puzzlesUnsolved, MetricUnit.Count, puzzles.total - puzzles.solved);
  metrics.addMetric(METRICS.solveTime, MetricUnit.Milliseconds, timing.solveMs);
}
