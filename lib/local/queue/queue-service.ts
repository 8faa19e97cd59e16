/**
 * The subset of SQS's API that the project uses: sending batches of messages to the queue of uploads, changing how long a
 * message stays hidden, and receiving and deleting dead letters.
 */
import { createHash } from 'node:crypto';
import { JsonApiError, type JsonService, type RequestParameters, stringParameter } from '../json-api.ts';
import { LOCAL_STACK } from '../stack-names.ts';
import { type LocalQueue, MAX_HIDDEN_MS } from './queue.ts';

const MAX_BATCH_MESSAGES = 10;
const MAX_BATCH_BYTES = 1_048_576;
const ENTRY_ID = /^[\w-]{1,80}$/;
const MAX_VISIBILITY_SECONDS = MAX_HIDDEN_MS / 1000;
/** Receipt handles of the queue are UUIDs. */
const RECEIPT_HANDLE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
}

type Queue = Pick<LocalQueue, 'arn' | 'send' | 'changeVisibility' | 'dead'>;

/** @param queueArn of the queue of uploads */
export function deadLettersArn(queueArn: string): string {
  return `${queueArn}-dead-letters`;
}

/** @param queueUrl of the queue of uploads; clients may use another host name for it, such as localhost */
export function queueService(queue: Queue, queueUrl: string): JsonService {
  const isDeadLetters = (given: RequestParameters) =>
    pathOf(stringParameter(given, 'QueueUrl')) === LOCAL_STACK.deadLetterPath;
  const arnOf = (given: RequestParameters) => (isDeadLetters(given) ? deadLettersArn(queue.arn) : queue.arn);
  return {
    target: 'AmazonSQS.',
    signingName: 'sqs',
    operations: {
      SendMessageBatch: {
        parameters: ['QueueUrl', 'Entries'],
        action: 'sqs:SendMessage',
        resource: () => queue.arn,
        run(given) {
          checkQueue(given, pathOf(queueUrl)!);
          const Successful = entriesIn(given.Entries).map(({ Id, MessageBody }) => ({
            Id,
            MessageId: queue.send(MessageBody),
            MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
          }));
          return { Successful, Failed: [] };
        },
      },
      ChangeMessageVisibility: {
        parameters: ['QueueUrl', 'ReceiptHandle', 'VisibilityTimeout'],
        action: 'sqs:ChangeMessageVisibility',
        resource: arnOf,
        run(given) {
          const changed = isDeadLetters(given) ? queue.dead : queue;
          if (changed === queue) checkQueue(given, pathOf(queueUrl)!);
          changeVisibility(changed, stringParameter(given, 'ReceiptHandle'), given.VisibilityTimeout);
          return {};
        },
      },
      // Lambda receives the messages of the other queue, without requests.
      ReceiveMessage: {
        parameters: ['QueueUrl', 'MaxNumberOfMessages', 'VisibilityTimeout', 'WaitTimeSeconds'],
        action: 'sqs:ReceiveMessage',
        resource: arnOf,
        run(given) {
          checkQueue(given, LOCAL_STACK.deadLetterPath);
          const max = wholeNumber(given, 'MaxNumberOfMessages', 1, MAX_BATCH_MESSAGES, 1);
          const seconds = wholeNumber(given, 'VisibilityTimeout', 0, MAX_VISIBILITY_SECONDS, 30);
          const Messages = queue.dead
            .receive(max, seconds * 1000)
            .map(({ messageId, receiptHandle, body }) => ({
              MessageId: messageId,
              ReceiptHandle: receiptHandle,
              Body: body,
              MD5OfBody: createHash('md5').update(body).digest('hex'),
            }));
          return Messages.length === 0 ? {} : { Messages };
        },
      },
      DeleteMessage: {
        parameters: ['QueueUrl', 'ReceiptHandle'],
        action: 'sqs:DeleteMessage',
        resource: arnOf,
        run(given) {
          checkQueue(given, LOCAL_STACK.deadLetterPath);
          const handle = stringParameter(given, 'ReceiptHandle');
          checkHandle(handle);
          // SQS answers so too if the message was deleted before.
          queue.dead.delete(handle);
          return {};
        },
      },
    },
  };
}

function pathOf(url: string): string | undefined {
  return URL.parse(url)?.pathname;
}

function checkQueue(given: RequestParameters, path: string): void {
  const url = stringParameter(given, 'QueueUrl');
  if (pathOf(url) !== path) {
    throw new JsonApiError('QueueDoesNotExist', 'The specified queue does not exist.');
  }
}

/** @throws JsonApiError InvalidParameterValue */
function wholeNumber(
  given: RequestParameters,
  name: string,
  min: number,
  max: number,
  defaultValue: number,
): number {
  const value = given[name] ?? defaultValue;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw invalidValue(name, value, `Must be between ${min} and ${max}, if provided.`);
}

/** @throws JsonApiError ReceiptHandleIsInvalid */
function checkHandle(receiptHandle: string): void {
  if (RECEIPT_HANDLE.test(receiptHandle)) return;
  throw new JsonApiError(
    'ReceiptHandleIsInvalid',
    `The input receipt handle "${receiptHandle}" is not a valid receipt handle.`,
  );
}

/** @throws JsonApiError with SQS's error name */
function changeVisibility(
  queue: Pick<LocalQueue, 'changeVisibility'>,
  receiptHandle: string,
  seconds: unknown,
): void {
  checkHandle(receiptHandle);
  const isWhole = typeof seconds === 'number' && Number.isInteger(seconds);
  if (!isWhole || seconds < 0 || seconds > MAX_VISIBILITY_SECONDS) {
    throw invalidValue('VisibilityTimeout', seconds, `Must be between 0 and ${MAX_VISIBILITY_SECONDS}`);
  }
  switch (queue.changeVisibility(receiptHandle, seconds * 1000)) {
    case 'changed':
      return;
    case 'too long':
      throw invalidValue(
        'VisibilityTimeout',
        seconds,
        `Total VisibilityTimeout for the message is beyond the limit [${MAX_VISIBILITY_SECONDS} seconds]`,
      );
    case 'unknown handle':
      throw invalidValue(
        'ReceiptHandle',
        receiptHandle,
        'Message does not exist or is not available for visibility timeout change.',
      );
  }
}

function invalidValue(parameter: string, value: unknown, reason: string): JsonApiError {
  return new JsonApiError(
    'InvalidParameterValue',
    `Value ${String(value)} for parameter ${parameter} is invalid. Reason: ${reason}`,
  );
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
  for (const { Id, MessageBody, ...others } of entries) {
    const [other] = Object.keys(others);
    if (typeof Id !== 'string' || typeof MessageBody !== 'string' || other !== undefined) {
      throw new JsonApiError(
        'ValidationException',
        `An entry has ${other ?? 'no Id or MessageBody'}: expected the strings Id and MessageBody; the local stack implements no other field`,
      );
    }
    if (!ENTRY_ID.test(Id)) {
      throw new JsonApiError(
        'InvalidBatchEntryId',
        'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
      );
    }
    bytes += Buffer.byteLength(MessageBody);
    ids.add(Id);
  }
  if (ids.size < entries.length)
    throw new JsonApiError('BatchEntryIdsNotDistinct', 'Two entries have one Id');
  if (bytes > MAX_BATCH_BYTES) {
    throw new JsonApiError(
      'BatchRequestTooLong',
      `Batch requests cannot be longer than ${MAX_BATCH_BYTES} bytes. You have sent ${bytes} bytes.`,
    );
  }
  return entries as Entry[];
}
