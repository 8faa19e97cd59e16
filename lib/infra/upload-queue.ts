import { Duration, Validations } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { MAX_RECEIVES, REPORT_RECEIVES, VISIBILITY_TIMEOUT_FACTOR } from '../batch/limits.ts';
import { uploadRuleDescription } from '../batch/names.ts';
import { queueTarget } from './queue-target.ts';

/**
 * Days that a message waits for a function: longer than all its attempts take, which is 38 hours if a function with the
 * maximum timeout crashes in each. SQS counts a message's age from when it was first sent, in the dead-letter queue
 * too; so a message that arrives there has at least ten of its fourteen days left.
 */
const MESSAGE_DAYS = 4;

/** The maximum retention of SQS. */
const DEAD_LETTER_DAYS = 14;

export interface UploadQueueProps {
  /** The bucket whose new objects become messages; it sends its events to EventBridge. */
  readonly inputBucket: IBucket;
  /** Prefix of the objects whose events are sent. */
  readonly inboxPrefix: string;
  /** Timeout of the function that reads the queue. */
  readonly functionTimeout: Duration;
  /** Key of the queues. @default - keys of SQS, which need no permissions */
  readonly encryptionKey?: IKey;
}

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
   * Messages that failed in {@link MAX_RECEIVES} tries, and whose failure was reported; and events that EventBridge could not
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

  constructor(scope: Construct, id: string, props: UploadQueueProps) {
    super(scope, id);
    this.visibilityTimeout = Duration.seconds(VISIBILITY_TIMEOUT_FACTOR * props.functionTimeout.toSeconds());
    this.deadLetters = deadLetterQueue(this, 'DeadLetters', props.encryptionKey);
    this.formerUndelivered = deadLetterQueue(this, 'UndeliveredEvents', props.encryptionKey);
    this.queue = new Queue(this, 'Queue', {
      ...privateQueue(props.encryptionKey),
      visibilityTimeout: this.visibilityTimeout,
      retentionPeriod: Duration.days(MESSAGE_DAYS),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVES + REPORT_RECEIVES },
    });

    this.rule = new Rule(this, 'ObjectCreated', {
      description: uploadRuleDescription(props.inboxPrefix),
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: {
          bucket: { name: [props.inputBucket.bucketName] },
          object: { key: [{ prefix: props.inboxPrefix }] },
        },
      },
      targets: [queueTarget(this.queue, this.deadLetters)],
    });
  }
}

export function deadLetterQueue(scope: Construct, id: string, encryptionKey: IKey | undefined): Queue {
  const queue = new Queue(scope, id, {
    ...privateQueue(encryptionKey),
    retentionPeriod: Duration.days(DEAD_LETTER_DAYS),
  });
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'This queue is itself a dead-letter queue; an alarm watches it.',
  });
  return queue;
}

function privateQueue(encryptionMasterKey: IKey | undefined): QueueProps {
  return encryptionMasterKey === undefined
    ? { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true }
    : { encryption: QueueEncryption.KMS, encryptionMasterKey, enforceSSL: true };
}
