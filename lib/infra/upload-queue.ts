import { Duration, Validations } from 'aws-cdk-lib';
import { type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IQueue, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { MAX_RECEIVES, REPORT_RECEIVES, VISIBILITY_TIMEOUT_FACTOR } from '../batch/limits.ts';
import { uploadRuleDescription } from '../batch/names.ts';
import type { Instance } from './instance.ts';
import type { PuzzleBuckets } from './puzzle-buckets.ts';

/**
 * Days that a message waits for a function: longer than all its attempts take, which is 38 hours if a function with the
 * maximum timeout crashes in each. SQS counts a message's age from when it was first sent, in the dead-letter queue
 * too; so a message that arrives there has at least ten of its fourteen days left.
 */
const MESSAGE_DAYS = 4;

/** The maximum retention of SQS. */
const DEAD_LETTER_DAYS = 14;

/**
 * Turns each new object into a message that waits for a function.
 *
 *     input bucket --rule, inbox/--> queue --after every attempt--> dead letters
 *                       |                                            ^
 *                       +------------could not be delivered----------+
 */
export class UploadQueue extends Construct {
  /** One message for each new object version under `inbox/`; its body is EventBridge's event. */
  readonly queue: Queue;
  /**
   * Messages that failed in {@link MAX_RECEIVES} attempts, and whose failure was reported; and events that EventBridge could not
   * send to the queue, which have the same bodies.
   */
  readonly deadLetters: Queue;
  /** Where version 0.1 sent undelivered events, some of which may still be there; the next release can omit it. */
  readonly formerUndelivered: Queue;
  /** Sends the events. */
  readonly rule: Rule;
  /**
   * How long a message is hidden after each receive: {@link VISIBILITY_TIMEOUT_FACTOR} function timeouts, unless the function
   * reports a failure and sets the retry delay.
   */
  readonly visibilityTimeout: Duration;

  constructor(scope: Construct, id: string, instance: Instance, { input, prefixes }: PuzzleBuckets) {
    super(scope, id);
    this.visibilityTimeout = Duration.seconds(VISIBILITY_TIMEOUT_FACTOR * instance.timeoutSeconds);
    this.deadLetters = deadLetterQueue(this, 'DeadLetters', instance);
    this.formerUndelivered = deadLetterQueue(this, 'UndeliveredEvents', instance);
    this.queue = new Queue(this, 'Queue', {
      ...privateQueue(instance),
      visibilityTimeout: this.visibilityTimeout,
      retentionPeriod: Duration.days(MESSAGE_DAYS),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVES + REPORT_RECEIVES },
    });

    this.rule = new Rule(this, 'ObjectCreated', {
      description: uploadRuleDescription(prefixes.inbox),
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: {
          bucket: { name: [input.bucketName] },
          object: { key: [{ prefix: prefixes.inbox }] },
        },
      },
      targets: [queueTarget(this.queue, this.deadLetters)],
    });
  }
}

export function deadLetterQueue(scope: Construct, id: string, instance: Instance): Queue {
  const queue = new Queue(scope, id, {
    ...privateQueue(instance),
    retentionPeriod: Duration.days(DEAD_LETTER_DAYS),
  });
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'This queue is itself a dead-letter queue; an alarm watches it.',
  });
  return queue;
}

function privateQueue({ encryptionKey }: Instance): QueueProps {
  return encryptionKey === undefined
    ? { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true }
    : { encryption: QueueEncryption.KMS, encryptionMasterKey: encryptionKey, enforceSSL: true };
}

/**
 * A queue as the target of a rule. Not the library's own target, which also lets EventBridge look up the queue.
 *
 * @param undelivered receives the events that cannot be sent to the queue
 */
export function queueTarget(queue: IQueue, undelivered: IQueue): IRuleTarget {
  return {
    bind({ ruleRef: { ruleArn } }) {
      for (const target of [queue, undelivered]) {
        target.addToResourcePolicy(
          new PolicyStatement({
            principals: [new ServicePrincipal('events.amazonaws.com')],
            actions: ['sqs:SendMessage'],
            resources: [target.queueArn],
            conditions: { ArnEquals: { 'aws:SourceArn': ruleArn } },
          }),
        );
      }
      return { arn: queue.queueArn, deadLetterConfig: { arn: undelivered.queueArn } };
    },
  };
}
