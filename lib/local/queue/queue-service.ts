/** SQS's API on this machine, as far as it is in use: whole batches are sent to the queue of uploads. */
import { createHash } from 'node:crypto';
import { JsonApiError, type JsonService, textOf } from '../json-endpoint.ts';
import type { LocalQueue } from './queue.ts';

const MAX_BATCH_MESSAGES = 10;
const MAX_BATCH_BYTES = 1_048_576;

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
}

/** @param queueUrl of the one queue that is there */
export function queueService(queue: Pick<LocalQueue, 'send'>, queueUrl: string): JsonService {
  return {
    target: 'AmazonSQS.',
    operations: {
      SendMessageBatch: {
        parameters: ['QueueUrl', 'Entries'],
        run(given) {
          const url = textOf(given, 'QueueUrl');
          if (url !== queueUrl) {
            throw new JsonApiError('QueueDoesNotExist', `The specified queue does not exist: ${url}`);
          }
          const Successful = entriesIn(given.Entries).map(({ Id, MessageBody }) => ({
            Id,
            MessageId: queue.send(MessageBody),
            MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
          }));
          return { Successful, Failed: [] };
        },
      },
    },
  };
}

/** @throws JsonApiError where they are none that SQS would take */
function entriesIn(found: unknown): readonly Entry[] {
  const entries = Array.isArray(found) ? (found as Partial<Entry>[]) : [];
  if (entries.length === 0) throw new JsonApiError('EmptyBatchRequest', 'There are no entries in the batch');
  if (entries.length > MAX_BATCH_MESSAGES) {
    throw new JsonApiError(
      'TooManyEntriesInBatchRequest',
      `A batch has at most ${MAX_BATCH_MESSAGES} entries`,
    );
  }
  let bytes = 0;
  const ids = new Set<string>();
  for (const { Id, MessageBody, ...others } of entries) {
    const [other] = Object.keys(others);
    if (typeof Id !== 'string' || typeof MessageBody !== 'string' || other !== undefined) {
      throw new JsonApiError(
        'ValidationException',
        `an entry has ${other ?? 'no Id or MessageBody'}: expected the texts Id and MessageBody, and nothing else on this machine`,
      );
    }
    bytes += Buffer.byteLength(MessageBody);
    ids.add(Id);
  }
  if (ids.size < entries.length)
    throw new JsonApiError('BatchEntryIdsNotDistinct', 'Two entries have one Id');
  if (bytes > MAX_BATCH_BYTES) throw new JsonApiError('BatchRequestTooLong', 'The batch is too long');
  return entries as Entry[];
}
