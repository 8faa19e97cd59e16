/**
 * What every search of the core promises, on the same random problems: with colours, multiplicities and costs, and without, in
 * all combinations. The searches are compared with brute force, and so with each other.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DancingLinks, type RunLimits } from '../../lib/exact-cover/dancing-links.ts';
import { MemoSearch } from '../../lib/exact-cover/memo-search.ts';
import { openSearch, openStoredSearch, type SolutionSearch } from '../../lib/exact-cover/open-search.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { RandomSolutions } from '../../lib/exact-cover/random-solutions.ts';
import { ResumableSearch } from '../../lib/exact-cover/resumable-search.ts';
import { type SearchCounts, SearchStop } from '../../lib/exact-cover/search.ts';
import type { SplitRule } from '../../lib/exact-cover/split/split-search.ts';
import { estimateTree } from '../../lib/exact-cover/tree-estimate.ts';
import { propertyRuns } from '../support/depth.ts';
import { boardProblem, dominoes } from './board-problems.ts';
import { anyProblem, bruteForce, costOf, NO_LIMITS, withDecisions } from './brute-force.ts';
import { langford, queens } from './classic-problems.ts';
import { createProblem } from './create-problem.ts';
import { SEARCHES } from './searches.ts';

/** Every kind of problem. */
const problems = fc
  .oneof({ weight: 3, arbitrary: anyProblem() }, { weight: 1, arbitrary: boardProblem })
  .filter((problem) => bruteForce(problem).length <= 1000);
/** Problems without multiplicities, and options that are in: as subproblems and stored searches have them. */
const selected = withDecisions(
  problems.filter(({ multiplicities }) => multiplicities === undefined),
  false,
);

const decided = fc.oneof(withDecisions(anyProblem({ repeated: true }), true), selected);

/** Splits after a few nodes. */
const SOON: SplitRule = { work: 1, nodes: 3, learningNodes: 3, subproblemWork: 1, least: 4, most: 40 };

/** The most solutions that the searches of this file are asked for. */
const ALL = 1e9;

/** The solutions of a search in its order, in slices of these lengths. */
function solutionsOf(
  search: Omit<SolutionSearch, 'bytes'>,
  slices: readonly number[] = [Number.POSITIVE_INFINITY],
  limits: Partial<RunLimits> = {},
): string[] {
  const found: string[] = [];
  for (let k = 0; ; k++) {
    const sliceNodes = slices[k % slices.length];
    const stop = search.run({ ...NO_LIMITS, ...limits, sliceNodes, pauseAtSolution: true });
    if (search.solutions > found.length) {
      found.push(search.selected.slice().sort().join(' '));
    }
    if (stop !== SearchStop.solution && stop !== SearchStop.slice) return found;
  }
}

const countsOf = ({ solutions, nodes, guesses, updates }: SearchCounts) => ({
  solutions,
  nodes,
  guesses,
  updates,
});

const someSlices = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
/** Bytes of the default cache, and of one that keeps its first 64 places. */
const caches = fc.constantFrom(undefined, 0);

/** The number of runs of each property. */
const RUNS = propertyRuns(100);

/** Checks a promise on random arguments. */
function promise<T extends unknown[]>(
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  check: (...values: T) => void,
): void {
  fc.assert(
    fc.property(...(arbitraries as [fc.Arbitrary<unknown>]), check as unknown as (value: unknown) => void),
    {
      numRuns: RUNS,
    },
  );
}

describe.each(SEARCHES)('dancing links in $name, on any small problem', ({ createSearch }) => {
  const wanted = fc.constantFrom(1, ALL);

  test('find each solution with some decisions once, in slices of any length, and again', () => {
    let several = 0;
    promise([decided, wanted, someSlices], ([problem, decisions], most, slices) => {
      const expected = bruteForce(problem, decisions);
      if (expected.length > 1) several++;
      const whole = new DancingLinks(problem, most, createSearch);
      whole.reset(decisions);
      const found = solutionsOf(whole);
      expect([...found].sort()).toEqual(expected);
      const counts = countsOf(whole);
      const cut = new DancingLinks(problem, most, createSearch);
      cut.run({ ...NO_LIMITS, maxNodes: slices[0] });
      cut.reset(decisions);
      expect(solutionsOf(cut, slices)).toEqual(found);
      expect(countsOf(cut)).toEqual(counts);
    });
    // Most of the promises below say nothing about problems without solutions.
    expect(several).toBeGreaterThan(RUNS / 10);
  });
});

describe('every search of the core, on any small problem', () => {
  test('finds as many solutions as are requested, and stops at its budget of nodes', () => {
    const upTo = (max: number) => fc.integer({ min: 1, max });
    promise([problems, upTo(5), upTo(9)], (problem, maxSolutions, maxNodes) => {
      const expected = bruteForce(problem);
      const found = solutionsOf(openSearch(problem, true, maxSolutions), undefined, { maxSolutions });
      expect(new Set(found).size).toBe(Math.min(maxSolutions, expected.length));
      for (const solution of found) expect(expected).toContain(solution);
      const bounded = openSearch(problem, true, ALL);
      const stop = bounded.run({ ...NO_LIMITS, maxNodes });
      if (stop === SearchStop.exhausted) expect(bounded.solutions).toBe(expected.length);
      else expect([stop, bounded.nodes]).toEqual([SearchStop.nodeLimit, maxNodes]);
    });
  });

  test('gives solutions in the order of their costs, any number of them', () => {
    const few = fc.integer({ min: 1, max: 6 });
    promise([anyProblem({ priced: true }), few, someSlices], (problem, maxSolutions, slices) => {
      const found = solutionsOf(openSearch(problem, false, ALL), slices);
      expect([...found].sort()).toEqual(bruteForce(problem));
      const costs = found.map((solution) => costOf(problem, solution));
      expect(costs).toEqual([...costs].sort((a, b) => a - b));
      const first = solutionsOf(openSearch(problem, false, maxSolutions), slices, { maxSolutions });
      expect(first).toEqual(found.slice(0, maxSolutions));
    });
  });

  test('finds the same in the same order and as many nodes if it is split', () => {
    let splits = 0;
    promise([problems, someSlices], (problem, slices) => {
      const whole = openSearch(problem, true, ALL);
      const split = openSearch(problem, true, ALL, undefined, SOON);
      expect(solutionsOf(split, slices)).toEqual(solutionsOf(whole));
      expect([split.nodes, split.guesses]).toEqual([whole.nodes, whole.guesses]);
      if ((split.subproblems?.all ?? 0) > 1) splits++;
    });
    expect(splits).toBeGreaterThan(RUNS / 40);
  });

  test('continues a stored search with the solutions that are left, or counts these', () => {
    promise([problems, fc.constantFrom('any' as const, 1, 3), someSlices], (problem, order, slices) => {
      const expected = bruteForce(problem);
      const found: string[] = [];
      let stored: string | undefined;
      for (let k = 0; ; k++) {
        const place = stored === undefined ? undefined : JSON.parse(stored);
        const search = openStoredSearch(problem, place, order, ALL)!;
        expect(search.solutions).toBe(found.length);
        // A pass of a search by cost begins again at each place, so that it gets nowhere in a few nodes.
        const isByCost = problem.costs !== undefined && order !== 'any';
        const maxNodes = isByCost ? Number.POSITIVE_INFINITY : search.nodes + 1 + slices[k % slices.length];
        const stop = search.run({ ...NO_LIMITS, maxNodes, pauseAtSolution: true });
        if (stop === SearchStop.solution) found.push(search.selected.slice().sort().join(' '));
        else if (stop === SearchStop.exhausted) break;
        stored = JSON.stringify(search.place());
        if (isByCost || k > 3) continue;
        const count = new ResumableSearch(new MemoSearch(problem), JSON.parse(stored));
        while (count.links.isWorthwhile && count.run(NO_LIMITS) !== SearchStop.exhausted);
        expect(count.solutions).toBe(expected.length);
      }
      expect([...found].sort()).toEqual(expected);
    });
  });

  test('counts solutions without finding each, with any cache, in slices of any length', () => {
    promise([decided, caches, someSlices], ([problem, decisions], cacheBytes, slices) => {
      const { length } = bruteForce(problem, decisions);
      const whole = new MemoSearch(problem, cacheBytes, false);
      // One cache serves several searches.
      for (const options of [[], decisions]) {
        whole.reset(options);
        expect(whole.run(NO_LIMITS)).toBe(SearchStop.exhausted);
      }
      expect(whole.solutions).toBe(length);
      const [first, cut] = [0, 1].map(() => new MemoSearch(problem, 0, false));
      first.reset(decisions);
      first.run(NO_LIMITS);
      cut.reset(decisions);
      for (let k = 0; cut.run({ ...NO_LIMITS, sliceNodes: slices[k % slices.length] }) === SearchStop.slice; )
        k++;
      expect([cut.solutions, cut.nodes, cut.updates]).toEqual([length, first.nodes, first.updates]);
    });
  });

  test('continues a stored count, or finishes it solution by solution', () => {
    promise([problems, someSlices], (problem, slices) => {
      const { length } = bruteForce(problem);
      let stored: string | undefined;
      // What is below a split begins again at each place, so that few nodes at a time may get nowhere.
      for (let k = 0; k < 50; k++) {
        const place = stored === undefined ? undefined : JSON.parse(stored);
        const count = new ResumableSearch(new MemoSearch(problem), place);
        const stop = count.run({ ...NO_LIMITS, maxNodes: count.nodes + 1 + slices[k % slices.length] });
        expect(Number(count.solutions)).toBeLessThanOrEqual(length);
        if (stop === SearchStop.exhausted) {
          expect(count.solutions).toBe(length);
          break;
        }
        stored = JSON.stringify(count.place());
        const rest = openStoredSearch(problem, JSON.parse(stored), 'any', ALL)!;
        expect(rest.run(NO_LIMITS)).toBe(SearchStop.exhausted);
        expect(rest.solutions).toBe(length);
      }
    });
  });

  test('draws each solution by its number, with any cache, in slices of any length', () => {
    promise(
      [withDecisions(problems, false), caches, someSlices],
      ([problem, decisions], cacheBytes, slices) => {
        const expected = bruteForce(problem, decisions);
        let next = 0;
        const drawn = new RandomSolutions(problem, () => next++, decisions, cacheBytes);
        expect(solutionsOf(drawn, slices, { maxSolutions: expected.length }).sort()).toEqual(expected);
        if (expected.length > 0) expect(drawn.total).toBe(expected.length);
      },
    );
  });

  test('finds every solution in the memory of a search that was released before its end', () => {
    promise([problems, problems, someSlices], (before, problem, [maxNodes]) => {
      for (const anyOrder of [true, false]) {
        const released = openSearch(before, anyOrder, ALL);
        released.run({ ...NO_LIMITS, maxNodes });
        released.release?.();
        const search = openSearch(problem, anyOrder, ALL);
        expect(solutionsOf(search).sort()).toEqual(bruteForce(problem));
        search.release?.();
      }
    });
  });

  test('estimates its tree, and knows a tree without choices', () => {
    promise([problems], (problem) => {
      const search = openSearch(problem, true, ALL);
      search.run(NO_LIMITS);
      const tree = estimateTree(problem);
      if (tree === undefined) return;
      expect(tree.nodes).toBeGreaterThanOrEqual(tree.low);
      expect(tree.nodes).toBeLessThanOrEqual(tree.high);
      if (search.nodes === 1) expect(tree.nodes).toBe(1);
      else expect(Math.abs(tree.nodes / search.nodes - 1)).toBeLessThan(0.5);
    });
  });
});

/** Nine of 27 options, each with three items that fit nine times: paths are much longer than the list of items. */
function longPaths(): ExactCoverProblem {
  const options = Array.from({ length: 27 }, (_, option) => [0, 1, 2, 3 + (option % 9)]);
  return {
    ...createProblem({ primaryCount: 12, options }),
    multiplicities: {
      least: new Int32Array(12).fill(1).fill(9, 0, 3),
      most: new Int32Array(12).fill(1).fill(9, 0, 3),
    },
  };
}

test.each<[string, ExactCoverProblem, number]>([
  ['with paths much longer than the list of items', longPaths(), 3 ** 9],
  ['of 8 queens', queens(8), 92],
  ['of Langford pairs of 7', langford(7), 52],
  ['of dominoes on 6x6', dominoes(6, 6), 6728],
])('all searches agree on a larger problem %s', (_name, problem, count) => {
  const priced = { ...problem, costs: Float64Array.from({ length: problem.optionCount }, (_, k) => k % 7) };
  const enumerated = openSearch(problem, true, ALL);
  expect(enumerated.run(NO_LIMITS)).toBe(SearchStop.exhausted);
  const split = openSearch(problem, true, ALL, undefined, { ...SOON, nodes: 50 });
  split.run(NO_LIMITS);
  expect([split.solutions, split.nodes]).toEqual([enumerated.solutions, enumerated.nodes]);
  const counted = new MemoSearch(problem, undefined, false);
  counted.run(NO_LIMITS);
  expect([enumerated.solutions, counted.solutions]).toEqual([count, count]);
  const best = openSearch(priced, false, 20);
  const cheapest = solutionsOf(best, undefined, { maxSolutions: 20 }).map((one) => costOf(priced, one));
  const costs: number[] = [];
  const every = openSearch(priced, true, ALL);
  while (every.run({ ...NO_LIMITS, pauseAtSolution: true }) === SearchStop.solution) {
    costs.push(costOf(priced, every.selected.slice().join(' ')));
  }
  expect(cheapest).toEqual(costs.sort((a, b) => a - b).slice(0, 20));
  const stored = openStoredSearch(problem, undefined, 'any', ALL)!;
  stored.run({ ...NO_LIMITS, maxNodes: 40 });
  const rest = openStoredSearch(problem, JSON.parse(JSON.stringify(stored.place())), 'any', ALL)!;
  rest.run(NO_LIMITS);
  expect(rest.solutions).toBe(count);
});

describe('what is not possible is refused', () => {
  test('a place of another kind of search', () => {
    const cost = { latest: 1, given: 1 };
    expect(openStoredSearch(queens(4), { solutions: 1, nodes: 1, cost }, 'any', ALL)).toBeUndefined();
    const priced = { ...queens(4), costs: new Float64Array(16) };
    const branches = [{ selected: [], untried: [1] }];
    expect(openStoredSearch(priced, { solutions: 0, nodes: 1, branches }, 1, ALL)).toBeUndefined();
  });
});
