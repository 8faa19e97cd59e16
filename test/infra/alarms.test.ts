import { Metrics } from '@aws-lambda-powertools/metrics';
import { describe, expect, it } from 'vitest';
import { METRIC_NAMESPACE, METRICS, SERVICE_NAME } from '../../lib/batch/names.ts';
import { logicalIdOf, resourceOf, templateWith } from './synthesised.ts';

const TOPIC_ARN = 'arn:aws:sns:eu-west-1:111122223333:on-call';
const template = templateWith({ 'dlx:alarmTopicArn': TOPIC_ARN });
const alarms = alarmsOf(template);
const queueName = (output: string) => ({
  Name: 'QueueName',
  Value: { 'Fn::GetAtt': [logicalIdOf(template, output), 'QueueName'] },
});

const rows = [
  {
    when: 'a message is among the dead letters',
    metric: 'ApproximateNumberOfMessagesVisible',
    namespace: 'AWS/SQS',
    dimension: queueName('DeadLetterQueueUrl'),
    threshold: 1,
    comparison: 'GreaterThanOrEqualToThreshold',
    statistic: 'Maximum',
  },
  {
    when: 'an event could not be delivered',
    metric: 'ApproximateNumberOfMessagesVisible',
    namespace: 'AWS/SQS',
    dimension: queueName('UndeliveredEventsQueueUrl'),
    threshold: 1,
    comparison: 'GreaterThanOrEqualToThreshold',
    statistic: 'Maximum',
  },
  {
    when: 'the function fails',
    metric: 'Errors',
    namespace: 'AWS/Lambda',
    dimension: { Name: 'FunctionName', Value: { Ref: logicalIdOf(template, 'SolveFunctionName') } },
    threshold: 1,
    comparison: 'GreaterThanOrEqualToThreshold',
    statistic: 'Sum',
  },
  ...['ExecutionsFailed', 'ExecutionsTimedOut'].map((metric) => ({
    when: `large jobs end so: ${metric}`,
    metric,
    namespace: 'AWS/States',
    dimension: { Name: 'StateMachineArn', Value: { Ref: logicalIdOf(template, 'SolveLargeArn') } },
    threshold: 1,
    comparison: 'GreaterThanOrEqualToThreshold',
    statistic: 'Sum',
  })),
  {
    when: 'a whole file is rejected',
    metric: METRICS.jobsRejected,
    namespace: METRIC_NAMESPACE,
    dimension: { Name: 'service', Value: SERVICE_NAME },
    threshold: 1,
    comparison: 'GreaterThanOrEqualToThreshold',
    statistic: 'Sum',
  },
  {
    when: 'an upload has waited longer than one whole try',
    metric: 'ApproximateAgeOfOldestMessage',
    namespace: 'AWS/SQS',
    dimension: queueName('QueueUrl'),
    threshold: resourceOf(template, 'QueueUrl').Properties.VisibilityTimeout,
    comparison: 'GreaterThanThreshold',
    statistic: 'Maximum',
  },
];

describe('an alarm', () => {
  it.each(rows)(
    'goes off when $when',
    ({ metric, namespace, dimension, threshold, comparison, statistic }) => {
      expect(alarms).toContainEqual(
        expect.objectContaining({
          MetricName: metric,
          Namespace: namespace,
          Dimensions: [dimension],
          Threshold: threshold,
          ComparisonOperator: comparison,
          Statistic: statistic,
          EvaluationPeriods: 1,
        }),
      );
    },
  );

  it.each(alarms.filter(({ id }) => !id.includes('RunOverdue')).map((alarm) => ({ alarm, id: alarm.id })))(
    'is quiet while there is nothing to count: $id',
    ({ alarm }) => {
      expect(alarm.TreatMissingData).toBe('notBreaching');
    },
  );

  it.each(alarms.map((alarm) => ({ alarm, id: alarm.id })))(
    'tells the topic of the stack: $id',
    ({ alarm }) => {
      expect(alarm.AlarmActions).toEqual([TOPIC_ARN]);
    },
  );

  it('goes off when no bulk run was completed in 26 hours, and hours without any report nothing', () => {
    expect(alarms.filter(({ id }) => id.includes('RunOverdue'))).toEqual([
      expect.objectContaining({
        Namespace: 'AWS/States',
        MetricName: 'ExecutionsSucceeded',
        Dimensions: [{ Name: 'StateMachineArn', Value: { Ref: logicalIdOf(template, 'BulkRunArn') } }],
        Period: 3600,
        EvaluationPeriods: 26,
        Threshold: 1,
        ComparisonOperator: 'LessThanThreshold',
        TreatMissingData: 'breaching',
      }),
    ]);
  });

  it.each([
    { how: 'the schedule is off', context: { 'dlx:scheduleEnabled': false } },
    { how: 'it fires once', context: { 'dlx:schedule': 'at(2027-01-01T00:00:00)' } },
  ])('waits for no bulk run where $how', ({ context }) => {
    expect(alarmsOf(templateWith(context)).filter(({ id }) => id.includes('RunOverdue'))).toEqual([]);
  });

  it('is only seen in CloudWatch where the stack has no topic', () => {
    expect(alarmsOf(templateWith()).flatMap((alarm) => alarm.AlarmActions ?? [])).toEqual([]);
  });
});

describe('the metric of rejected jobs', () => {
  it('has in the log the very dimensions that the alarm looks for', () => {
    const metrics = new Metrics({ namespace: METRIC_NAMESPACE, serviceName: SERVICE_NAME });
    metrics.addMetric(METRICS.jobsRejected, 'Count', 1);
    const written = metrics.serializeMetrics();
    metrics.clearMetrics();

    const alarm = alarms.find(({ MetricName }) => MetricName === METRICS.jobsRejected);
    expect(written._aws.CloudWatchMetrics).toEqual([
      expect.objectContaining({
        Namespace: alarm?.Namespace,
        Dimensions: [alarm?.Dimensions.map(({ Name }: { Name: string }) => Name)],
      }),
    ]);
    expect(alarm?.Dimensions).toEqual([{ Name: 'service', Value: written.service }]);
  });
});

function alarmsOf(from: typeof template): ReturnType<typeof resourceOf>[] {
  return Object.entries(from.findResources('AWS::CloudWatch::Alarm')).map(([id, alarm]) => ({
    id,
    ...alarm.Properties,
  }));
}
