/** Implements the ports for queues with Amazon SQS. */
import { SQS } from '@aws-sdk/client-sqs';
import type { MessageQueue, ReceivedMessages } from '../batch/ports.ts';
import type { S3Client } from './s3-client.ts';
import { handlerOptions, TIMEOUTS } from './timeouts.ts';

/** A client with region, credentials and `AWS_ENDPOINT_URL_SQS` from the environment. */
export function sqsClient(timeouts = TIMEOUTS): SQS {
  return new SQS({ requestHandler: handlerOptions(timeouts) });
}

/** A client for an endpoint, with the region and credentials of an S3 client. */
export function sqsClientAt(endpoint: string, { config }: S3Client, timeouts = TIMEOUTS): SQS {
  const { region, credentials } = config;
  return new SQS({ endpoint, region, credentials, requestHandler: handlerOptions(timeouts) });
}

/** Sends to a queue. @param queueUrl the queue's URL, an output of the stack */
export function sqsQueue(queueUrl: string, sqs: SQS = sqsClient()): MessageQueue {
  return {
    async send(bodies) {
      if (bodies.length === 0) return [];
      const { Failed = [] } = await sqs.sendMessageBatch({
        QueueUrl: queueUrl,
        Entries: bodies.map((body, index) => ({ Id: String(index), MessageBody: body })),
      });
      return Failed.map(({ Id }) => Number(Id));
    },
  };
}

/** The messages that a function receives from a queue. @param queueUrl the queue's URL, an output of the stack */
export function receivedMessages(queueUrl: string, sqs: SQS): ReceivedMessages {
  return {
    async hideFor(receiptHandle, seconds) {
      await sqs.changeMessageVisibility({
        QueueUrl: queueUrl,
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      });
    },
  };
}

/** A message that was received from a dead-letter queue, and is hidden from other receivers. */
export interface DeadMessage {
  readonly messageId: string;
  readonly body: string;
  readonly receiptHandle: string;
}

/** A dead-letter queue. */
export interface DeadMessages {
  /** At most 10; none if the queue has no visible message. */
  receive(): Promise<DeadMessage[]>;
  delete(receiptHandle: string): Promise<void>;
  /** Makes a message visible again. */
  release(receiptHandle: string): Promise<void>;
}

/** Long enough to list and to send all messages; those of a command that is killed are visible again after this. */
const HIDDEN_SECONDS = 600;
/** A long poll asks all servers of the queue, so no message is missed. */
const POLL_SECONDS = 2;

/** @param queueUrl the queue's URL, an output of the stack */
export function deadMessages(queueUrl: string, sqs: SQS): DeadMessages {
  return {
    async receive() {
      const { Messages = [] } = await sqs.receiveMessage({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: HIDDEN_SECONDS,
        WaitTimeSeconds: POLL_SECONDS,
      });
      return Messages.map(({ MessageId = '', Body = '', ReceiptHandle = '' }) => ({
        messageId: MessageId,
        body: Body,
        receiptHandle: ReceiptHandle,
      }));
    },
    async delete(receiptHandle) {
      await sqs.deleteMessage({ QueueUrl: queueUrl, ReceiptHandle: receiptHandle });
    },
    async release(receiptHandle) {
      await sqs.changeMessageVisibility({
        QueueUrl: queueUrl,
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: 0,
      });
    },
  };
}
