/** Exact covers whose search is split among functions. Their results are those of one function: `test/batch/jobs-ways.ts`. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJobLimits } from '../../../lib/batch/job-limits.ts';
import type { SubproblemsPart } from '../../../lib/batch/large/subproblems.ts';
import { SPLIT_RULE, type SplitRule } from '../../../lib/exact-cover/split/split-search.ts';
import { smallProblem } from '../../exact-cover/brute-force.ts';
import { langford } from '../../exact-cover/classic-problems.ts';
import { knuthText, sparseText } from '../../formats/exact-cover/problem-files.ts';
import { propertyRuns } from '../../support/depth.ts';
import { type LargeRun, largeJob, runLarge } from '../../support/large-job.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
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

/** Solutions that shards have stored. */
function storedSolutions(buckets: MemoryBuckets): number {
  const keys = buckets.keys('results', 'work/').filter((key) => key.endsWith('/answers.jsonl'));
  return keys.reduce((sum, key) => sum + buckets.text('results', key).split('"options"').length - 1, 0);
}

const reversed = <Item>(items: Item[]) => items.reverse();

const LANGFORD = knuthText(langford(8));

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
  ['solutions', { solutions: '2' }, 10],
  ['nodes', { 'max-nodes': '700' }, 200],
])('ranges after all %s that are wanted are not searched', async (_name, wanted, most) => {
  const searched = async (options: Options) => {
    const { buckets } = await inManyFunctions(LANGFORD, { solutions: 'all', ...options });
    const subproblems = partsOf(buckets).reduce((sum, { count }) => sum + count, 0);
    return { subproblems, solutions: storedSolutions(buckets) };
  };
  const some = await searched(wanted);
  expect(some.subproblems).toBeLessThan(0.8 * (await searched({})).subproblems);
  expect(some.solutions).toBeLessThan(most);
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

  it('of text that is written ends the search of a subproblem', async () => {
    const jobLimits = parseJobLimits({ 'max-written': '10' });
    // The limit is for 51 solutions, in a subproblem with more.
    const splitRule = { ...SOON, least: 4, most: 4 };
    const run = { splitRule, dependencies: () => ({ jobLimits }) };
    const { buckets } = await inManyFunctions(LANGFORD, { solutions: 'all' }, run);
    expect(storedSolutions(buckets)).toBe(51);
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
