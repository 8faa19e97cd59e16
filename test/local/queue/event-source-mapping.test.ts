import type { SQSEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import type { InvocationResult } from '../../../lib/local/functions/invocation-result.ts';
import { EventSourceMapping, failedMessages } from '../../../lib/local/queue/event-source-mapping.ts';
import { testQueue } from '../test-queue.ts';

const FACTS = { requestId: 'r' };

function answered(payload: unknown): InvocationResult {
  return { ok: true, payload, ...FACTS };
}

const oneReceiveQueue = () => testQueue({ visibilityTimeoutMs: 1, maxReceives: 1 }).queue;

const CRASHED: InvocationResult = {
  ok: false,
  error: { errorType: 'Runtime.ExitError', errorMessage: 'Error: Runtime exited with error: exit status 1' },
  ...FACTS,
};

/** A queue and its mapping; invocations stay open until the test answers them. */
function testMapping(
  options: { batchSize?: number; maxConcurrency?: number; maxReceives?: number; skips?: boolean } = {},
) {
  const { batchSize = 10, maxConcurrency = 1, maxReceives = 3, skips = false } = options;
  const { queue, dead, clock } = testQueue({ visibilityTimeoutMs: 60_000, maxReceives });
  const open: {
    bodies: string[];
    ids: string[];
    receiptHandles: string[];
    answer: (result: InvocationResult) => Promise<void>;
  }[] = [];
  const mapping = new EventSourceMapping({
    queue,
    batchSize,
    maxConcurrency,
    fastRetries: skips,
    invoke: (event: SQSEvent) =>
      new Promise((resolve) => {
        open.push({
          bodies: event.Records.map((record) => record.body),
          ids: event.Records.map((record) => record.messageId),
          receiptHandles: event.Records.map((record) => record.receiptHandle),
          answer: async (result) => {
            resolve(result);
            await new Promise(setImmediate);
          },
        });
      }),
  });
  return { queue, dead, clock, open, mapping };
}

test('a message sent before the mapping starts is delivered', () => {
  const queue = oneReceiveQueue();
  queue.send('early');
  const seen: string[] = [];
  new EventSourceMapping({
    queue,
    batchSize: 1,
    maxConcurrency: 1,
    invoke: async (event) => {
      seen.push(event.Records[0].body);
      return answered(null);
    },
  });
  expect(seen).toEqual(['early']);
});

test('messages sent while all invocations are busy are delivered together, up to the batch size', async () => {
  const { queue, open } = testMapping({ batchSize: 2 });
  for (const body of ['a', 'b', 'c', 'd']) queue.send(body);
  await open[0].answer(answered(null));
  await open[1].answer(answered(null));
  await open[2].answer(answered(null));
  expect(open.map((batch) => batch.bodies)).toEqual([['a'], ['b', 'c'], ['d']]);
  expect(queue.size).toBe(0);
});

test('at most as many batches run as the concurrency allows', async () => {
  const { queue, open } = testMapping({ batchSize: 1, maxConcurrency: 2 });
  for (const body of ['a', 'b', 'c']) queue.send(body);
  expect(open.length).toBe(2);
  await open[1].answer(answered(null));
  expect(open.length).toBe(3);
});

test('only the messages that the response names are redelivered, when their visibility timeout ends', async () => {
  const { queue, clock, open } = testMapping();
  queue.send('first, alone');
  for (const body of ['good', 'bad', 'fine']) queue.send(body);
  await open[0].answer(answered({ batchItemFailures: [] }));
  await open[1].answer(answered({ batchItemFailures: [{ itemIdentifier: open[1].ids[1] }] }));
  expect(queue.size).toBe(1);
  clock.advance(59_999);
  expect(open.length).toBe(2);
  clock.advance(1);
  expect(open[2].bodies).toEqual(['bad']);
});

test('a failed message is redelivered at the end of a visibility timeout that the function changed', async () => {
  const { queue, clock, open } = testMapping();
  queue.send('bad');
  queue.changeVisibility(open[0].receiptHandles[0], 8_000);
  await open[0].answer(answered({ batchItemFailures: [{ itemIdentifier: open[0].ids[0] }] }));
  clock.advance(7_999);
  expect(open.length).toBe(1);
  clock.advance(1);
  expect(open[1].bodies).toEqual(['bad']);
});

test('a batch whose invocation failed is redelivered, and becomes a dead letter after its last delivery', async () => {
  const { queue, dead, clock, open } = testMapping({ maxReceives: 2 });
  queue.send('poison');
  for (let delivery = 0; delivery < 2; delivery++) {
    await open[delivery].answer(CRASHED);
    clock.advance(60_000);
  }
  expect(open.length).toBe(2);
  expect(dead.messages).toMatchObject([{ body: 'poison', receives: 2 }]);
  await queue.idle();
});

test('a message is delivered twice if its invocation takes longer than its visibility timeout', async () => {
  const { queue, clock, open } = testMapping({ maxConcurrency: 2 });
  queue.send('slow');
  clock.advance(60_000);
  expect(open.map((batch) => batch.bodies)).toEqual([['slow'], ['slow']]);
  await open[1].answer(answered(null));
  await open[0].answer(answered(null));
  expect(queue.size).toBe(0);
});

describe('a wait that is skipped', () => {
  test('ends when no invocation runs', async () => {
    const { queue, open } = testMapping({ batchSize: 1, maxConcurrency: 2, skips: true });
    queue.send('bad');
    queue.send('slow');
    await open[0].answer(CRASHED);
    expect(open).toHaveLength(2);
    await open[1].answer(answered(null));
    expect(open[2].bodies).toEqual(['bad']);
  });

  test('is followed by another skipped wait after a dead letter', async () => {
    const { queue, dead, open } = testMapping({ maxReceives: 1, maxConcurrency: 2, skips: true });
    for (const body of ['first', 'second']) queue.send(body);
    await Promise.all([open[0].answer(CRASHED), open[1].answer(CRASHED)]);
    expect(dead.messages.map(({ body }) => body)).toEqual(['first', 'second']);
    await queue.idle();
  });

  test('does not occur in a stopped mapping', async () => {
    const { queue, dead, open, mapping } = testMapping({ maxReceives: 1, skips: true });
    queue.send('a');
    const stopped = mapping.stop();
    await open[0].answer(CRASHED);
    await stopped;
    expect([queue.size, dead.messages]).toEqual([1, []]);
  });
});

describe('stop', () => {
  test('waits for running invocations, and receives no more messages', async () => {
    const { queue, open, mapping } = testMapping({ batchSize: 1 });
    queue.send('a');
    queue.send('b');
    const stopped = mapping.stop();
    await open[0].answer(answered(null));
    await stopped;
    expect(open.length).toBe(1);
    expect(queue.size).toBe(1);
  });

  test('does not count an interrupted delivery as failed', async () => {
    const { queue, dead, clock, open, mapping } = testMapping({ maxReceives: 1 });
    queue.send('a');
    const stopped = mapping.stop();
    await open[0].answer(CRASHED);
    await stopped;
    queue.close();
    clock.advance(60_000);
    expect(dead.messages).toEqual([]);
    expect(queue.size).toBe(1);
  });

  test('happens if the invoker throws, and its error is reported; the message stays', async () => {
    const queue = oneReceiveQueue();
    const invoke = () => Promise.reject(new Error('no process can be started'));
    const mapping = new EventSourceMapping({ queue, invoke, batchSize: 1, maxConcurrency: 1 });
    queue.send('a');
    await expect(mapping.failure).rejects.toThrow('no process can be started');
    queue.send('b');
    await mapping.stop();
    expect(queue.receive(10).map((record) => record.body)).toEqual(['b']);
    expect(queue.size).toBe(2);
  });
});

/** Others are recorded from AWS: `test/conformance/recorded/services.test.ts`. */
test.each<[string, InvocationResult, 'none' | 'all' | 'b']>([
  ['names no failures', answered({ batchItemFailures: [] }), 'none'],
  ['has null for failures', answered({ batchItemFailures: null }), 'none'],
  ['is null', answered(null), 'none'],
  [
    'names one twice',
    answered({ batchItemFailures: [{ itemIdentifier: 'b' }, { itemIdentifier: 'b' }] }),
    'b',
  ],
  ['names an empty id', answered({ batchItemFailures: [{ itemIdentifier: '' }] }), 'all'],
  ['names null', answered({ batchItemFailures: [{ itemIdentifier: null }] }), 'all'],
  [
    'names a message of another batch',
    answered({ batchItemFailures: [{ itemIdentifier: 'b' }, { itemIdentifier: 'x' }] }),
    'all',
  ],
  ['has no list', answered({ batchItemFailures: 'b' }), 'all'],
  ['is something else', answered('done'), 'all'],
])('failed messages follow the rules of Lambda if the response %s', (_name, result, expected) => {
  const { queue } = testMapping();
  queue.send('fixture');
  const records = ['a', 'b', 'c'].map((messageId) => ({ messageId }) as SQSEvent['Records'][number]);
  const ids = { none: [], all: ['a', 'b', 'c'], b: ['b'] }[expected];
  expect([...failedMessages(records, result)]).toEqual(ids);
});
