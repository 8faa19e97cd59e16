import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { MAX_RECEIVES, REPORT_RECEIVES, VISIBILITY_TIMEOUT_FACTOR } from '../../lib/batch/limits.ts';
import { outputLogicalId, resourceOf, templateWith } from './synthesised.ts';

const template = templateWith({ 'dlx:timeoutSeconds': 100 });
const queue = resourceOf(template, 'QueueUrl').Properties;
const arnOf = (output: string) => ({ 'Fn::GetAtt': [outputLogicalId(template, output), 'Arn'] });
const rules = Object.entries(template.findResources('AWS::Events::Rule')).filter(
  ([, rule]) => rule.Properties.EventPattern.source[0] === 'aws.s3',
);
/** Every rule of the stack: for uploads, and for large jobs that failed, timed out or were stopped. */
const senders = Object.keys(template.findResources('AWS::Events::Rule'));

describe('the queue of uploads', () => {
  it('hides a message for several timeouts of the function, as AWS recommends', () => {
    const { Timeout } = resourceOf(template, 'SolveFunctionName').Properties;
    expect(VISIBILITY_TIMEOUT_FACTOR).toBeGreaterThanOrEqual(6);
    expect(queue.VisibilityTimeout).toBe(VISIBILITY_TIMEOUT_FACTOR * Timeout);
  });

  it('moves a message to the dead-letter queue after the last receive', () => {
    expect(queue.RedrivePolicy).toEqual({
      deadLetterTargetArn: arnOf('DeadLetterQueueUrl'),
      maxReceiveCount: MAX_RECEIVES + REPORT_RECEIVES,
    });
  });

  it.each([60, 100, 900])(
    'keeps a message longer than all its tries take, and shorter than the dead-letter queue does, with a timeout of %i s',
    (seconds) => {
      const withTimeout = templateWith({ 'dlx:timeoutSeconds': seconds });
      const { VisibilityTimeout, MessageRetentionPeriod } = resourceOf(withTimeout, 'QueueUrl').Properties;
      // Each try crashes, or each fails in its last second and waits for the longest delay.
      const crashes = (MAX_RECEIVES + REPORT_RECEIVES) * VisibilityTimeout;
      const failures = (MAX_RECEIVES + REPORT_RECEIVES) * (seconds + 900);
      // The same time again is left for the wait before the first try.
      expect(MessageRetentionPeriod).toBeGreaterThan(2 * Math.max(crashes, failures));
      const deadLetters = resourceOf(withTimeout, 'DeadLetterQueueUrl').Properties;
      expect(deadLetters.MessageRetentionPeriod - MessageRetentionPeriod).toBeGreaterThanOrEqual(
        10 * 24 * 3600,
      );
    },
  );
});

describe.each(['QueueUrl', 'DeadLetterQueueUrl', 'UndeliveredEventsQueueUrl'])(
  'the queue of output %s',
  (output) => {
    it('is encrypted by SQS itself, so that EventBridge needs no permission for a key', () => {
      const { SqsManagedSseEnabled, KmsMasterKeyId } = resourceOf(template, output).Properties;
      expect([SqsManagedSseEnabled, KmsMasterKeyId]).toEqual([true, undefined]);
    });

    it('refuses every request without TLS', () => {
      expect(() =>
        template.hasResourceProperties('AWS::SQS::QueuePolicy', {
          Queues: [{ Ref: outputLogicalId(template, output) }],
          PolicyDocument: {
            Statement: Match.arrayWith([
              Match.objectLike({
                Effect: 'Deny',
                Principal: { AWS: '*' },
                Action: 'sqs:*',
                Condition: { Bool: { 'aws:SecureTransport': 'false' } },
              }),
            ]),
          },
        }),
      ).not.toThrow();
    });

    it('has no fixed name', () => {
      expect(resourceOf(template, output).Properties.QueueName).toBeUndefined();
    });
  },
);

describe.each(['DeadLetterQueueUrl', 'UndeliveredEventsQueueUrl'])(
  'the dead-letter queue of output %s',
  (output) => {
    it('keeps messages for 14 days', () => {
      expect(resourceOf(template, output).Properties.MessageRetentionPeriod).toBe(14 * 24 * 3600);
    });
  },
);

describe('the rule', () => {
  it('is the only one for objects', () => {
    expect(rules).toHaveLength(1);
  });

  const [, rule] = rules[0];

  it('matches objects created under inbox/ of the input bucket, and nothing else', () => {
    expect(rule.Properties.EventPattern).toEqual({
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: {
        bucket: { name: [{ Ref: outputLogicalId(template, 'InputBucketName') }] },
        object: { key: [{ prefix: 'inbox/' }] },
      },
    });
  });

  it('sends the whole event to the queue, and undelivered events to their own queue', () => {
    expect(rule.Properties.Targets).toEqual([
      {
        Id: expect.any(String),
        Arn: arnOf('QueueUrl'),
        DeadLetterConfig: { Arn: arnOf('UndeliveredEventsQueueUrl') },
      },
    ]);
  });

  it.each(['QueueUrl', 'UndeliveredEventsQueueUrl'])(
    'is, with the rule for large jobs, the only sender to the queue of output %s',
    (output) => {
      const policies = Object.values(template.findResources('AWS::SQS::QueuePolicy'))
        .filter((policy) => policy.Properties.Queues[0].Ref === outputLogicalId(template, output))
        .flatMap((policy) => policy.Properties.PolicyDocument.Statement)
        .filter((statement) => statement.Effect === 'Allow');
      expect(policies).toHaveLength(senders.length);
      expect(policies).toEqual(
        expect.arrayContaining(
          senders.map((ruleId) =>
            expect.objectContaining({
              Principal: { Service: 'events.amazonaws.com' },
              Action: expect.toSatisfy((action) => [action].flat().includes('sqs:SendMessage')),
              Resource: arnOf(output),
              Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [ruleId, 'Arn'] } } },
            }),
          ),
        ),
      );
    },
  );
});
