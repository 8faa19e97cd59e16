/** Whatever step of a large job is cut off, tried again, run twice or out of time: the bytes are the same. */
import { describe, expect, it } from 'vitest';
import { crashAt, recording } from '../../support/faults.ts';
import { type LargeRun, largeJob, runLarge } from '../../support/large-job.ts';
import { FakeClock } from '../../support/machinery.ts';
import { MemoryBuckets, type StoreCall } from '../../support/memory-store.ts';
import { EASY, HARD, TWO_SOLUTIONS } from '../../support/puzzles.ts';
import { readResultSet, statsOf } from '../../support/result-set.ts';
import { deliver, upload } from '../../support/uploads.ts';

const KEY = 'inbox/puzzles.txt';
const TEXT = `${EASY}\n${TWO_SOLUTIONS}\n${HARD}\n`.repeat(9);
const SHARD_BYTES = 800;

function files(buckets: MemoryBuckets): Record<string, string> {
  const { files } = readResultSet(buckets, KEY);
  return { solutions: files['solutions.txt']!, exceptions: files['exceptions.jsonl']! };
}

async function run(request: LargeRun = {}, options: Readonly<Record<string, string>> = {}) {
  const buckets = new MemoryBuckets(64);
  const steps = await runLarge(buckets, largeJob(upload(buckets, KEY, TEXT, options), options), {
    shardBytes: SHARD_BYTES,
    ...request,
  });
  return { buckets, steps };
}

const { buckets: clean } = await run();
const whole = new MemoryBuckets();
await deliver(whole, upload(whole, KEY, TEXT));

it('a clean run gives the bytes of a file solved whole', () => {
  expect(files(clean)).toEqual(files(whole));
});

describe.each(['plan', 'count 1', 'solve 0', 'solve 2', 'merge'])('a crash in step "%s"', (crashing) => {
  it.each(['before', 'after'] as const)('%s any of its storage calls costs nothing', async (when) => {
    const calls: StoreCall[] = [];
    await run({ hooks: (step) => (step === crashing ? recording(calls) : {}) });
    const perTry = calls.length / (crashing === 'plan' ? 2 : 1);
    expect(perTry).toBeGreaterThan(1);
    for (let index = 0; index < perTry; index++) {
      let crashed = false;
      const { buckets } = await run({
        tries: 2,
        hooks: (step) => {
          if (step !== crashing || crashed) return {};
          crashed = true;
          return crashAt(index, when);
        },
      });
      expect(files(buckets), `call ${index}`).toEqual(files(clean));
    }
  });
});

it('a map that begins again from its list solves no shard twice', async () => {
  const writes = new Map<string, number[]>();
  const { buckets } = await run({
    order: (items) => [...items, ...items],
    hooks: (step) => {
      const runs = writes.get(step) ?? [];
      writes.set(step, [...runs, 0]);
      return {
        async before({ operation }) {
          if (operation === 'put' || operation === 'close') writes.get(step)![runs.length]!++;
          return undefined;
        },
      };
    },
  });
  expect(files(buckets)).toEqual(files(clean));
  const solving = [...writes].filter(([step]) => step.startsWith('solve'));
  expect(solving.length).toBeGreaterThan(2);
  for (const [step, runs] of solving) expect(runs, step).toEqual([expect.toSatisfy((n) => n > 0), 0]);
});

it('a function near its end hands its shard on, as often as it takes', async () => {
  // Each look at the clock takes a second, and a function has eighty.
  const { buckets, steps } = await run(
    {
      shardBytes: TEXT.length,
      machinery: (step) =>
        step.startsWith('solve') ? { clock: new FakeClock(1000), remainingMs: () => 80_000 } : {},
    },
    { solutions: '3' },
  );
  expect(steps.filter((step) => step === 'solve 0').length).toBeGreaterThan(2);
  const { buckets: inOne } = await run({ shardBytes: TEXT.length }, { solutions: '3' });
  expect(files(buckets)).toEqual(files(inOne));
  expect(statsOf(readResultSet(buckets, KEY)).puzzles).toEqual(statsOf(readResultSet(inOne, KEY)).puzzles);
});

it('a merge near its end goes on with its join', async () => {
  let looks = 0;
  const buckets = new MemoryBuckets(64);
  const text = `${EASY}\n`.repeat(400);
  const steps = await runLarge(buckets, largeJob(upload(buckets, KEY, text)), {
    shardBytes: 250,
    machinery: (step) =>
      step === 'merge' ? { remainingMs: () => (looks++ % 2 === 0 ? 900_000 : 1000) } : {},
  });
  expect(steps.filter((step) => step === 'merge').length).toBeGreaterThan(1);
  const other = new MemoryBuckets();
  await deliver(other, upload(other, KEY, text));
  expect(files(buckets)).toEqual(files(other));
});

it('two executions of one job leave one result set, and nothing of the other', async () => {
  const buckets = new MemoryBuckets(64);
  const job = largeJob(upload(buckets, KEY, TEXT));
  await runLarge(buckets, job, { attempt: 'attempt-a', shardBytes: SHARD_BYTES });
  await runLarge(buckets, job, { attempt: 'attempt-b', shardBytes: 300 });
  expect(files(buckets)).toEqual(files(clean));
  expect(buckets.keys('results', 'results/').filter((key) => key.includes('attempt-b'))).toEqual([]);
});

it('nothing is committed while a shard is missing, and its name is told', async () => {
  const buckets = new MemoryBuckets(64);
  const job = largeJob(upload(buckets, KEY, TEXT));
  const broken = runLarge(buckets, job, {
    shardBytes: SHARD_BYTES,
    hooks: (step) =>
      step === 'merge'
        ? {
            async before(call) {
              if (call.operation === 'list') {
                const piece = buckets
                  .keys('results', 'work/')
                  .find((key) => key.endsWith('/00001-000.json'))!;
                buckets.markDeleted('results', piece);
              }
              return undefined;
            },
          }
        : {},
  });
  await expect(broken).rejects.toThrow(/piece of shard 1 is missing/);
  expect(buckets.keys('results', 'results/').filter((key) => key.endsWith('manifest.json'))).toEqual([]);
});
