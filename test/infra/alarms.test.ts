import { describe, expect, it, vi } from 'vitest';
import { jobMetrics } from '../../functions/job-metrics.ts';
import { ENVIRONMENT, METRIC_NAMESPACE, METRICS, SERVICE_NAME } from '../../lib/batch/names.ts';
import { outputLogicalId, resourceOf, templateWith } from './synthesised.ts';

const TOPIC_ARN = 'arn:aws:sns:eu-west-1:111122223333:on-call';
const template = templateWith({ 'dlx:alarmTopicArn': TOPIC_ARN });
const alarms = alarmsOf(template);
const queueName = (output: string) => ({
  Name: 'QueueName',
  Value: { 'Fn::GetAtt': [outputLogicalId(template, output), 'QueueName'] },
});

const rows = [
  {
    when: 'a message is in the dead-letter queue',
    metric: 'ApproximateNumberOfMessagesVisible',
    namespace: 'AWS/SQS',
    dimensions: [queueName('DeadLetterQueueUrl')],
    threshold: 1,
    comparison: 'GreaterThanOrEqualToThreshold',
    statistic: 'Maximum',
  },
  {
    when: 'an event could not be delivered',
    metric: 'ApproximateNumberOfMessagesVisible',
    namespace: 'AWS/SQS',
    dimensions: [queueName('UndeliveredEventsQueueUrl')],
    threshold: 1,
    comparison: 'GreaterThanOrEqualToThreshold',
    statistic: 'Maximum',
  },
  {
    when: 'the function fails',
    metric: 'Errors',
    namespace: 'AWS/Lambda',
    dimensions: [{ Name: 'FunctionName', Value: { Ref: outputLogicalId(template, 'SolveFunctionName') } }],
    threshold: 1,
    comparison: 'GreaterThanOrEqualToThreshold',
    statistic: 'Sum',
  },
  ...['SolveLarge', 'BulkRun'].flatMap((machine) =>
    ['ExecutionsFailed', 'ExecutionsTimedOut', 'ExecutionsAborted'].map((metric) => ({
      when: `${machine} has ${metric}`,
      metric,
      namespace: 'AWS/States',
      dimensions: [{ Name: 'StateMachineArn', Value: { Ref: outputLogicalId(template, `${machine}Arn`) } }],
      threshold: 1,
      comparison: 'GreaterThanOrEqualToThreshold',
      statistic: 'Sum',
    })),
  ),
  ...[
    { when: 'a message fails for the third time', metric: METRICS.thirdFailures },
    { when: 'the event bus does not accept an event', metric: METRICS.eventsNotSent },
  ].map(({ when, metric }) => ({
    when,
    metric,
    namespace: METRIC_NAMESPACE,
    dimensions: [
      { Name: 'service', Value: SERVICE_NAME },
      { Name: 'stack', Value: 'DlxBatch' },
    ],
    threshold: 1,
    comparison: 'GreaterThanOrEqualToThreshold',
    statistic: 'Sum',
  })),
  {
    when: 'an upload has waited longer than the visibility timeout',
    metric: 'ApproximateAgeOfOldestMessage',
    namespace: 'AWS/SQS',
    dimensions: [queueName('QueueUrl')],
    threshold: resourceOf(template, 'QueueUrl').Properties.VisibilityTimeout,
    comparison: 'GreaterThanThreshold',
    statistic: 'Maximum',
  },
];

describe('an alarm', () => {
  it.each(rows)(
    'is raised when $when',
    ({ metric, namespace, dimensions, threshold, comparison, statistic }) => {
      expect(alarms).toContainEqual(
        expect.objectContaining({
          MetricName: metric,
          Namespace: namespace,
          Dimensions: dimensions,
          Threshold: threshold,
          ComparisonOperator: comparison,
          Statistic: statistic,
          EvaluationPeriods: 1,
        }),
      );
    },
  );

  it.each(alarms.map((alarm) => ({ alarm, id: alarm.id })))(
    'does not go off without data: $id',
    ({ alarm }) => {
      expect(alarm.TreatMissingData).toBe('notBreaching');
    },
  );

  it.each(alarms.map((alarm) => ({ alarm, id: alarm.id })))(
    'notifies the topic of the stack: $id',
    ({ alarm }) => {
      expect(alarm.AlarmActions).toEqual([TOPIC_ARN]);
    },
  );

  it.each([
    { how: 'the schedule is off', context: { 'dlx:scheduleEnabled': false } },
    { how: 'it fires once', context: { 'dlx:schedule': 'at(2027-01-01T00:00:00)' } },
  ])('expects no bulk run if $how', ({ context }) => {
    expect(alarmsOf(templateWith(context)).filter(({ id }) => id.includes('RunOverdue'))).toEqual([]);
  });

  it('is visible in CloudWatch only if the stack has no topic', () => {
    expect(alarmsOf(templateWith()).flatMap((alarm) => alarm.AlarmActions ?? [])).toEqual([]);
  });
});

describe('the alarm for an overdue run', () => {
  const [overdue, ...others] = alarms.filter(({ id }) => id.includes('RunOverdue'));

  it('counts completed runs in each hour in which the queue was polled', () => {
    expect(others).toEqual([]);
    const [expression, ...metrics] = overdue!.Metrics;
    expect(expression).toMatchObject({ Expression: 'IF(polled, FILL(runs, 0))' });
    expect(metrics).toEqual([
      {
        Id: 'polled',
        ReturnData: false,
        MetricStat: {
          Metric: {
            Namespace: 'AWS/SQS',
            MetricName: 'ApproximateNumberOfMessagesVisible',
            Dimensions: [queueName('QueueUrl')],
          },
          Period: 3600,
          // Unlike the number of messages, never 0 in a data point.
          Stat: 'SampleCount',
        },
      },
      {
        Id: 'runs',
        ReturnData: false,
        MetricStat: {
          Metric: {
            Namespace: 'AWS/States',
            MetricName: 'ExecutionsSucceeded',
            Dimensions: [
              { Name: 'StateMachineArn', Value: { Ref: outputLogicalId(template, 'BulkRunArn') } },
            ],
          },
          Period: 3600,
          Stat: 'Sum',
        },
      },
    ]);
  });

  it.each([
    { of: 'a stack of 1 hour', hours: 1, state: 'OK' },
    { of: 'a stack of 25 hours without a run', hours: 25, state: 'OK' },
    { of: 'a stack of 26 hours without a run', hours: 26, state: 'ALARM' },
    { of: 'a stack of a week without a run', hours: 168, state: 'ALARM' },
    { of: 'a stack of 30 hours with a run in the first night', hours: 30, lastRun: 10, state: 'OK' },
    { of: 'an old stack with a run 26 hours ago', hours: 500, lastRun: 26, state: 'OK' },
    { of: 'an old stack with a run 27 hours ago', hours: 500, lastRun: 27, state: 'ALARM' },
  ])('is $state for $of', ({ hours, lastRun, state }) => {
    expect(stateAfter(hours, lastRun)).toBe(state);
  });

  /**
   * The alarm state by the rules of CloudWatch ("How alarm state is evaluated when data is missing").
   *
   * @param hours since the stack was deployed
   * @param lastRun hours since its only run was completed
   */
  function stateAfter(hours: number, lastRun?: number): string {
    const { EvaluationPeriods: periods, Threshold, TreatMissingData, ComparisonOperator } = overdue!;
    expect([ComparisonOperator, overdue!.DatapointsToAlarm ?? periods]).toEqual([
      'LessThanThreshold',
      periods,
    ]);
    // Newest first: one data point for each hour of the stack, up to two more than are evaluated.
    const range = Array.from({ length: Math.min(hours, periods + 2) }, (_, age) =>
      Number(age + 1 === lastRun),
    );
    const breaching = range.slice(0, periods).map((runs) => runs < Threshold);
    while (breaching.length < periods) breaching.push(TreatMissingData === 'breaching');
    return breaching.every(Boolean) ? 'ALARM' : 'OK';
  }
});

describe('a metric of the functions', () => {
  const stackName = 'Puzzles';
  const named = alarmsOf(templateWith({ 'dlx:stackName': stackName }));
  const alarm = named.find(({ MetricName }) => MetricName === METRICS.thirdFailures);

  it('has in the log the dimensions of the alarm, with the name of its stack', () => {
    vi.stubEnv(ENVIRONMENT.stackName, stackName);
    const metrics = jobMetrics();
    metrics.addMetric(METRICS.thirdFailures, 'Count', 1);
    const written: Record<string, unknown> & ReturnType<typeof metrics.serializeMetrics> =
      metrics.serializeMetrics();
    metrics.clearMetrics();
    vi.unstubAllEnvs();

    const names: string[] = alarm?.Dimensions.map(({ Name }: { Name: string }) => Name);
    expect(written._aws.CloudWatchMetrics).toEqual([
      expect.objectContaining({ Namespace: alarm?.Namespace, Dimensions: [names] }),
    ]);
    expect(alarm?.Dimensions).toEqual(names.map((Name) => ({ Name, Value: written[Name] })));
  });

  it.each(['SolveBatch', 'SolveLargeFunctionsPlan', 'SolveLargeFunctionsMerge'])(
    'is written by a function with the name of its stack: %s',
    (id) => {
      const functions = Object.entries(
        templateWith({ 'dlx:stackName': stackName }).findResources('AWS::Lambda::Function'),
      );
      const [, found] = functions.find(([name]) => name.startsWith(id))!;
      expect(found.Properties.Environment.Variables[ENVIRONMENT.stackName]).toBe(stackName);
    },
  );
});

function alarmsOf(from: typeof template): ReturnType<typeof resourceOf>[] {
  return Object.entries(from.findResources('AWS::CloudWatch::Alarm')).map(([id, alarm]) => ({
    id,
    ...alarm.Properties,
  }));
}

describe('e-mails about alarms', () => {
  const emails = templateWith({
    'dlx:alarmEmails': 'a@example.com,b@example.com',
    'dlx:alarmTopicArn': TOPIC_ARN,
    'dlx:encryptionKey': 'create',
  });
  const [[topic, { Properties: topicProperties }]] = Object.entries(
    emails.findResources('AWS::SNS::Topic'),
  ) as [[string, { Properties: Record<string, unknown> }]];

  it('are sent for every alarm, beside the topic of the operator', () => {
    for (const { AlarmActions } of alarmsOf(emails))
      expect(AlarmActions).toEqual([TOPIC_ARN, { Ref: topic }]);
    const subscriptions = Object.values(emails.findResources('AWS::SNS::Subscription'));
    expect(subscriptions.map(({ Properties }) => [Properties.Endpoint, Properties.TopicArn])).toEqual([
      ['a@example.com', { Ref: topic }],
      ['b@example.com', { Ref: topic }],
    ]);
  });

  it('are encrypted with the key of the stack, which CloudWatch may use, as it may publish for alarms of the stack', () => {
    const [[keyId, key]] = Object.entries(emails.findResources('AWS::KMS::Key')) as [
      [string, typeof topicProperties],
    ];
    expect(topicProperties.KmsMasterKeyId).toEqual({ 'Fn::GetAtt': [keyId, 'Arn'] });
    expect(JSON.stringify(key)).toContain(
      '{"Action":["kms:Decrypt","kms:GenerateDataKey*"],"Effect":"Allow","Principal":{"Service":"cloudwatch.amazonaws.com"},"Resource":"*"}',
    );
    const [policy] = Object.values(emails.findResources('AWS::SNS::TopicPolicy'));
    const allowed = policy!.Properties.PolicyDocument.Statement.filter(
      ({ Effect }: { Effect: string }) => Effect === 'Allow',
    );
    expect(allowed).toMatchObject([
      { Action: 'sns:Publish', Principal: { Service: 'cloudwatch.amazonaws.com' }, Resource: { Ref: topic } },
    ]);
    expect(JSON.stringify(allowed[0].Condition)).toMatch(
      /^\{"ArnLike":\{"aws:SourceArn":.*":alarm:\*"\]\]\}\}\}$/,
    );
  });
});
