/** The queue's HTTP face, through the real SDK. */
import { SQS } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqsQueue } from '../../../lib/aws/sqs-queue.ts';
import { type JsonEndpoint, startJsonEndpoint } from '../../../lib/local/json-endpoint.ts';
import { queueService } from '../../../lib/local/queue/queue-service.ts';
import { CREDENTIALS, REGION } from '../../support/embedded-s3.ts';

const sent: string[] = [];
let endpoint: JsonEndpoint;
let queueUrl: string;
let sqs: SQS;

beforeAll(async () => {
  const queue = { send: (body: string) => `id-${sent.push(body)}` };
  const services = { target: 'AmazonSQS.', operations: {} };
  endpoint = await startJsonEndpoint([services], CREDENTIALS);
  queueUrl = `${endpoint.url}/000000000000/jobs`;
  Object.assign(services, queueService(queue, queueUrl));
  sqs = new SQS({ endpoint: endpoint.url, region: REGION, credentials: CREDENTIALS, maxAttempts: 1 });
});
afterAll(async () => {
  sqs.destroy();
  await endpoint.close();
});

const entries = (count: number, body = 'x') =>
  Array.from({ length: count }, (_, index) => ({ Id: String(index), MessageBody: body }));

describe('the queue on this machine', () => {
  it('takes a batch of messages, whatever they hold', async () => {
    const bodies = ['{"key":"ä 中"}', 'second'];
    expect(await sqsQueue(queueUrl, sqs).send(bodies)).toEqual([]);
    expect(sent).toEqual(bodies);
  });

  it('is sent nothing where there is nothing to send', async () => {
    expect(await sqsQueue('http://127.0.0.1:1/none', sqs).send([])).toEqual([]);
  });

  it.each([
    ['no entries', { Entries: [] }, 'EmptyBatchRequest'],
    ['eleven entries', { Entries: entries(11) }, 'TooManyEntriesInBatchRequest'],
    ['two entries of one name', { Entries: [...entries(1), ...entries(1)] }, 'BatchEntryIdsNotDistinct'],
    ['more than fits', { Entries: entries(2, 'x'.repeat(530_000)) }, 'BatchRequestTooLong'],
    ['a delay', { Entries: [{ Id: '0', MessageBody: 'x', DelaySeconds: 5 }] }, 'ValidationException'],
  ])('refuses %s', async (_, given, name) => {
    const before = sent.length;
    await expect(sqs.sendMessageBatch({ QueueUrl: queueUrl, ...given })).rejects.toMatchObject({ name });
    expect(sent).toHaveLength(before);
  });

  it('refuses another queue, and other operations', async () => {
    const another = `${endpoint.url}/000000000000/another`;
    await expect(sqs.sendMessageBatch({ QueueUrl: another, Entries: entries(1) })).rejects.toMatchObject({
      name: 'QueueDoesNotExist',
    });
    await expect(sqs.receiveMessage({ QueueUrl: queueUrl })).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
  });
});

describe('a queue that refuses some of a batch', () => {
  it('says which', async () => {
    const refusing = {
      sendMessageBatch: async () => ({ Failed: [{ Id: '1' }, { Id: '4' }] }),
    } as unknown as SQS;
    expect(await sqsQueue(queueUrl, refusing).send(['a', 'b', 'c', 'd', 'e'])).toEqual([1, 4]);
  });
});
