/** At-least-once delivery: several crashes, duplicates, lost responses and concurrent attempts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LatestPointer } from '../../../lib/batch/delivery/latest.ts';
import { INPUT_BUCKET, RESULTS_BUCKET } from '../../support/dependencies.ts';
import { propertyRuns } from '../../support/depth.ts';
import { conflict, crashAt, justBefore, loseAnswer, loseAnswerAndRetry } from '../../support/faults.ts';
import { interleave, type Turn } from '../../support/interleave.ts';
import { type CallHooks, MemoryBuckets, type StoreCall } from '../../support/memory-store.ts';
import { CLASHING, EASY } from '../../support/puzzles.ts';
import { outcomeOf, readResultSet } from '../../support/result-set.ts';
import { callsOf, type Delivery, deliver, upload } from '../../support/uploads.ts';

const KEY = 'inbox/two.txt';
const PUZZLES = `${EASY}\n${CLASHING}\n`;
const ATTEMPTS = ['attempt-a', 'attempt-b', 'attempt-c', 'attempt-d'];
/** A process without remaining time: it rejects files that others solve. */
const NO_TIME: Delivery = { dependencies: { remainingMs: () => 0 } };

interface World {
  readonly buckets: MemoryBuckets;
  readonly deliver: (attempt: string, delivery?: Delivery) => ReturnType<typeof deliver>;
}

/** A new upload. */
function world(file: string, options: Record<string, string> = {}): World {
  const buckets = new MemoryBuckets();
  // The time of the deliveries: an attempt that wrote files may still run.
  buckets.now = '2025-03-01T12:00:00.000Z';
  const uploaded = upload(buckets, KEY, file, options);
  return {
    buckets,
    deliver: (attempt, delivery) => deliver(buckets, uploaded, { ...delivery, attempt }),
  };
}

/** The content of the results bucket after one uninterrupted run. */
async function cleanRun(file: string, delivery: Delivery = {}) {
  const { buckets, deliver: run } = world(file);
  await run('attempt-a', delivery);
  return outcomeOf(buckets, ATTEMPTS);
}

async function callsOfCleanRun(file: string, delivery: Delivery = {}): Promise<StoreCall[]> {
  const buckets = new MemoryBuckets();
  return callsOf(buckets, upload(buckets, KEY, file), delivery);
}

/** `test/batch/crashes.slow.test.ts` has one crash at every call. */
describe('crashes at any storage calls, then another delivery', () => {
  it('leave the same if the next deliveries crash too', async () => {
    const clean = await cleanRun(PUZZLES);
    const crash = fc.record({ index: fc.nat(22), when: fc.constantFrom('before', 'after') });
    await fc.assert(
      fc.asyncProperty(crash, crash, crash, async (...crashes) => {
        const { buckets, deliver: run } = world(PUZZLES);
        for (const [k, { index, when }] of crashes.entries()) {
          await run(ATTEMPTS[k]!, { hooks: crashAt(index, when) }).catch(() => {});
        }
        await run('attempt-d');
        expect(outcomeOf(buckets, ATTEMPTS)).toEqual(clean);
      }),
      { numRuns: propertyRuns(10) },
    );
  });
});

/** Attempt A makes `a` calls, then attempt B `b` calls, then A finishes, then B. */
function turns(a: number, b: number): Turn[] {
  return [...Array<Turn>(a).fill(0), ...Array<Turn>(b).fill(1)];
}

/** Numbers of calls after which a switch of processes can matter: not within the reading and writing of a body. */
async function turningPoints(delivery: Delivery = {}): Promise<number[]> {
  const calls = await callsOfCleanRun(PUZZLES, delivery);
  return calls
    .filter(({ operation }) => !['head', 'read', 'write'].includes(operation))
    .map(({ index }) => index + 1);
}

/** Both attempts succeed, the result set is complete, and the bucket has the same content as after one clean run. */
async function expectCleanOutcome(
  order: readonly Turn[],
  clean: Record<string, string>,
  deliveryOfB: Delivery = {},
) {
  const { buckets, deliver: run } = world(PUZZLES);
  const ends = await interleave(order, [
    (hooks) => run('attempt-a', { hooks }),
    (hooks) => run('attempt-b', { ...deliveryOfB, hooks }),
  ]);
  const label = `turns ${order.join('')}`;
  for (const end of ends) {
    if (end.status === 'fulfilled') continue;
    // A reject waits for other attempts that may still commit: its message is delivered again.
    expect(deliveryOfB, label).toBe(NO_TIME);
    expect(String(end.reason), label).toContain('may still run');
    await run('attempt-c', deliveryOfB);
  }
  expect(readResultSet(buckets, KEY).manifest.puzzles.total, label).toBe(2);
  expect(outcomeOf(buckets, ATTEMPTS), label).toEqual(clean);
  return ends.map((end) => (end.status === 'fulfilled' ? end.value.kind : end.reason));
}

describe('two concurrent attempts', () => {
  it('leave one complete result set, however their calls interleave', async () => {
    const clean = await cleanRun(PUZZLES);
    const points = await turningPoints();
    for (const a of [0, ...points]) {
      for (const b of points) {
        const kinds = await expectCleanOutcome(turns(a, b), clean);
        expect(kinds.sort(), `turns ${turns(a, b).join('')}`).toEqual(['completed', 'duplicate']);
      }
    }
  });

  it('leave one complete result set in any order of their calls', async () => {
    const clean = await cleanRun(PUZZLES);
    const order = fc.array(fc.constantFrom<Turn[]>(0, 1), { minLength: 20, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(order, async (anyTurns) => {
        await expectCleanOutcome(anyTurns, clean);
      }),
      { numRuns: propertyRuns(10) },
    );
  });

  it('leave the result if only one of them had enough time, in any order', async () => {
    const clean = await cleanRun(PUZZLES);
    const pointsOfB = await turningPoints(NO_TIME);
    for (const a of [0, ...(await turningPoints())]) {
      for (const b of pointsOfB) await expectCleanOutcome(turns(a, b), clean, NO_TIME);
    }
  });

  it('write no reject if the job is committed before it', async () => {
    const { buckets, deliver: run } = world(PUZZLES);
    const readsInput = ({ operation, bucket }: StoreCall) => operation === 'get' && bucket === INPUT_BUCKET;
    const overtaken = justBefore(readsInput, () => run('attempt-a'));
    const calls: StoreCall[] = [];
    const hooks: CallHooks = {
      async before(call) {
        calls.push(call);
        return overtaken.before!(call);
      },
    };
    const outcome = await run('attempt-b', { ...NO_TIME, hooks });
    expect(outcome.kind).toBe('duplicate');
    const rejects = calls.filter(({ operation, key }) => operation === 'put' && key.startsWith('rejects/'));
    expect(rejects).toEqual([]);
    expect(outcomeOf(buckets, ATTEMPTS)).toEqual(await cleanRun(PUZZLES));
  });

  it('leave the result if the one without time is delivered last', async () => {
    const { buckets, deliver: run } = world(PUZZLES);
    await run('attempt-a');
    const again = await run('attempt-b', NO_TIME);
    expect(again.kind).toBe('duplicate');
    expect(outcomeOf(buckets, ATTEMPTS)).toEqual(await cleanRun(PUZZLES));
  });
});

const isCommit = ({ operation, key }: StoreCall) => operation === 'putIf' && key.endsWith('/manifest.json');
const isPointer = ({ operation, key }: StoreCall) => operation === 'putIf' && key.endsWith('/latest.json');

describe('two versions of one key', () => {
  const versions = () => {
    const buckets = new MemoryBuckets();
    return { buckets, older: upload(buckets, KEY, EASY), newer: upload(buckets, KEY, CLASHING) };
  };

  it('solved concurrently leave the pointer at the newer, in any order of their last calls', async () => {
    const probe = versions();
    const calls = await callsOf(probe.buckets, probe.older);
    // Before the commit the two are independent.
    const committed = calls.findIndex(isCommit);
    for (let a = committed; a <= calls.length; a++) {
      for (let b = committed; b <= calls.length; b++) {
        for (const first of [0, 1] as const) {
          const { buckets, older, newer } = versions();
          const order: Turn[] = [...Array<Turn>(a).fill(first), ...Array<Turn>(b).fill(first === 0 ? 1 : 0)];
          await interleave(order, [
            (hooks) => deliver(buckets, older, { attempt: 'attempt-a', hooks }),
            (hooks) => deliver(buckets, newer, { attempt: 'attempt-b', hooks }),
          ]);
          const pointer = buckets.json<LatestPointer>(RESULTS_BUCKET, `results/${KEY}/latest.json`);
          expect(pointer.input.versionId, order.join('')).toBe(newer.versionId);
        }
      }
    }
  });
});

describe('the response to the commit', () => {
  it('that is lost, with 412 to the retry, does not make the attempt remove its own files', async () => {
    const { buckets, deliver: run } = world(PUZZLES);
    const outcome = await run('attempt-a', { hooks: loseAnswerAndRetry(isCommit) });
    expect(outcome.kind).toBe('completed');
    expect(outcomeOf(buckets, ATTEMPTS)).toEqual(await cleanRun(PUZZLES));
  });

  it('that is lost makes the attempt fail, and the next delivery finds the result', async () => {
    const { buckets, deliver: run } = world(PUZZLES);
    await expect(run('attempt-a', { hooks: loseAnswer(isCommit) })).rejects.toThrow('no answer');
    const again = await run('attempt-b');
    expect(again.kind).toBe('duplicate');
    expect(readResultSet(buckets, KEY).manifest.attempt).toBe('attempt-a');
    expect(outcomeOf(buckets, ATTEMPTS)).toEqual(await cleanRun(PUZZLES));
  });

  it('that is 409 is followed by another try', async () => {
    const { buckets, deliver: run } = world(PUZZLES);
    const outcome = await run('attempt-a', { hooks: conflict(isCommit, 3) });
    expect(outcome.kind).toBe('completed');
    expect(outcomeOf(buckets, ATTEMPTS)).toEqual(await cleanRun(PUZZLES));
  });

  it('that is always 409 makes the attempt fail, and the message is delivered again', async () => {
    const { buckets, deliver: run } = world(PUZZLES);
    const delivery = run('attempt-a', { hooks: conflict(isCommit, Number.POSITIVE_INFINITY) });
    await expect(delivery).rejects.toThrow(/manifest\.json could not be written in 20 attempts/);
    await run('attempt-b');
    expect(outcomeOf(buckets, ATTEMPTS)).toEqual(await cleanRun(PUZZLES));
  });
});

describe('the response to the write of latest.json', () => {
  for (const [name, hooks] of [
    ['lost, with 412 to the retry', loseAnswerAndRetry(isPointer)],
    ['409, twice', conflict(isPointer, 2)],
  ] as const) {
    it(`may be ${name}`, async () => {
      const { buckets, deliver: run } = world(PUZZLES);
      await run('attempt-a', { hooks });
      expect(outcomeOf(buckets, ATTEMPTS)).toEqual(await cleanRun(PUZZLES));
    });
  }
});
