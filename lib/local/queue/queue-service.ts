/** The subset of SQS's API that the project uses, for the queue of uploads and its dead-letter queue. */
import { createHash } from 'node:crypto';
import {
  checkNames,
  JsonApiError,
  type JsonService,
  type RequestParameters,
  stringParameter,
} from '../json-api.ts';
import { type LocalQueue, MAX_HIDDEN_MS } from './queue.ts';

const MAX_BATCH_MESSAGES = 10;
const MAX_BATCH_BYTES = 1_048_576;
const ENTRY_ID = /^[\w-]{1,80}$/;
const MAX_VISIBILITY_SECONDS = MAX_HIDDEN_MS / 1000;
const DEFAULT_VISIBILITY_SECONDS = 30;
/** Receipt handles of the queue are UUIDs. */
const RECEIPT_HANDLE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @param queues by the path of their URL; clients may use another name of this machine for it, such as localhost */
export function queueService(queues: Readonly<Record<string, LocalQueue>>): JsonService {
  const queueWith = (given: RequestParameters, name: string) => {
    const arn = stringParameter(given, name);
    const found = Object.values(queues).find((queue) => queue.arn === arn);
    if (found !== undefined) return found;
    throw new JsonApiError(
      'ResourceNotFoundException',
      `The resource that you specified for the ${name} parameter doesn't exist.`,
    );
  };
  const queueOf = (given: RequestParameters) => {
    const path = URL.parse(stringParameter(given, 'QueueUrl'))?.pathname ?? '';
    if (Object.hasOwn(queues, path)) return queues[path]!;
    throw new JsonApiError('QueueDoesNotExist', 'The specified queue does not exist.');
  };
  const operation = (
    action: string,
    parameters: readonly string[],
    run: (queue: LocalQueue, given: RequestParameters) => object,
  ) => ({
    parameters: ['QueueUrl', ...parameters],
    action: `sqs:${action}`,
    resource: (given: RequestParameters) => queueOf(given).arn,
    run: (given: RequestParameters) => run(queueOf(given), given),
  });
  return {
    target: 'AmazonSQS.',
    signingName: 'sqs',
    operations: {
      SendMessageBatch: operation('SendMessage', ['Entries'], (queue, { Entries }) => {
        const Successful = entriesIn(Entries).map(({ Id, MessageBody }) => ({
          Id,
          MessageId: queue.send(MessageBody),
          MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
        }));
        return { Successful, Failed: [] };
      }),
      ChangeMessageVisibility: operation(
        'ChangeMessageVisibility',
        ['ReceiptHandle', 'VisibilityTimeout'],
        (queue, given) => {
          const handle = receiptHandle(given);
          const seconds = wholeNumber(given, 'VisibilityTimeout', 0, MAX_VISIBILITY_SECONDS);
          const outcome = queue.changeVisibility(handle, seconds * 1000);
          if (outcome === 'changed') return {};
          throw outcome === 'too long'
            ? invalidValue(
                'VisibilityTimeout',
                seconds,
                `Total VisibilityTimeout for the message is beyond the limit [${MAX_VISIBILITY_SECONDS} seconds]`,
              )
            : invalidValue(
                'ReceiptHandle',
                handle,
                'Message does not exist or is not available for visibility timeout change.',
              );
        },
      ),
      ReceiveMessage: operation(
        'ReceiveMessage',
        ['MaxNumberOfMessages', 'VisibilityTimeout', 'WaitTimeSeconds'],
        (queue, given) => {
          const max = wholeNumber(given, 'MaxNumberOfMessages', 1, MAX_BATCH_MESSAGES, 1);
          const seconds = wholeNumber(
            given,
            'VisibilityTimeout',
            0,
            MAX_VISIBILITY_SECONDS,
            DEFAULT_VISIBILITY_SECONDS,
          );
          const Messages = queue.receive(max, seconds * 1000).map((record) => ({
            MessageId: record.messageId,
            ReceiptHandle: record.receiptHandle,
            Body: record.body,
            MD5OfBody: record.md5OfBody,
          }));
          return Messages.length === 0 ? {} : { Messages };
        },
      ),
      // At once, and not in the time after the answer as in SQS: a second task never finds a first one at work.
      StartMessageMoveTask: {
        parameters: ['SourceArn', 'DestinationArn'],
        action: 'sqs:StartMessageMoveTask',
        resource: (given) => queueWith(given, 'SourceArn').arn,
        run: (given) => {
          const [source, destination] = [queueWith(given, 'SourceArn'), queueWith(given, 'DestinationArn')];
          for (const { body, receiptHandle: handle } of source.receive(source.size)) {
            // If this process is killed in between, the message is in both, which are one job.
            destination.send(body);
            source.delete(handle);
          }
          return { TaskHandle: Buffer.from(JSON.stringify({ sourceArn: source.arn })).toString('base64') };
        },
      },
    },
  };
}

/** @throws JsonApiError InvalidParameterValue */
function wholeNumber(
  given: RequestParameters,
  name: string,
  min: number,
  max: number,
  defaultValue?: number,
): number {
  const value = given[name] ?? defaultValue;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  const note = defaultValue === undefined ? '' : ', if provided.';
  throw invalidValue(name, value, `Must be between ${min} and ${max}${note}`);
}

/** @throws JsonApiError ReceiptHandleIsInvalid */
function receiptHandle(given: RequestParameters): string {
  const handle = stringParameter(given, 'ReceiptHandle');
  if (RECEIPT_HANDLE.test(handle)) return handle;
  throw new JsonApiError(
    'ReceiptHandleIsInvalid',
    `The input receipt handle "${handle}" is not a valid receipt handle.`,
  );
}

function invalidValue(parameter: string, value: unknown, reason: string): JsonApiError {
  return new JsonApiError(
    'InvalidParameterValue',
    `Value ${String(value)} for parameter ${parameter} is invalid. Reason: ${reason}`,
  );
}

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
}

/** @throws JsonApiError if SQS would reject them */
function entriesIn(found: unknown): readonly Entry[] {
  const entries = Array.isArray(found) ? (found as Partial<Entry>[]) : [];
  if (entries.length === 0) throw new JsonApiError('EmptyBatchRequest', 'There are no entries in the batch');
  if (entries.length > MAX_BATCH_MESSAGES) {
    throw new JsonApiError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${MAX_BATCH_MESSAGES}. You have sent ${entries.length}.`,
    );
  }
  let bytes = 0;
  const ids = new Set<string>();
  for (const entry of entries) {
    checkNames('an entry', Object.keys(entry), ['Id', 'MessageBody']);
    const { Id = '', MessageBody } = entry;
    if (!ENTRY_ID.test(Id)) {
      throw new JsonApiError(
        'InvalidBatchEntryId',
        'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
      );
    }
    if (typeof MessageBody !== 'string') {
      throw new JsonApiError('ValidationException', 'MessageBody: expected a string');
    }
    bytes += Buffer.byteLength(MessageBody);
    ids.add(Id);
  }
  if (ids.size < entries.length) {
    throw new JsonApiError('BatchEntryIdsNotDistinct', 'Two entries have one Id');
  }
  if (bytes > MAX_BATCH_BYTES) {
    throw new JsonApiError(
      'BatchRequestTooLong',
      `Batch requests cannot be longer than ${MAX_BATCH_BYTES} bytes. You have sent ${bytes} bytes.`,
    );
  }
  return entries as Entry[];
}
