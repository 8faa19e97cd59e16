/** A long exact-cover problem is searched by many functions, with the results of one function. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RejectDocument } from '../../../lib/batch/delivery/status-document.ts';
import { parseJobLimits } from '../../../lib/batch/job-limits.ts';
import { mergeShards } from '../../../lib/batch/large/merge-shards.ts';
import { solveShard } from '../../../lib/batch/large/solve-shard.ts';
import type { StepProgress } from '../../../lib/batch/large/steps.ts';
import type { SubproblemsPart } from '../../../lib/batch/large/subproblems.ts';
import { SPLIT_RULE, type SplitRule } from '../../../lib/exact-cover/split/split-search.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';
import { smallProblem } from '../../exact-cover/brute-force.ts';
import { langford, pentominoes } from '../../exact-cover/classic-problems.ts';
import { motleyDissections } from '../../exact-cover/known-problems.ts';
import { knuthText, sparseText } from '../../formats/exact-cover/problem-files.ts';
import { FakeClock, UnevenClock, uploadDependencies } from '../../support/dependencies.ts';
import { DEEP, propertyRuns } from '../../support/depth.ts';
import { type LargeRun, largeJob, runLarge } from '../../support/large-job.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';
import { readResultSet, statsOf } from '../../support/result-set.ts';
import { untimedOutcome } from '../../support/untimed-outcome.ts';
import { deliver, upload } from '../../support/uploads.ts';

const KEY = 'inbox/problem.dlx';

/** Splits after a few nodes. */
const SOON: SplitRule = { ...SPLIT_RULE, work: 1, nodes: 20, least: 96 };

type Options = Readonly<Record<string, string>>;

async function inOneFunction(text: string, options: Options, splitRule = SOON) {
  const buckets = new MemoryBuckets();
  await deliver(buckets, upload(buckets, KEY, text, options), { dependencies: { splitRule } });
  return untimedOutcome(buckets, KEY);
}

async function inManyFunctions(text: string, options: Options, run: LargeRun = {}) {
  const buckets = new MemoryBuckets();
  const job = largeJob(upload(buckets, KEY, text, options), options);
  const steps = await runLarge(buckets, job, { splitRule: SOON, ...run });
  return { buckets, steps, outcome: untimedOutcome(buckets, KEY) };
}

/** Functions of two seconds, in which a clock is read some hundred times; Merge has more. */
const SHORT: LargeRun = {
  functionMs: 2000,
  dependencies: (step) => (step === 'merge' ? { remainingMs: () => 900_000 } : {}),
};

function partsOf(buckets: MemoryBuckets): SubproblemsPart[] {
  const keys = buckets.keys('results', 'work/').filter((key) => /parts\/\d+-\d+\.json$/.test(key));
  return keys.map((key) => buckets.json<SubproblemsPart>('results', key));
}

const reversed = <Item>(items: Item[]) => items.reverse();

const LANGFORD = knuthText(langford(8));

type Case = [name: string, text: string, options: Options];

/** Its core is WebAssembly. */
const LARGE_MATRIX: Case = ['a large matrix', knuthText(pentominoes(3, 20)), {}];

describe.each<Case>([
  ['all solutions', LANGFORD, { solutions: 'all', records: 'true' }],
  ['all solutions as records', LANGFORD, { solutions: 'all', output: 'jsonl' }],
  ['one solution', knuthText(langford(12)), { solutions: '1' }],
  ['two solutions', knuthText(langford(12)), { solutions: '2', records: 'true' }],
  ['a hundred solutions', LANGFORD, { solutions: '100' }],
  ['the proof that there is none', knuthText(langford(9)), { records: 'true' }],
  ['multiplicities', knuthText(motleyDissections(5, 5)), { solutions: 'all', records: 'true' }],
  ['a budget of nodes', LANGFORD, { solutions: 'all', 'max-nodes': '777' }],
  [
    'several problems',
    [langford(3), langford(7), langford(4), langford(8), langford(5)].map(sparseText).join('\n'),
    { format: 'sparse', solutions: 'all', records: 'true' },
  ],
  ...(DEEP ? [LARGE_MATRIX] : []),
])('%s', (_name, text, options) => {
  let expected: Awaited<ReturnType<typeof inOneFunction>>;
  beforeAll(async () => {
    expected = await inOneFunction(text, options);
  });

  it('has the bytes of one function', async () => {
    const { outcome, steps } = await inManyFunctions(text, options);
    expect(outcome).toEqual(expected);
    expect(steps.filter((step) => step.startsWith('solve')).length).toBeGreaterThan(3);
  });

  it.each(DEEP ? [1, 2, 3, 4, 5, 6] : [1])(
    'has them in parts of any length, in any order (seed %i)',
    async (seed) => {
      const run = { ...SHORT, seed, order: reversed };
      const { outcome } = await inManyFunctions(text, options, run);
      expect(outcome).toEqual(expected);
    },
  );
});

it('random problems have the results of one function', async () => {
  const rule: SplitRule = { ...SPLIT_RULE, work: 1, nodes: 1, subproblemWork: 1, least: 4, most: 40 };
  let splits = 0;
  await fc.assert(
    fc.asyncProperty(
      smallProblem,
      fc.constantFrom('1', '2', '3', '10', 'all'),
      fc.integer({ min: 4, max: 60 }),
      fc.nat(),
      async (problem, solutions, nodes, seed) => {
        const text = knuthText(problem);
        const options = { solutions, 'max-nodes': String(nodes), records: 'true' };
        const expected = await inOneFunction(text, options, rule);
        const buckets = new MemoryBuckets();
        const job = largeJob(upload(buckets, KEY, text, options), options);
        const run = { ...SHORT, splitRule: rule, seed, order: reversed };
        const steps = await runLarge(buckets, job, run);
        if (!steps.includes('merge')) return;
        splits++;
        expect(untimedOutcome(buckets, KEY)).toEqual(expected);
      },
    ),
    { numRuns: propertyRuns(15) },
  );
  expect(splits).toBeGreaterThan(1);
});

it('the statistics have the functions that searched', async () => {
  const { buckets, steps } = await inManyFunctions(LANGFORD, { solutions: 'all' });
  const { used, timing } = statsOf(readResultSet(buckets, KEY));
  const solves = steps.filter((step) => step.startsWith('solve'));
  expect(used).toMatchObject({ pieces: solves.length, shards: new Set(solves).size });
  expect(timing.solveMs).toBeGreaterThan(used!.functionMs / 4);
});

it.each([
  ['solutions', { solutions: '2' }],
  ['nodes', { 'max-nodes': '700', solutions: 'all' }],
])('ranges after all %s that are wanted are not searched', async (_name, options) => {
  const searched = async (wanted: Options) => {
    const { buckets } = await inManyFunctions(LANGFORD, { solutions: 'all', ...wanted });
    return partsOf(buckets).reduce((sum, { count }) => sum + count, 0);
  };
  expect(await searched(options)).toBeLessThan(0.8 * (await searched({})));
});

it('a subproblem that exceeds the time of a function is an error that names it', async () => {
  const dependencies = (step: string) => (step.startsWith('solve') ? { clock: new FakeClock(500) } : {});
  await expect(inManyFunctions(LANGFORD, {}, { functionMs: 2000, dependencies })).rejects.toThrow(
    /shard 0: subproblem 0 of problem 1 exceeds the time of one function; lower max-nodes/,
  );
});

it('nothing is committed while a part is missing', async () => {
  const buckets = new MemoryBuckets();
  const job = largeJob(upload(buckets, KEY, LANGFORD));
  const hooks = (step: string) => {
    const part = buckets.keys('results', 'work/').find((key) => key.endsWith('/00001-000.json'));
    if (step === 'merge') buckets.markDeleted('results', part!);
    return {};
  };
  await expect(runLarge(buckets, job, { splitRule: SOON, hooks })).rejects.toThrow(
    /no part has the subproblems \d+ to \d+ of problem 1 \(shard 1\): nothing is committed/,
  );
  expect(buckets.keys('results', 'results/')).toEqual([]);
});

it.each([
  ['costs', 'a b\na |1\nb |2\na b |3\n', 'problem 1 has costs, and a search by cost cannot be split'],
  ['a short search', knuthText(langford(3)), 'no search of a problem is long enough to be split'],
])('a file of %s cannot be split, and is rejected', async (_name, text, message) => {
  const buckets = new MemoryBuckets();
  const job = largeJob(upload(buckets, KEY, text));
  expect(await runLarge(buckets, job, { splitRule: SOON })).toEqual(['plan']);
  const [reject] = buckets.keys('results', 'rejects/');
  expect(buckets.text('results', reject!)).toContain(message);
});

describe('a limit', () => {
  it('of text that is written ends the solutions at the same one', async () => {
    const jobLimits = parseJobLimits({ 'max-written': '15' });
    const buckets = new MemoryBuckets();
    const options = { solutions: 'all' };
    const uploaded = upload(buckets, KEY, LANGFORD, options);
    await deliver(buckets, uploaded, { dependencies: { splitRule: SOON, jobLimits } });
    const run = await inManyFunctions(LANGFORD, options, { dependencies: () => ({ jobLimits }) });
    expect(run.outcome).toEqual(untimedOutcome(buckets, KEY));
    expect(run.outcome['solutions.txt']).toContain('of its solutions are written');
    const shards = run.steps.filter((step) => step.startsWith('solve')).length;
    expect(partsOf(run.buckets).filter(({ count }) => count > 0).length).toBeLessThan(shards / 2);
  });

  it('of nodes rejects the file with the same error', async () => {
    const jobLimits = parseJobLimits({ 'max-job-nodes': '600' });
    const errorOf = (buckets: MemoryBuckets) => {
      const [reject] = buckets.keys('results', 'rejects/');
      return buckets.json<RejectDocument>('results', reject!).error;
    };
    const [whole, many] = [new MemoryBuckets(), new MemoryBuckets()];
    const options = { solutions: 'all' };
    const uploaded = upload(whole, KEY, LANGFORD, options);
    await deliver(whole, uploaded, { dependencies: { splitRule: SOON, jobLimits } });
    const job = largeJob(upload(many, KEY, LANGFORD, options), options);
    const steps = await runLarge(many, job, { splitRule: SOON, dependencies: () => ({ jobLimits }) });
    expect(steps).toContain('merge');
    expect(errorOf(many)).toEqual(errorOf(whole));
    expect(errorOf(many).message).toContain('more than 600 search nodes');
    expect(many.keys('results', 'results/').filter((key) => !key.endsWith('latest.json'))).toEqual([]);
  });
});

it('a plan continues in another function', async () => {
  const text = Array.from({ length: 6 }, () => sparseText(langford(7))).join('\n');
  const options = { format: 'sparse', solutions: 'all' };
  const time = (step: string) => ({ remainingMs: () => (step === 'plan' ? plan() : 900_000) });
  // Each function has time for two or three problems.
  let calls = 0;
  const plan = () => (++calls % 4 === 0 ? 0 : 900_000);
  const { steps, outcome } = await inManyFunctions(text, options, { dependencies: time });
  expect(steps.filter((step) => step === 'plan').length).toBeGreaterThan(2);
  expect(outcome).toEqual(await inOneFunction(text, options));
});

it.each(DEEP ? [1, 2, 3, 4, 5, 6] : [1])(
  'two functions with one part, and two that merge, give one result (seed %i)',
  async (seed) => {
    const buckets = new MemoryBuckets();
    const options = { solutions: 'all', records: 'true' };
    const job = largeJob(upload(buckets, KEY, LANGFORD, options), options);
    const random = new RandomSource(seed);
    let ids = 0;
    const process = (functionMs: number) => {
      const clock = new UnevenClock(random.next());
      // Storage calls take random times, so the two overlap differently with each seed.
      const delays = { before: async () => void (await sleep(random.below(3))) };
      return {
        ...uploadDependencies(memoryStore(buckets, delays), 'attempt-a', {
          clock,
          splitRule: SOON,
          remainingMs: () => functionMs - clock.nowMs,
          ids: { next: () => `${ids++}` },
        }),
        minPartBytes: 1,
      };
    };
    const hooks = (name: string) => {
      if (name.startsWith('solve')) throw new Error('this test solves');
      return {};
    };
    await expect(runLarge(buckets, job, { splitRule: SOON, hooks })).rejects.toThrow('this test solves');
    const step = { job, attempt: 'attempt-a' };
    const [shards] = buckets.keys('results', 'work/').filter((key) => key.endsWith('/shards.jsonl'));
    for (const line of buckets.text('results', shards!).trimEnd().split('\n')) {
      let progress: StepProgress = { done: false, cursor: null };
      while (!progress.done) {
        const input = { ...step, shard: JSON.parse(line), cursor: progress.cursor };
        const both = await Promise.all([solveShard(input, process(2000)), solveShard(input, process(2000))]);
        progress = both[random.below(2)]!;
      }
    }
    const merge = { ...step, cursor: null };
    await Promise.all([mergeShards(merge, process(900_000)), mergeShards(merge, process(900_000))]);
    expect(untimedOutcome(buckets, KEY)).toEqual(await inOneFunction(LANGFORD, options));
    const folders = buckets.keys('results', 'results/').map((key) => key.split('/').at(-2));
    expect(new Set(folders).size).toBe(3);
  },
);
