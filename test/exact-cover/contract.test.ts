/**
 * What every search of the core promises, on the same random problems: with colours, multiplicities and costs, and without, in
 * all combinations. The searches are compared with brute force, and so with each other.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoisedCount } from '../../lib/exact-cover/counting-search.ts';
import type { RunLimits } from '../../lib/exact-cover/dancing-links.ts';
import { openSearch, openStoredSearch, type SolutionSearch } from '../../lib/exact-cover/open-search.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { RandomSolutions } from '../../lib/exact-cover/random-solutions.ts';
import { SearchStop } from '../../lib/exact-cover/search.ts';
import type { SplitRule } from '../../lib/exact-cover/split/split-search.ts';
import { estimateTree } from '../../lib/exact-cover/tree-estimate.ts';
import { propertyRuns } from '../support/depth.ts';
import { NO_LIMITS } from './brute-force.ts';
import { everySolution, familyProblem } from './every-solution.ts';

/** Every kind of problem; each has about as many runs as the others. */
const problems = fc.oneof(familyProblem({ priced: false }), familyProblem({ priced: true }));

/** Splits after a few nodes. */
const SOON: SplitRule = { work: 1, nodes: 3, learningNodes: 3, subproblemWork: 1, least: 4, most: 40 };

/** The most solutions that the searches of this file are asked for. */
const ALL = 1e9;

/** The solutions of a problem, each as its options, ascending and joined; sorted. */
function expectedOf(problem: ExactCoverProblem): string[] {
  return everySolution(problem)
    .map(({ options }) => options.join(' '))
    .sort();
}

/** The solutions of a search in its order, in slices of these lengths. */
function solutionsOf(
  search: SolutionSearch,
  slices: readonly number[] = [Number.POSITIVE_INFINITY],
  limits: Partial<RunLimits> = {},
): string[] {
  const found: string[] = [];
  for (let k = 0; ; k++) {
    const sliceNodes = slices[k % slices.length];
    const stop = search.run({ ...NO_LIMITS, ...limits, sliceNodes, pauseAtSolution: true });
    if (search.solutions > found.length) {
      found.push(search.selected.slice(0, search.selectedCount).sort().join(' '));
    }
    if (stop !== SearchStop.solution && stop !== SearchStop.slice) return found;
  }
}

/** The cost of a solution in this notation. */
function costOf({ costs }: ExactCoverProblem, solution: string): number {
  const options = solution === '' ? [] : solution.split(' ').map(Number);
  return options.reduce((sum, option) => sum + (costs?.[option] ?? 0), 0);
}

const someSlices = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });

/** The number of runs of each property. */
const RUNS = propertyRuns(200);

describe('every search of the core, on any small problem', () => {
  test('enumerates each solution once, in slices of any length', () => {
    let several = 0;
    fc.assert(
      fc.property(problems, someSlices, (problem, slices) => {
        const expected = expectedOf(problem);
        if (expected.length > 1) several++;
        const whole = openSearch(problem, true, ALL);
        const found = solutionsOf(whole);
        expect([...found].sort()).toEqual(expected);
        const cut = openSearch(problem, true, ALL);
        expect(solutionsOf(cut, slices)).toEqual(found);
        expect([cut.nodes, cut.guesses, cut.updates]).toEqual([whole.nodes, whole.guesses, whole.updates]);
      }),
      { numRuns: RUNS },
    );
    // Most of the promises below say nothing about problems without solutions.
    expect(several).toBeGreaterThan(RUNS / 10);
  });

  test('finds as many solutions as are requested, and stops at its budget of nodes', () => {
    fc.assert(
      fc.property(
        problems,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 9 }),
        (problem, maxSolutions, maxNodes) => {
          const expected = expectedOf(problem);
          const found = solutionsOf(openSearch(problem, true, maxSolutions), undefined, { maxSolutions });
          expect(found).toHaveLength(Math.min(maxSolutions, expected.length));
          expect(new Set(found).size).toBe(found.length);
          for (const solution of found) expect(expected).toContain(solution);
          const bounded = openSearch(problem, true, ALL);
          const stop = bounded.run({ ...NO_LIMITS, maxNodes });
          expect(bounded.nodes).toBeLessThanOrEqual(maxNodes);
          if (stop === SearchStop.exhausted) expect(bounded.solutions).toBe(expected.length);
          else expect([stop, bounded.nodes]).toEqual([SearchStop.nodeLimit, maxNodes]);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('gives solutions in the order of their costs, any number of them, also with passes of another length', () => {
    fc.assert(
      fc.property(
        familyProblem({ priced: true }),
        fc.integer({ min: 1, max: 6 }),
        someSlices,
        (problem, maxSolutions, slices) => {
          const expected = expectedOf(problem);
          const found = solutionsOf(openSearch(problem, false, ALL), slices);
          expect([...found].sort()).toEqual(expected);
          const costs = found.map((solution) => costOf(problem, solution));
          expect(costs).toEqual([...costs].sort((a, b) => a - b));
          const first = solutionsOf(openSearch(problem, false, maxSolutions), slices, { maxSolutions });
          expect(first).toEqual(found.slice(0, maxSolutions));
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('finds the same in the same order if it is split', () => {
    let splits = 0;
    fc.assert(
      fc.property(problems, someSlices, (problem, slices) => {
        const split = openSearch(problem, true, ALL, undefined, SOON);
        expect(solutionsOf(split, slices)).toEqual(solutionsOf(openSearch(problem, true, ALL)));
        if ((split.subproblems?.all ?? 0) > 1) splits++;
      }),
      { numRuns: RUNS },
    );
    expect(splits).toBeGreaterThan(RUNS / 40);
  });

  test('continues a stored search with the solutions that are left', () => {
    const orders = fc.constantFrom('any' as const, 1, 3);
    fc.assert(
      fc.property(problems, orders, someSlices, (problem, order, slices) => {
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
          if (stop === SearchStop.solution) found.push(search.solution().join(' '));
          else if (stop === SearchStop.exhausted) break;
          stored = JSON.stringify(search.place());
        }
        expect([...found].sort()).toEqual(expectedOf(problem));
      }),
      { numRuns: RUNS },
    );
  });

  test('counts solutions without finding each, in slices of any length, and continues a stored count', () => {
    fc.assert(
      fc.property(problems, someSlices, (problem, slices) => {
        const { length } = everySolution(problem);
        const whole = new MemoisedCount({ problem });
        expect(whole.run(NO_LIMITS)).toBe(SearchStop.exhausted);
        expect(whole.solutions).toBe(length);
        const cut = new MemoisedCount({ problem });
        for (
          let k = 0;
          cut.run({ ...NO_LIMITS, sliceNodes: slices[k % slices.length] }) === SearchStop.slice;
        )
          k++;
        expect([cut.solutions, cut.nodes, cut.updates]).toEqual([length, whole.nodes, whole.updates]);
        let stored: string | undefined;
        for (let k = 0; ; k++) {
          const place = stored === undefined ? undefined : JSON.parse(stored);
          const count = new MemoisedCount({ problem, place });
          const stop = count.run({ ...NO_LIMITS, maxNodes: count.nodes + 1 + slices[k % slices.length] });
          if (stop === SearchStop.exhausted) {
            expect(count.solutions).toBe(length);
            break;
          }
          stored = JSON.stringify(count.place());
          // What is below a split begins again at each place, so that few nodes at a time may get nowhere.
          if (k > 50) return;
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('finishes what a count has left, solution by solution', () => {
    fc.assert(
      fc.property(problems, fc.integer({ min: 1, max: 12 }), (problem, maxNodes) => {
        const count = new MemoisedCount({ problem });
        count.run({ ...NO_LIMITS, maxNodes });
        const place = JSON.parse(JSON.stringify(count.place()));
        const rest = openStoredSearch(problem, place, 'any', ALL)!;
        expect(rest.run(NO_LIMITS)).toBe(SearchStop.exhausted);
        expect(rest.solutions).toBe(everySolution(problem).length);
      }),
      { numRuns: RUNS },
    );
  });

  test('finds each solution by its number, in slices of any length', () => {
    fc.assert(
      fc.property(problems, someSlices, (problem, slices) => {
        const expected = expectedOf(problem);
        let next = 0;
        const drawn = new RandomSolutions(problem, () => next++);
        const found = solutionsOf(drawn, slices, { maxSolutions: expected.length });
        expect(found.sort()).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
  });

  test('estimates its tree, and knows a tree without choices', () => {
    fc.assert(
      fc.property(problems, (problem) => {
        const search = openSearch(problem, true, ALL);
        search.run(NO_LIMITS);
        const tree = estimateTree(problem);
        if (tree === undefined) return;
        expect(tree.nodes).toBeGreaterThanOrEqual(tree.low);
        expect(tree.nodes).toBeLessThanOrEqual(tree.high);
        if (search.nodes === 1) expect(tree.nodes).toBe(1);
        else expect(Math.abs(tree.nodes / search.nodes - 1)).toBeLessThan(0.5);
      }),
      { numRuns: RUNS },
    );
  });
});
