/** Threads search the problems of a file before their turn: the same result files as by one thread. */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Clock } from '../../lib/batch/ports.ts';
import type { BlockSolver } from '../../lib/batch/solving/block-solver.ts';
import type { ProblemSolver } from '../../lib/batch/solving/subproblem-solver.ts';
import { SPLIT_RULE } from '../../lib/exact-cover/split/split-search.ts';
import { systemClock } from '../../lib/node/system.ts';
import { RandomSource } from '../../lib/sudoku/generator/random-source.ts';
import { smallProblem } from '../exact-cover/brute-force.ts';
import { langford, pentominoes } from '../exact-cover/classic-problems.ts';
import { sparseText } from '../formats/exact-cover/problem-files.ts';
import { propertyRuns, runSeed } from '../support/depth.ts';
import { resultFiles } from '../support/run-job.ts';
import { type SearchThreads, searchThreads } from './threads.ts';

/** A clock that is ahead, so that each search has lasted long enough for other threads. */
const fastClock: Clock = {
  monotonicMs: () => systemClock.monotonicMs() * 1e6,
  timeOfDay: () => systemClock.timeOfDay(),
};

/** Problems that are split, and others: unreadable, unsolvable, trivial, and one with several solutions. */
const PROBLEMS = [
  sparseText(langford(6)),
  sparseText(langford(7)),
  sparseText(langford(8)),
  sparseText(pentominoes(3, 20)),
  '3\n0 1\n0 7\n',
  '3\n0 1\n1 2\n',
  '2\n0 1\n',
  '3\n0 1\n1 2\n0\n2\n',
];

const OPTIONS: readonly Readonly<Record<string, string>>[] = [
  {},
  { solutions: 'all', output: 'jsonl' },
  { solutions: '1' },
  { solutions: '30', 'max-nodes': '700' },
  { 'max-nodes': '333' },
];

/** Few subproblems, which have several solutions. */
const RULE = { ...SPLIT_RULE, work: 1, nodes: 100, least: 4, most: 8 };

/** A job whose problems these threads may begin, and how many they have begun. */
function elsewhere(threads: SearchThreads) {
  let begun = 0;
  const problems: ProblemSolver = {
    get idle() {
      return threads.idle;
    },
    begin: (problem, request) => {
      begun++;
      return threads.begin(problem, request);
    },
    turn: () => threads.turn(),
  };
  const solver: BlockSolver = {
    ...{ workers: 2, depth: 1, sharedMemory: true, subproblems: threads, problems },
    solve: () => Promise.reject(new Error('an exact-cover file has no blocks')),
  };
  return { dependencies: { clock: fastClock, solver, splitRule: RULE }, begun: () => begun };
}

describe('threads that search problems before their turn', () => {
  // A limit of 1 byte: each batch waits for its turn, or its thread leaves.
  const pools = [searchThreads(1), searchThreads(3), searchThreads(2, 1)];
  afterAll(() => Promise.all(pools.map((threads) => threads.close())));
  const random = new RandomSource(runSeed());

  it.each(OPTIONS)('give the same files with %o', async (options) => {
    let begun = 0;
    for (let file = 0; file < propertyRuns(3); file++) {
      const count = 2 + random.below(9);
      const text = Array.from({ length: count }, () => PROBLEMS[random.below(PROBLEMS.length)]).join('\n');
      const given = { format: 'sparse', records: 'true', ...options };
      const countOnly = random.below(3) === 0;
      const checkAll = random.below(2) === 0;
      const here = await resultFiles(text, given, { dependencies: { splitRule: RULE, checkAll }, countOnly });
      for (const threads of pools) {
        const job = elsewhere(threads);
        const dependencies = { ...job.dependencies, checkAll };
        const there = await resultFiles(text, given, { dependencies, countOnly });
        // Each thread has links of its own.
        const { maxBytes } = here;
        expect({ ...there, maxBytes }).toEqual(here);
        begun += job.begun();
      }
    }
    expect(begun).toBeGreaterThan(0);
  });

  it('give the same files for random small problems', async () => {
    const plain = smallProblem.filter(
      ({ primaryCount, colours }) => primaryCount > 0 && colours === undefined,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(plain, { minLength: 2, maxLength: 30 }), async (problems) => {
        const text = problems.map((problem) => sparseText(problem)).join('\n');
        const options = { format: 'sparse', records: 'true', solutions: 'all', output: 'jsonl' };
        const here = await resultFiles(text, options);
        const { dependencies } = elsewhere(pools[1]);
        expect(await resultFiles(text, options, { dependencies })).toEqual(here);
      }),
      { numRuns: propertyRuns(10) },
    );
  });
});
