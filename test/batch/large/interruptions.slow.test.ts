/**
 * The result of a large job is that of one function if its functions run twice or side by side or lose their time to a block, and
 * nothing is committed while a part is missing. Shards in several parts: `test/batch/jobs-ways.ts`; crashes:
 * `test/batch/crashes.slow.test.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { LargeDependencies } from '../../../lib/batch/large/large-job.ts';
import { mergeShards } from '../../../lib/batch/large/merge-shards.ts';
import { solveShard } from '../../../lib/batch/large/solve-shard.ts';
import type { StepProgress } from '../../../lib/batch/large/steps.ts';
import { type BlockSolver, InlineSolver } from '../../../lib/batch/solving/block-solver.ts';
import { OutOfTimeError } from '../../../lib/batch/solving/drive.ts';
import { SPLIT_RULE } from '../../../lib/exact-cover/split/split-search.ts';
import { createEngine } from '../../../lib/sudoku/engines.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';
import { langford } from '../../exact-cover/classic-problems.ts';
import { knuthText } from '../../formats/exact-cover/problem-files.ts';
import { FakeClock, RESULTS_BUCKET, UnevenClock, uploadDependencies } from '../../support/dependencies.ts';
import { DEEP } from '../../support/depth.ts';
import { type LargeRun, largeJob, runLarge } from '../../support/large-job.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';
import { EASY, HARD, TWO_SOLUTIONS } from '../../support/puzzles.ts';
import { untimedOutcome } from '../../support/untimed-outcome.ts';
import { deliver, upload } from '../../support/uploads.ts';

const KEY = 'inbox/puzzles.txt';
const SEEDS = DEEP ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2];

interface File extends Pick<LargeRun, 'shardBytes' | 'splitRule'> {
  readonly text: string;
  readonly options?: Readonly<Record<string, string>>;
}

const TEXT = `${EASY}\n${TWO_SOLUTIONS}\n${HARD}\n`.repeat(9);
const PUZZLES: File = { text: TEXT, shardBytes: 800 };
const COVER: File = {
  text: knuthText(langford(8)),
  options: { solutions: 'all', records: 'true' },
  splitRule: { ...SPLIT_RULE, work: 1, nodes: 20, least: 96 },
};

const outcome = (buckets: MemoryBuckets) => untimedOutcome(buckets, KEY);

async function run({ text, options, ...file }: File, request: LargeRun = {}) {
  const buckets = new MemoryBuckets(64);
  const job = largeJob(upload(buckets, KEY, text, options), options);
  return { buckets, job, steps: await runLarge(buckets, job, { ...file, ...request }) };
}

/** What one function leaves. */
async function whole({ text, options, splitRule }: File) {
  const buckets = new MemoryBuckets();
  await deliver(buckets, upload(buckets, KEY, text, options), { dependencies: { splitRule } });
  return outcome(buckets);
}

it('a map that starts again from its list solves no shard twice', async () => {
  const writes = new Map<string, number[]>();
  const { buckets } = await run(PUZZLES, {
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
  expect(outcome(buckets)).toEqual(await whole(PUZZLES));
  const solving = [...writes].filter(([step]) => step.startsWith('solve'));
  expect(solving.length).toBeGreaterThan(2);
  for (const [step, runs] of solving) expect(runs, step).toEqual([expect.toSatisfy((n) => n > 0), 0]);
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

describe('a part that takes long', () => {
  const file = { text: TEXT, shardBytes: TEXT.length };
  const slow = (puzzleMs: number) => ({
    dependencies: (step: string) => (step.startsWith('solve') ? slowPuzzles(puzzleMs) : {}),
  });

  const puzzles = TEXT.trim().split('\n');
  it.each<[string, File]>([
    ['lines', file],
    ['a table', { ...file, options: { output: 'csv' } }],
    ['a list in JSON', { text: JSON.stringify(puzzles, undefined, 1), shardBytes: TEXT.length * 2 }],
  ])(
    'has its puzzles solved one by one if a block exceeds the time of a function (%s)',
    async (_, written) => {
      const { buckets, steps } = await run(written, slow(7000));
      // 27 puzzles, two in each function; only the first function loses its time to a block of sixteen.
      expect(steps.filter((step) => step === 'solve 0')).toHaveLength(15);
      expect(outcome(buckets)).toEqual(await whole(written));
    },
  );

  it('is an error that names its puzzle, or its subproblem, if that exceeds the time of a function', async () => {
    await expect(run(file, slow(17_000))).rejects.toThrow(
      /shard 0: puzzle 1 exceeds the time of one function; lower max-nodes/,
    );
    const dependencies = (step: string) => (step.startsWith('solve') ? { clock: new FakeClock(500) } : {});
    await expect(run(COVER, { functionMs: 2000, dependencies })).rejects.toThrow(
      /shard 0: subproblem 0 of problem 1 exceeds the time of one function; lower max-nodes/,
    );
  });
});

describe.each<[string, File]>([
  ['puzzles', { ...PUZZLES, text: TEXT.repeat(10), shardBytes: 10_000 }],
  ['an exact cover', COVER],
])('of a file of %s', (_name, file) => {
  it.each(SEEDS)(
    'two functions with one part, and two that merge, give one result (seed %i)',
    async (seed) => {
      const buckets = new MemoryBuckets(64);
      const { text, options, ...rest } = file;
      const job = largeJob(upload(buckets, KEY, text, options), options);
      const random = new RandomSource(seed);
      let ids = 0;
      /** Storage calls take random times, so the two overlap differently with each seed. */
      const delays = { before: async () => void (await sleep(random.below(3))) };
      const process = (functionMs: number) => {
        const clock = new UnevenClock(random.next());
        const own = {
          clock,
          remainingMs: () => functionMs - clock.nowMs,
          ids: { next: () => `try-${ids++}` },
        };
        const dependencies = { ...own, splitRule: file.splitRule };
        return {
          ...uploadDependencies(memoryStore(buckets, delays), 'attempt-a', dependencies),
          minPartBytes: 64,
        };
      };
      const hooks = (name: string) => {
        if (name.startsWith('solve')) throw new Error('this test solves');
        return {};
      };
      await expect(runLarge(buckets, job, { ...rest, hooks })).rejects.toThrow('this test solves');
      const step = { job, attempt: 'attempt-a' };
      const [shards] = buckets.keys(RESULTS_BUCKET, 'work/').filter((key) => key.endsWith('/shards.jsonl'));
      for (const line of buckets.text(RESULTS_BUCKET, shards!).trimEnd().split('\n')) {
        let progress: StepProgress = { done: false, cursor: null };
        while (!progress.done) {
          const input = { ...step, shard: JSON.parse(line), cursor: progress.cursor };
          const both = await Promise.all([
            solveShard(input, process(2000)),
            solveShard(input, process(2000)),
          ]);
          // The state machine gets the output of one of them.
          progress = both[random.below(2)]!;
        }
      }
      const merge = { ...step, cursor: null };
      await Promise.all([mergeShards(merge, process(900_000)), mergeShards(merge, process(900_000))]);
      expect(outcome(buckets)).toEqual(await whole(file));
    },
  );

  it('two executions leave one result set, and no files of the other', async () => {
    const { buckets, job } = await run(file, { attempt: 'attempt-a' });
    await runLarge(buckets, job, { ...file, attempt: 'attempt-b' });
    expect(outcome(buckets)).toEqual(await whole(file));
    expect(buckets.keys(RESULTS_BUCKET, 'results/').filter((key) => key.includes('attempt-b'))).toEqual([]);
  });

  it('nothing is committed while a part is missing, and the error names what it has', async () => {
    const buckets = new MemoryBuckets(64);
    const { text, options, ...rest } = file;
    const job = largeJob(upload(buckets, KEY, text, options), options);
    const hooks = (step: string) => {
      const part = buckets.keys(RESULTS_BUCKET, 'work/').find((key) => key.endsWith('/00001-000.json'));
      if (step === 'merge') buckets.markDeleted(RESULTS_BUCKET, part!);
      return {};
    };
    await expect(runLarge(buckets, job, { ...rest, hooks })).rejects.toThrow(
      /no part has the (records \d+ to \d+|subproblems \d+ to \d+ of problem 1) \(shard 1\): nothing is committed/,
    );
    expect(buckets.keys(RESULTS_BUCKET, 'results/')).toEqual([]);
  });
});

it('a merge that runs out of time continues its join', async () => {
  let calls = 0;
  const file = { text: `${EASY}\n`.repeat(400), shardBytes: 250 };
  const remainingMs = () => (calls++ % 2 === 0 ? 900_000 : 1000);
  const { buckets, steps } = await run(file, {
    dependencies: (step) => (step === 'merge' ? { remainingMs } : {}),
  });
  expect(steps.filter((step) => step === 'merge').length).toBeGreaterThan(1);
  expect(outcome(buckets)).toEqual(await whole(file));
});
