/** A queue in this process. Its API, and what becomes of messages: `test/conformance/services.txt`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { EventSourceMapping } from '../../../lib/local/queue/event-source-mapping.ts';
import type { LocalQueue } from '../../../lib/local/queue/queue.ts';
import { heapGrowth } from '../../support/heap.ts';
import { temporaryFolder } from '../fixture-function.ts';
import { testQueue } from '../test-queue.ts';

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
});

test('a function that cannot be started stops the mapping, which reports the error, and keeps the messages', async () => {
  const { queue } = testQueue();
  const invoke = () => Promise.reject(new Error('no process can be started'));
  const mapping = new EventSourceMapping({ queue, invoke, batchSize: 1, maxConcurrency: 1 });
  queue.send('a');
  await expect(mapping.work.failure).rejects.toThrow('no process can be started');
  queue.send('b');
  await mapping.stop();
  expect(queue.messages.map(({ body }) => body)).toEqual(['b', 'a']);
});

test('messages of a function that cannot be started now are delivered again soon', async () => {
  const { queue, dead, clock } = testQueue({ visibilityTimeoutMs: 5_400_000 });
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => written.mockRestore());
  let tries = 0;
  const mapping = new EventSourceMapping({
    queue,
    batchSize: 10,
    maxConcurrency: 1,
    invoke: async () => {
      if (++tries === 1)
        throw Object.assign(new Error('spawn node EMFILE'), { code: 'EMFILE', syscall: 'spawn' });
      return { ok: true, payload: null, requestId: 'r' };
    },
  });
  queue.send('a');
  queue.send('b');
  await new Promise(setImmediate);
  clock.advance(5_000);
  await queue.idle();
  expect([tries, dead.messages]).toEqual([3, []]);
  expect(written.mock.calls).toEqual([['local queue: spawn node EMFILE\n']]);
  await mapping.stop();
});
