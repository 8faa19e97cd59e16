/** The queue's HTTP API, through the real SDK. Answers recorded from AWS: `test/conformance/recorded/services.test.ts`. */
import { SQS } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deadLetters, receivedMessages, sqsQueue } from '../../../lib/aws/sqs-queue.ts';
import { queueService } from '../../../lib/local/queue/queue-service.ts';
import { LOCAL_STACK } from '../../../lib/local/stack-names.ts';
import { CREDENTIALS, REGION } from '../../support/embedded-s3.ts';
import { type JsonEndpoint, startJsonEndpoint } from '../../support/json-endpoint.ts';
import { testQueue } from '../test-queue.ts';

const { queue, dead, clock } = testQueue({
  visibilityTimeoutMs: 5_400_000,
  maxReceives: 100,
  atEnd: afterAll,
});
let endpoint: JsonEndpoint;
let queueUrl: string;
let sqs: SQS;

beforeAll(async () => {
  const queues = { '/000000000000/jobs': queue, [LOCAL_STACK.deadLetterPath]: dead };
  endpoint = await startJsonEndpoint([queueService(queues)], { ...CREDENTIALS, region: REGION });
  queueUrl = `${endpoint.url}/000000000000/jobs`;
  sqs = new SQS({ endpoint: endpoint.url, region: REGION, credentials: CREDENTIALS, maxAttempts: 1 });
});
afterAll(async () => {
  sqs.destroy();
  await endpoint.close();
});

/** Receives and deletes the visible messages, and returns their bodies. */
const receiveAll = () =>
  queue.receive(100).map(({ receiptHandle, body }) => {
    queue.delete(receiptHandle);
    return body;
  });

/** The receipt handle of a message with this body that is in flight. */
const inFlight = (body = 'other') => {
  receiveAll();
  queue.send(body);
  return queue.receive(1)[0].receiptHandle;
};

const ENTRY = { Id: '0', MessageBody: 'x' };

describe('the local queue', () => {
  it('accepts a batch of messages with any content', async () => {
    const bodies = ['{"key":"ä 中"}', 'second'];
    expect(await sqsQueue(queueUrl, sqs).send(bodies)).toEqual([]);
    expect(receiveAll()).toEqual(bodies);
  });

  it('accepts messages under another host name', async () => {
    const localhost = queueUrl.replace('127.0.0.1', 'localhost');
    expect(await sqsQueue(localhost, sqs).send(['third'])).toEqual([]);
    expect(receiveAll()).toEqual(['third']);
  });

  it('receives no request for an empty list', async () => {
    expect(await sqsQueue('http://127.0.0.1:1/none', sqs).send([])).toEqual([]);
  });

  it.each([
    ['no entries', { Entries: [] }, 'ValidationException'],
    ['a delay', { Entries: [{ ...ENTRY, DelaySeconds: 5 }] }, 'ValidationException'],
  ])('rejects %s', async (_, given, name) => {
    await expect(sqs.sendMessageBatch({ QueueUrl: queueUrl, ...given })).rejects.toMatchObject({ name });
    expect(receiveAll()).toEqual([]);
  });

  it('rejects unsupported operations', async () => {
    await expect(sqs.purgeQueue({ QueueUrl: queueUrl })).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
  });
});

describe('a message in flight', () => {
  it.each([1, 8, 43_200])('is hidden for %i seconds from now on', async (seconds) => {
    await receivedMessages(queueUrl, sqs).hideFor(inFlight('hidden'), seconds);
    clock.advance(seconds * 1000 - 1);
    expect(receiveAll()).not.toContain('hidden');
    clock.advance(1);
    expect(receiveAll()).toContain('hidden');
  });

  it('returns at once after 0 seconds', async () => {
    await receivedMessages(queueUrl, sqs).hideFor(inFlight('at once'), 0);
    clock.advance(0);
    expect(receiveAll()).toContain('at once');
  });

  it.each([-1, 43_201, 1.5])('is not hidden for %d seconds', async (seconds) => {
    await expect(receivedMessages(queueUrl, sqs).hideFor(inFlight(), seconds)).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringContaining('VisibilityTimeout'),
    });
  });

  it('is not hidden for more than twelve hours after it was received', async () => {
    const receiptHandle = inFlight();
    clock.advance(1000);
    await expect(receivedMessages(queueUrl, sqs).hideFor(receiptHandle, 43_200)).rejects.toMatchObject({
      name: 'InvalidParameterValue',
      message: expect.stringContaining('more than 43200 seconds'),
    });
  });

  it('gives an error after it was received again or deleted, or for an invalid handle', async () => {
    const returned = inFlight();
    clock.advance(5_400_000);
    queue.receive(100);
    await expect(receivedMessages(queueUrl, sqs).hideFor(returned, 5)).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
    const deleted = inFlight();
    queue.delete(deleted);
    await expect(receivedMessages(queueUrl, sqs).hideFor(deleted, 5)).rejects.toMatchObject({
      name: 'InvalidParameterValue',
      message: expect.stringContaining('does not exist'),
    });
    await expect(receivedMessages(queueUrl, sqs).hideFor('receipt-1', 5)).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
    const another = `${endpoint.url}/000000000000/another`;
    await expect(receivedMessages(another, sqs).hideFor(inFlight(), 5)).rejects.toMatchObject({
      name: 'QueueDoesNotExist',
    });
  });
});

describe('a queue that rejects some messages of a batch', () => {
  it('returns their indexes', async () => {
    const refusing = {
      sendMessageBatch: async () => ({ Failed: [{ Id: '1' }, { Id: '4' }] }),
    } as unknown as SQS;
    expect(await sqsQueue(queueUrl, refusing).send(['a', 'b', 'c', 'd', 'e'])).toEqual([1, 4]);
  });
});

describe('dead letters', () => {
  const letters = (from = dead.arn, to = queue.arn) => deadLetters(from, to, sqs);

  it('move back to their queue, where they are received as often as before', async () => {
    const messageId = dead.send('dead');
    dead.send('gone');
    const [{ receiptHandle } = { receiptHandle: '' }] = dead.receive(1);
    clock.advance(5_400_000);
    await letters().moveBack();
    expect(dead.size).toBe(0);
    expect(dead.delete(receiptHandle)).toBe(false);
    const moved = queue.messages.filter(({ body }) => body === 'dead' || body === 'gone');
    expect(moved).toMatchObject([{ receives: 0 }, { receives: 0 }]);
    expect(moved.map((message) => message.messageId)).not.toContain(messageId);
    const { size } = queue;
    await letters().moveBack();
    expect(queue.size).toBe(size);
  });

  it('move once if they are moving already', async () => {
    const message =
      'There is already a task running. Only one active task is allowed for a source queue arn at a given time.';
    const answers = [new Error(message), new Error('denied')];
    const busy = {
      startMessageMoveTask: async () => {
        throw answers.shift()!;
      },
    } as unknown as SQS;
    await deadLetters(dead.arn, queue.arn, busy).moveBack();
    await expect(deadLetters(dead.arn, queue.arn, busy).moveBack()).rejects.toThrow('denied');
  });

  it.each([
    ['SourceArn', 'arn:aws:sqs:eu-west-1:1:none', undefined],
    ['DestinationArn', undefined, 'arn:aws:sqs:eu-west-1:1:none'],
  ])('do not move if there is no queue with the %s', async (_name, from, to) => {
    await expect(letters(from, to).moveBack()).rejects.toMatchObject({
      name: 'QueueDoesNotExist',
      message: expect.stringContaining('arn:aws:sqs:eu-west-1:1:none'),
    });
  });
});
