/** Implements the ports for queues with Amazon SQS. */
import { SQS } from '@aws-sdk/client-sqs';
import type { DeadLetters, MessageQueue, ReceivedMessages } from '../batch/ports.ts';
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

/** @param arn of the dead-letter queue @param queueArn of the queue that its messages go back to */
export function deadLetters(arn: string, queueArn: string, sqs: SQS): DeadLetters {
  return {
    async moveBack() {
      try {
        // Without a destination, SQS does not move what EventBridge has sent there.
        await sqs.startMessageMoveTask({ SourceArn: arn, DestinationArn: queueArn });
      } catch (error) {
        if (!(error instanceof Error && /already a task running/.test(error.message))) throw error;
      }
    },
  };
}
