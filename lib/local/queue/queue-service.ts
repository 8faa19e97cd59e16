/** The subset of SQS's API that the project uses, for the queue of uploads and its dead-letter queue. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { JsonApiError, type JsonService, operation } from '../json-api.ts';
import { type LocalQueue, MAX_HIDDEN_MS } from './queue.ts';

const entries = z
  .array(z.strictObject({ Id: z.string(), MessageBody: z.string() }))
  .min(1)
  .max(10);

/** @param queues by the path of their URL; clients may use another name of this machine for it, such as localhost */
export function queueService(queues: Readonly<Record<string, LocalQueue>>): JsonService {
  const known = (queue: LocalQueue | undefined, found: string) => {
    if (queue !== undefined) return queue;
    throw new JsonApiError('QueueDoesNotExist', `The specified queue does not exist: ${found}`);
  };
  const QueueUrl = z.string().transform((url) => {
    const path = URL.parse(url)?.pathname ?? '';
    return known(Object.hasOwn(queues, path) ? queues[path] : undefined, url);
  });
  const queueArn = z.string().transform((arn) =>
    known(
      Object.values(queues).find((queue) => queue.arn === arn),
      arn,
    ),
  );
  const ofQueue = (given: { readonly QueueUrl: LocalQueue }) => given.QueueUrl.arn;
  const operations = {
    SendMessageBatch: operation(
      'sqs:SendMessage',
      z.strictObject({ QueueUrl, Entries: entries }),
      ofQueue,
      ({ QueueUrl: queue, Entries }) => {
        const Successful = Entries.map(({ Id, MessageBody }) => ({
          Id,
          MessageId: queue.send(MessageBody),
          MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
        }));
        return { Successful, Failed: [] };
      },
    ),
    ChangeMessageVisibility: operation(
      'sqs:ChangeMessageVisibility',
      z.strictObject({
        QueueUrl,
        ReceiptHandle: z.string(),
        VisibilityTimeout: z
          .int()
          .min(0)
          .max(MAX_HIDDEN_MS / 1000),
      }),
      ofQueue,
      ({ QueueUrl: queue, ReceiptHandle, VisibilityTimeout }) => {
        if (queue.changeVisibility(ReceiptHandle, VisibilityTimeout * 1000)) return {};
        throw new JsonApiError(
          'InvalidParameterValue',
          `Message ${ReceiptHandle} does not exist, or would be hidden for more than ${MAX_HIDDEN_MS / 1000} seconds`,
        );
      },
    ),
    // At once, and not in the time after the answer as in SQS: a second task never finds a first one at work.
    StartMessageMoveTask: operation(
      'sqs:StartMessageMoveTask',
      z.strictObject({ SourceArn: queueArn, DestinationArn: queueArn }),
      ({ SourceArn: source }) => source.arn,
      ({ SourceArn: source, DestinationArn: destination }) => {
        for (const { body, receiptHandle: handle } of source.receive(source.size)) {
          // If this process is killed in between, the message is in both, which are one job.
          destination.send(body);
          source.delete(handle);
        }
        return { TaskHandle: Buffer.from(JSON.stringify({ sourceArn: source.arn })).toString('base64') };
      },
    ),
  };
  return { target: 'AmazonSQS.', signingName: 'sqs', operations };
}
