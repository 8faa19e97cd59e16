/** A disk that is full for a while loses no message and no execution, and stops no part of the stack. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { JournalFile } from '../../lib/local/journal-file.ts';
import { EventSourceMapping } from '../../lib/local/queue/event-source-mapping.ts';
import type { JournalEntry } from '../../lib/local/states/executions.ts';
import { testQueue } from './test-queue.ts';
import { ARN, FACTS, FullDisk, twoTasks } from './two-tasks.ts';

const settled = () => new Promise(setImmediate);

test('a queue whose journal cannot be written deletes messages, and continues with the next ones', async () => {
  const disk = new FullDisk();
  const { append } = JournalFile.prototype;
  vi.spyOn(JournalFile.prototype, 'append').mockImplementation(function (this: JournalFile<object>, entry) {
    disk.append(entry);
    return append.call(this, entry);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const faults: unknown[] = [];
  const { queue, dead, clock } = testQueue({ maxReceives: 1, onFault: (error) => faults.push(error) });
  const bodies: string[] = [];
  const mapping = new EventSourceMapping({
    queue,
    batchSize: 1,
    maxConcurrency: 1,
    invoke: async ({ Records: [message] }) => {
      bodies.push(message!.body);
      return message!.body === 'bad'
        ? { ok: false, error: { errorType: 'E', errorMessage: 'bad' }, ...FACTS }
        : { ok: true, payload: null, ...FACTS };
    },
  });
  for (const body of ['a', 'bad', 'b']) queue.send(body);
  disk.isFull = true;
  await settled();
  // The uploader gets the error, so nothing is lost.
  expect(() => queue.send('c')).toThrow('ENOSPC');
  clock.advance(1000);
  await settled();
  expect(bodies).toEqual(['a', 'bad', 'b']);
  expect(dead.messages).toEqual([]);
  expect(faults).toHaveLength(3);
  disk.isFull = false;
  clock.advance(1000);
  expect(dead.messages.map(({ body }) => body)).toEqual(['bad']);
  queue.send('d');
  await settled();
  expect(bodies).toEqual(['a', 'bad', 'b', 'd']);
  await mapping.stop();
});

test.each([
  ['from the beginning', 0, 2],
  ['after its first task', 1, 3],
  ['after its last task', 2, 3],
])('an execution whose disk is full %s waits for space, and continues', async (_name, fullAtCall, calls) => {
  const disk = new FullDisk();
  const { executions, clock, faults, ...run } = twoTasks(disk, (call) => {
    if (call === fullAtCall) disk.isFull = true;
  });
  const { arn } = executions.start(ARN, 'n', '{}');
  if (fullAtCall === 0) disk.isFull = true;
  await settled();
  clock.advance(5_000);
  await settled();
  expect(faults.length).toBeGreaterThan(1);
  expect(executions.describe(arn).outcome).toBeUndefined();
  disk.isFull = false;
  clock.advance(5_000);
  await executions.idle();
  expect(executions.describe(arn).outcome).toMatchObject({ status: 'SUCCEEDED' });
  // Tasks whose ends were not stored run again, as after a restart.
  expect(run.calls()).toBeGreaterThanOrEqual(calls);
  const ops = (disk.entries as JournalEntry[]).map(({ op }) => op);
  expect([ops[0], ops.at(-1)]).toEqual(['start', 'stop']);
  expect(ops.filter((op) => op === 'stop')).toHaveLength(1);
});

test('an execution that times out on a full disk ends when there is space', async () => {
  const disk = new FullDisk();
  const { executions, clock, faults } = twoTasks(disk, () => new Promise(() => {}));
  const { arn } = executions.start(ARN, 'n', '{}');
  await settled();
  disk.isFull = true;
  clock.advance(60_000);
  await settled();
  expect([faults.length, executions.describe(arn).outcome]).toEqual([1, undefined]);
  disk.isFull = false;
  clock.advance(5_000);
  await settled();
  // Its time is over already.
  clock.advance(0);
  await executions.idle();
  expect(executions.describe(arn).outcome).toMatchObject({ status: 'TIMED_OUT' });
});

test('an execution that waits for space ends with the stack, and the next start continues it', async () => {
  const disk = new FullDisk();
  const { executions } = twoTasks(disk);
  const { arn } = executions.start(ARN, 'n', '{}');
  disk.isFull = true;
  await settled();
  await executions.close();
  expect(executions.describe(arn).outcome).toBeUndefined();
  disk.isFull = false;
  const next = twoTasks(disk).executions;
  await next.idle();
  expect(next.describe(arn).outcome).toMatchObject({ status: 'SUCCEEDED' });
});

test('messages of a function that cannot be started now are delivered again soon', async () => {
  const { queue, dead, clock } = testQueue({ visibilityTimeoutMs: 5_400_000 });
  const faults: unknown[] = [];
  let tries = 0;
  const mapping = new EventSourceMapping({
    queue,
    batchSize: 10,
    maxConcurrency: 1,
    onFault: (error) => faults.push(error),
    invoke: async () => {
      if (++tries === 1)
        throw Object.assign(new Error('spawn node EMFILE'), { code: 'EMFILE', syscall: 'spawn' });
      return { ok: true, payload: null, ...FACTS };
    },
  });
  queue.send('a');
  queue.send('b');
  await settled();
  clock.advance(5_000);
  await queue.idle();
  expect([tries, faults.length, dead.messages]).toEqual([3, 1, []]);
  await mapping.stop();
});
