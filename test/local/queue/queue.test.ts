import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LocalQueue, MAX_HIDDEN_MS } from '../../../lib/local/queue/queue.ts';
import { heapGrowth } from '../../support/heap.ts';
import { temporaryFolder } from '../fixture-function.ts';
import { testQueue } from '../test-queue.ts';

describe('a message', () => {
  test('is received in the form in which Lambda gets it from SQS', () => {
    const { queue, clock } = testQueue();
    const sentMs = clock.nowEpochMs();
    const messageId = queue.send('hello');
    clock.advance(50);
    expect(queue.receive(10)).toEqual([
      {
        messageId,
        receiptHandle: expect.stringMatching(/^[0-9a-f-]{36}$/),
        body: 'hello',
        attributes: {
          ApproximateReceiveCount: '1',
          SentTimestamp: String(sentMs),
          SenderId: '000000000000',
          ApproximateFirstReceiveTimestamp: String(sentMs + 50),
        },
        messageAttributes: {},
        md5OfBody: '5d41402abc4b2a76b9719d911017c592',
        eventSource: 'aws:sqs',
        eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:jobs',
        awsRegion: 'us-east-1',
      },
    ]);
  });

  test('is hidden until its visibility timeout ends, and then delivered again with its receive count', () => {
    const { queue, clock } = testQueue();
    queue.send('a');
    const first = queue.receive(10)[0];
    clock.advance(999);
    expect(queue.receive(10)).toEqual([]);
    clock.advance(1);
    const second = queue.receive(10)[0];
    expect(second.messageId).toBe(first.messageId);
    expect(second.attributes.ApproximateReceiveCount).toBe('2');
    expect(second.attributes.ApproximateFirstReceiveTimestamp).toBe(
      first.attributes.ApproximateFirstReceiveTimestamp,
    );
  });

  test('can be deleted only with the handle of its last delivery', () => {
    const { queue, clock, bodies } = testQueue();
    queue.send('a');
    const stale = queue.receive(1)[0].receiptHandle;
    clock.advance(1000);
    const current = queue.receive(1)[0].receiptHandle;
    expect(queue.delete(stale)).toBe(false);
    expect(queue.delete(current)).toBe(true);
    expect(queue.delete(current)).toBe(false);
    clock.advance(10_000);
    expect(bodies()).toEqual([]);
  });

  test('becomes visible at the end of a changed visibility timeout, not of the original one', () => {
    const { queue, clock, bodies } = testQueue();
    queue.send('a');
    queue.changeVisibility(queue.receive(1)[0].receiptHandle, 5);
    clock.advance(5);
    const { receiptHandle } = queue.receive(1)[0];
    queue.changeVisibility(receiptHandle, 5000);
    clock.advance(1000);
    expect(bodies()).toEqual([]);
    clock.advance(4000);
    expect(bodies()).toEqual(['a']);
  });

  test('whose visibility cannot be changed stays hidden, and the reason is returned', () => {
    const { queue, clock, bodies } = testQueue();
    queue.send('a');
    const { receiptHandle } = queue.receive(1)[0];
    clock.advance(500);
    // Twelve hours are counted from the receive.
    expect(queue.changeVisibility(receiptHandle, MAX_HIDDEN_MS - 499)).toBe(false);
    clock.advance(500);
    // Visible again, and not received since.
    expect(queue.changeVisibility(receiptHandle, 5)).toBe(true);
    expect(bodies()).toEqual([]);
    clock.advance(5);
    expect(bodies()).toEqual(['a']);
    expect(queue.changeVisibility(receiptHandle, 5)).toBe(false);
    clock.advance(999);
    expect(bodies()).toEqual([]);
    clock.advance(1);
    expect(bodies()).toEqual(['a']);
  });

  test('may stay hidden for twelve hours after its receive', () => {
    const { queue, clock, bodies } = testQueue();
    queue.send('a');
    const { receiptHandle } = queue.receive(1)[0];
    clock.advance(500);
    expect(queue.changeVisibility(receiptHandle, MAX_HIDDEN_MS - 500)).toBe(true);
    clock.advance(MAX_HIDDEN_MS - 501);
    expect(bodies()).toEqual([]);
    clock.advance(1);
    expect(bodies()).toEqual(['a']);
  });

  test('is a dead letter after its last delivery, and is not delivered again', () => {
    const { queue, dead, clock, bodies } = testQueue();
    const messageId = queue.send('a');
    for (let receive = 1; receive <= 3; receive++) {
      expect(bodies()).toEqual(['a']);
      expect(dead.messages).toEqual([]);
      clock.advance(1000);
    }
    expect(bodies()).toEqual([]);
    expect(dead.messages).toMatchObject([{ messageId, body: 'a', receives: 3 }]);
    expect(queue.size).toBe(0);
  });
});

test('messages are received in the order of sending, up to the requested number', () => {
  const { queue, bodies } = testQueue();
  for (const body of ['a', 'b', 'c']) queue.send(body);
  expect(bodies(2)).toEqual(['a', 'b']);
  expect(bodies(2)).toEqual(['c']);
});

describe('idle', () => {
  /** Whether a promise is settled after all pending callbacks have run. */
  async function isSettled(promise: Promise<void>): Promise<boolean> {
    let settled = false;
    promise.then(() => {
      settled = true;
    });
    await new Promise(setImmediate);
    return settled;
  }

  test('resolves at once if there is no message', async () => {
    expect(await isSettled(testQueue().queue.idle())).toBe(true);
  });

  test('waits for visible and hidden messages, and not for dead letters', async () => {
    const { queue, dead, clock } = testQueue({ maxReceives: 2 });
    queue.send('a');
    const idle = queue.idle();
    expect(await isSettled(idle)).toBe(false);
    queue.changeVisibility(queue.receive(1)[0].receiptHandle, 10);
    expect(await isSettled(idle)).toBe(false);
    clock.advance(10);
    queue.receive(1);
    expect(await isSettled(idle)).toBe(false);
    clock.advance(1000);
    expect(await isSettled(idle)).toBe(true);
    expect(dead.size).toBe(1);
  });
});

describe('a journal', () => {
  test('restores undeleted messages in their order and as new, and the dead letters', () => {
    const folder = join(temporaryFolder(), 'made');
    const before = testQueue({ folder, maxReceives: 1 });
    for (const body of ['dead', 'deleted', 'hidden', 'visible ü']) before.queue.send(body);
    before.queue.receive(1);
    before.clock.advance(1000);
    before.queue.delete(before.queue.receive(1)[0].receiptHandle);
    const hidden = before.queue.receive(1)[0];
    // As after a crash: neither queue is closed.
    for (let start = 1; start <= 2; start++) {
      const { queue, dead } = testQueue({ folder });
      const records = queue.receive(10);
      expect(records.map((record) => record.body)).toEqual(['hidden', 'visible ü']);
      expect(records[0].messageId).toBe(hidden.messageId);
      expect(records[0].attributes.ApproximateReceiveCount).toBe('1');
      expect(records[0].attributes.SentTimestamp).toBe(hidden.attributes.SentTimestamp);
      expect(dead.messages).toMatchObject([{ body: 'dead', receives: 1 }]);
    }
    const { dead } = testQueue({ folder });
    dead.delete(dead.receive(1)[0]!.receiptHandle);
    expect(testQueue({ folder }).dead.size).toBe(0);
  });

  test('of an older program has keys that are not the ids, and its dead letters are tried again', () => {
    const folder = temporaryFolder();
    const send = (key: string) => ({ op: 'send', key, messageId: `id of ${key}`, body: key, sentEpochMs: 1 });
    const entries = [send('a'), send('b'), { op: 'delete', key: 'a' }, { op: 'dead', key: 'b', receives: 5 }];
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
    writeFileSync(join(folder, 'queue.jsonl'), lines.join(''));
    const [record] = testQueue({ folder }).queue.receive(10);
    expect(record).toMatchObject({ body: 'b', messageId: 'id of b' });
    expect(record!.attributes.ApproximateReceiveCount).toBe('1');
  });

  test('truncated at any byte restores the messages before the cut, and accepts new ones', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'queue.jsonl');
    const { queue } = testQueue({ folder });
    for (const body of ['one', 'two', 'three']) queue.send(body);
    queue.delete(queue.receive(1)[0].receiptHandle);
    queue.close();
    const whole = readFileSync(path);
    const bodiesIn = (read: LocalQueue) => read.messages.map(({ body }) => body);
    fc.assert(
      fc.property(fc.nat(whole.length), (length) => {
        writeFileSync(path, whole.subarray(0, length));
        const lines = whole.subarray(0, length).filter((byte) => byte === 10).length;
        const expected = ['one', 'two', 'three'].slice(lines === 4 ? 1 : 0, lines);
        const cut = testQueue({ folder }).queue;
        expect(bodiesIn(cut)).toEqual(expected);
        cut.send('more');
        cut.close();
        const again = testQueue({ folder }).queue;
        expect(bodiesIn(again)).toEqual([...expected, 'more']);
        again.close();
      }),
    );
  });

  test('has the messages that wait, so that each takes only some bytes of memory', () => {
    const { queue } = testQueue();
    const count = 5_000;
    const bodyOf = (k: number) => `${k} ${'ü'.repeat(k % 3000)}`;
    queue.send('first');
    const bytes = heapGrowth(() => {
      for (let k = 0; k < count; k++) queue.send(bodyOf(k));
    });
    expect(bytes / count).toBeLessThan(40);
    const bodies = Array.from({ length: count }, (_, k) => bodyOf(k));
    expect(queue.messages.map(({ body }) => body)).toEqual(['first', ...bodies]);
    expect(queue.receive(6_000).map(({ body }) => body)).toEqual(['first', ...bodies]);
  });

  test('of which most lines no longer matter is rewritten at the next start', () => {
    const folder = temporaryFolder();
    const { queue } = testQueue({ folder });
    for (let k = 0; k < 600; k++) queue.send(String(k));
    for (const { receiptHandle, body } of queue.receive(600)) if (body !== '7') queue.delete(receiptHandle);
    queue.close();
    const again = testQueue({ folder }).queue;
    again.send('next');
    expect(again.messages.map(({ body }) => body)).toEqual(['7', 'next']);
    expect(readFileSync(join(folder, 'queue.jsonl'), 'utf8').split('\n')).toHaveLength(3);
  });

  test('that is malformed is rejected with file and line', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'queue.jsonl');
    appendFileSync(path, '{"op":"delete","key":"a"}\n003020600\nwhatever\n');
    expect(() => testQueue({ folder })).toThrow(
      `${path}, line 2: expected an entry of the queue journal, found 003020600`,
    );
  });
});
