/** Metrics that the functions write into their logs, for alarms and the dashboard. */
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC_NAMESPACE, METRIC_STACK_DIMENSION, SERVICE_NAME } from '../batch/names.ts';

/**
 * One of the metrics in `METRICS` or `STATUS_METRICS` of the names; Powertools adds the dimension `service` to each.
 *
 * @param metricsName value of the dimension that separates instances
 */
export function jobMetric(metricName: string, metricsName: string, options: MetricOptions): Metric {
  return new Metric({
    namespace: METRIC_NAMESPACE,
    metricName,
    dimensionsMap: { service: SERVICE_NAME, [METRIC_STACK_DIMENSION]: metricsName },
    ...options,
  });
}
