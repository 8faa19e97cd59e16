/** Threads search the subproblems of a search: the same outcome as on one thread. */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { searchCover, takeCover } from '../../lib/batch/solving/cover-search.ts';
import type { Step } from '../../lib/batch/solving/drive.ts';
import { RecordAnswer } from '../../lib/batch/solving/record-search.ts';
import type { OpenSubproblems } from '../../lib/batch/solving/subproblem-solver.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { SearchStop } from '../../lib/exact-cover/search.ts';
import { SPLIT_RULE, SplitSearch } from '../../lib/exact-cover/split/split-search.ts';
import { systemClock } from '../../lib/node/system.ts';
import { latinSquare } from '../exact-cover/board-problems.ts';
import { langford, pentominoes } from '../exact-cover/classic-problems.ts';
import { reducedDissections } from '../exact-cover/known-problems.ts';
import { type SearchThreads, searchThreads } from './threads.ts';

const RULE = { ...SPLIT_RULE, work: 1, nodes: 100 };
const NO_LIMITS = {
  maxSolutions: Number.POSITIVE_INFINITY,
  maxNodes: Number.POSITIVE_INFINITY,
  maxMs: Number.POSITIVE_INFINITY,
  deadlineMs: Number.POSITIVE_INFINITY,
};
const ALL = { maxSolutions: Number.POSITIVE_INFINITY, maxNodes: Number.POSITIVE_INFINITY, each: true };

/** A batch of 16,384 options, with the lengths and counts of its solutions. */
const BATCH_BYTES = 100_000;

/** Runs a search, with its subproblems on these threads if there are any. */
async function outcomeOf(problem: ExactCoverProblem, limits: Partial<typeof ALL>, threads?: SearchThreads) {
  const { maxSolutions, maxNodes, each } = { ...ALL, ...limits };
  let open: OpenSubproblems | undefined;
  const search = new SplitSearch(problem, maxSolutions, { rule: RULE });
  search.openAnswers =
    threads && ((frontier) => (open = threads.open(problem, frontier, { maxSolutions, maxNodes, each })));
  const found: string[] = [];
  try {
    for (;;) {
      const before = search.solutions;
      const pauseAtSolution = each || before === 0;
      const stop = search.run({ maxSolutions, maxNodes, sliceNodes: 1000, pauseAtSolution });
      if (each && search.solutions > before) {
        found.push(search.selected.slice(0, search.selectedCount).sort().join(' '));
      }
      if (search.isWaiting) await open!.progress();
      if (stop === SearchStop.slice || stop === SearchStop.solution) continue;
      const { solutions, nodes, guesses, updates } = search;
      return { stop, found, solutions, nodes, guesses, updates };
    }
  } finally {
    open?.close();
  }
}

/** Its counts, and a digest of its solutions in their order. */
async function digestOf(steps: Iterable<Step>, answer: RecordAnswer) {
  const hash = createHash('sha256');
  for (const step of steps) {
    if (step instanceof Promise) await step;
    if (step === 'solution') hash.update(answer.options);
  }
  const { solutions, nodes, guesses, updates, status, stop } = answer;
  return { solutions, nodes, guesses, updates, status, stop, found: hash.digest('hex') };
}

describe('search threads', () => {
  // A limit of 1 byte: each batch waits until its subproblem is joined next.
  const pools = [searchThreads(1, 1), searchThreads(3)];
  afterAll(() => Promise.all(pools.map((threads) => threads.close())));

  it.each([
    ['every solution', langford(8), {}],
    ['every solution of a problem in WebAssembly', pentominoes(3, 20), {}],
    ['a count', langford(8), { each: false }],
    ['the first 40 solutions', langford(8), { maxSolutions: 40 }],
    ['a count up to 40', langford(8), { maxSolutions: 40, each: false }],
    ['a budget of nodes', langford(8), { maxNodes: 1234 }],
    ['the proof that there is none', langford(9), { maxSolutions: 2 }],
    ['every solution of a problem with multiplicities', reducedDissections(3, 4), {}],
  ])('find %s', async (_name, problem, limits) => {
    const here = await outcomeOf(problem, limits);
    for (const threads of pools) expect(await outcomeOf(problem, limits, threads)).toEqual(here);
  });

  it('wait while solutions that are not joined take too much memory', async () => {
    const problem = latinSquare(5);
    const maxBytes = 500_000;
    const threads = searchThreads(2, maxBytes);
    onTestFinished(() => threads.close());
    let open: OpenSubproblems | undefined;
    const search = new SplitSearch(problem, ALL.maxSolutions, { rule: RULE });
    search.openAnswers = (frontier) => {
      open = threads.open(problem, frontier, ALL);
      return open;
    };
    while (open === undefined) search.run({ ...ALL, sliceNodes: 100, pauseAtSolution: false });
    const { subproblems } = search;
    const linkBytes = open.bytes!;
    // Nothing is joined. 161,280 solutions of 128 bytes: the threads could send them all if they did not wait.
    const waiting = () => open!.bytes! - linkBytes;
    for (let before = -1; before < waiting() || waiting() === 0; ) {
      before = waiting();
      await setTimeout(500);
    }
    expect(open.done).toBeLessThan(subproblems!.all);
    expect(waiting()).toBeGreaterThan(maxBytes / 2);
    expect(waiting()).toBeLessThan(2 * maxBytes + 2 * BATCH_BYTES);
    open.close();
  });

  it.each([
    ['whole', SPLIT_RULE],
    // Few subproblems, which have several solutions.
    ['split', { ...RULE, least: 4, most: 8 }],
  ])(
    'wait with a problem before its turn, %s, while the job searches itself what its turn needs',
    async (_name, splitRule) => {
      const threads = pools[0];
      const problem = langford(11);
      const limits = { ...NO_LIMITS, maxSolutions: 20_000 };
      const options = { clock: systemClock, counting: false, splitRule };
      const started = threads.begin(problem, { limits, counting: false, checkAll: false, splitRule });
      expect(threads.idle).toBe(0);
      // In this time it has found more than may wait; the answer is the same if it has not.
      await setTimeout(300);
      expect(await outcomeOf(langford(7), {}, threads)).toEqual(await outcomeOf(langford(7), {}));
      const [taken, here] = [new RecordAnswer(), new RecordAnswer()];
      const found = await digestOf(takeCover(problem, started, limits, taken, options), taken);
      expect(found).toEqual(await digestOf(searchCover(problem, limits, here, options), here));
    },
  );

  it('report a failure', async () => {
    const problem = { ...langford(8), optionStart: undefined as never };
    const threads = pools[1];
    const subproblems = [0, 1].map(() => ({ selected: [], isGuess: false }));
    const open = threads.open(problem, { subproblems, few: false, learns: false }, ALL);
    await expect(async () => {
      for (;;) {
        open.take(0);
        await open.progress();
      }
    }).rejects.toThrow(TypeError);
  });
});
