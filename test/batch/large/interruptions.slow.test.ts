/** The result is byte-identical if any step of a large job crashes, is retried, runs twice or runs out of time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { LargeDependencies } from '../../../lib/batch/large/large-job.ts';
import { mergeShards } from '../../../lib/batch/large/merge-shards.ts';
import { solveShard } from '../../../lib/batch/large/solve-shard.ts';
import type { StepProgress } from '../../../lib/batch/large/steps.ts';
import { type BlockSolver, InlineSolver } from '../../../lib/batch/solving/block-solver.ts';
import { OutOfTimeError } from '../../../lib/batch/solving/drive.ts';
import { createEngine } from '../../../lib/sudoku/engines.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';
import { FakeClock, RESULTS_BUCKET, UnevenClock, uploadDependencies } from '../../support/dependencies.ts';
import { DEEP } from '../../support/depth.ts';
import { type LargeRun, largeJob, runLarge } from '../../support/large-job.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';
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

async function run(
  { text = TEXT, ...request }: LargeRun & { text?: string } = {},
  options: Readonly<Record<string, string>> = {},
) {
  const buckets = new MemoryBuckets(64);
  const steps = await runLarge(buckets, largeJob(upload(buckets, KEY, text, options), options), {
    shardBytes: SHARD_BYTES,
    ...request,
  });
  return { buckets, steps };
}

const { buckets: clean } = await run();
const whole = new MemoryBuckets();
await deliver(whole, upload(whole, KEY, TEXT));

it('an undisturbed run gives the bytes of a file solved whole', () => {
  expect(files(clean)).toEqual(files(whole));
});

it('a map that starts again from its list solves no shard twice', async () => {
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

/** The time of a function makes several parts: each reading of the clock takes ten milliseconds on average. */
describe.each<[string, number, Readonly<Record<string, string>>]>([
  ['puzzles', 2000, {}],
  ['enumerations', 20_000, { solutions: '3' }],
  ['records', 2000, { records: 'true' }],
])('a shard of %s that exceeds the time of a function', (_name, functionMs, options) => {
  const text = TEXT.repeat(20);
  const inOne = new MemoryBuckets();

  it.each(DEEP ? [1, 2, 3, 4, 5, 6] : [1, 2])(
    'gives the bytes of a file solved whole (seed %i)',
    async (seed) => {
      if (inOne.keys('results', '').length === 0) await deliver(inOne, upload(inOne, KEY, text, options));
      const { buckets, steps } = await run({ seed, shardBytes: 60_000, functionMs, text }, options);
      expect(steps.filter((step) => step === 'solve 0').length).toBeGreaterThan(2);
      expect(files(buckets)).toEqual(files(inOne));
      expect(statsOf(readResultSet(buckets, KEY)).puzzles).toEqual(
        statsOf(readResultSet(inOne, KEY)).puzzles,
      );
    },
  );
});

/** A function of twenty seconds in which each puzzle takes `puzzleMs`, and everything else takes no time. */
function slowPuzzles(puzzleMs: number): Partial<LargeDependencies> {
  const clock = new FakeClock(0);
  return {
    clock,
    remainingMs: () => 20_000,
    openSolver(options) {
      const engine = createEngine(options.engine);
      const inline = new InlineSolver(engine, clock);
      const solver: BlockSolver = {
        workers: 1,
        depth: 1,
        sharedMemory: false,
        async solve(block, limits, answers) {
          clock.nowMs += block.count * puzzleMs;
          if (clock.nowMs > limits.deadlineMs) throw new OutOfTimeError();
          await inline.solve(block, limits, answers);
        },
      };
      return { engine, solver, close: async () => {} };
    },
  };
}

it('puzzles are solved one by one if a block exceeds the time of a function', async () => {
  const dependencies = (step: string) => (step.startsWith('solve') ? slowPuzzles(7000) : {});
  const { buckets, steps } = await run({ shardBytes: TEXT.length, dependencies });
  // 27 puzzles, two in each function; only the first function loses its time to a block of sixteen.
  expect(steps.filter((step) => step === 'solve 0')).toHaveLength(15);
  expect(files(buckets)).toEqual(files(whole));
});

it('a puzzle that exceeds the time of a function is an error that names it', async () => {
  const dependencies = (step: string) => (step.startsWith('solve') ? slowPuzzles(17_000) : {});
  await expect(run({ shardBytes: TEXT.length, dependencies })).rejects.toThrow(
    /shard 0: puzzle 1 exceeds the time of one function; lower max-nodes/,
  );
});

it.each(DEEP ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2])(
  'two invocations of one part at the same time, with different progress, give one result (seed %i)',
  async (seed) => {
    const text = TEXT.repeat(10);
    const buckets = new MemoryBuckets(64);
    const job = largeJob(upload(buckets, KEY, text));
    const step = { job, attempt: 'attempt-a' };
    let ids = 0;
    const random = new RandomSource(seed);
    /** Storage calls take random times, so the two overlap differently with each seed. */
    const delays = { before: async () => void (await sleep(random.below(4))) };
    const process = () => {
      const clock = new UnevenClock(random.next());
      const left = { clock, remainingMs: () => 2000 - clock.nowMs, ids: { next: () => `try-${ids++}` } };
      return uploadDependencies(memoryStore(buckets, delays), 'attempt-a', left);
    };
    await expect(
      runLarge(buckets, job, {
        shardBytes: 100_000,
        hooks: (name) => {
          if (name.startsWith('solve')) throw new Error('this test solves');
          return {};
        },
      }),
    ).rejects.toThrow('this test solves');
    const [shardsKey] = buckets.keys(RESULTS_BUCKET, 'work/').filter((key) => key.endsWith('/shards.jsonl'));
    const shard = JSON.parse(buckets.text(RESULTS_BUCKET, shardsKey!));
    let progress: StepProgress = { done: false, cursor: null };
    while (!progress.done) {
      const input = { ...step, shard, cursor: progress.cursor };
      const both = await Promise.all([solveShard(input, process()), solveShard(input, process())]);
      // The state machine gets the output of one of them.
      progress = both[random.below(2)]!;
    }
    await mergeShards(
      { ...step, cursor: null },
      { ...process(), minPartBytes: 64, remainingMs: () => 900_000 },
    );
    const inOne = new MemoryBuckets();
    await deliver(inOne, upload(inOne, KEY, text));
    expect(files(buckets)).toEqual(files(inOne));
  },
);

it('a merge that runs out of time continues its join', async () => {
  let calls = 0;
  const buckets = new MemoryBuckets(64);
  const text = `${EASY}\n`.repeat(400);
  const steps = await runLarge(buckets, largeJob(upload(buckets, KEY, text)), {
    shardBytes: 250,
    dependencies: (step) =>
      step === 'merge' ? { remainingMs: () => (calls++ % 2 === 0 ? 900_000 : 1000) } : {},
  });
  expect(steps.filter((step) => step === 'merge').length).toBeGreaterThan(1);
  const other = new MemoryBuckets();
  await deliver(other, upload(other, KEY, text));
  expect(files(buckets)).toEqual(files(other));
});

it('two executions of one job leave one result set, and no files of the other', async () => {
  const buckets = new MemoryBuckets(64);
  const job = largeJob(upload(buckets, KEY, TEXT));
  await runLarge(buckets, job, { attempt: 'attempt-a', shardBytes: SHARD_BYTES });
  await runLarge(buckets, job, { attempt: 'attempt-b', shardBytes: 300 });
  expect(files(buckets)).toEqual(files(clean));
  expect(buckets.keys('results', 'results/').filter((key) => key.includes('attempt-b'))).toEqual([]);
});

it('nothing is committed while records are missing, and the error names them', async () => {
  const buckets = new MemoryBuckets(64);
  const job = largeJob(upload(buckets, KEY, TEXT));
  const broken = runLarge(buckets, job, {
    shardBytes: SHARD_BYTES,
    hooks: (step) =>
      step === 'merge'
        ? {
            async before(call) {
              if (call.operation === 'list') {
                const part = buckets.keys('results', 'work/').find((key) => key.endsWith('/00001-000.json'))!;
                buckets.markDeleted('results', part);
              }
              return undefined;
            },
          }
        : {},
  });
  await expect(broken).rejects.toThrow(
    /no part has the records \d+ to \d+ \(shard 1\): nothing is committed/,
  );
  expect(buckets.keys('results', 'results/').filter((key) => key.endsWith('manifest.json'))).toEqual([]);
});
