/** Amazon SQS behind the batch's port for queues. */
import { SQS } from '@aws-sdk/client-sqs';
import type { MessageQueue } from '../batch/ports.ts';
import { handlerOptions, TIMEOUTS } from './timeouts.ts';

/** A client from the environment: region, credentials, `AWS_ENDPOINT_URL_SQS`. */
export function sqsClient(timeouts = TIMEOUTS): SQS {
  return new SQS({ requestHandler: handlerOptions(timeouts) });
}

/** A queue that can be sent to. @param queueUrl as the stack's output names it */
export function sqsQueue(queueUrl: string, sqs: SQS): MessageQueue {
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
