import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CheapestSearch } from '../../lib/exact-cover/costs/cheapest-search.ts';
import type { RunLimits } from '../../lib/exact-cover/dancing-links.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { SearchStop } from '../../lib/exact-cover/search.ts';
import { propertyRuns } from '../support/depth.ts';
import { anyProblem, bruteForce, costOf, NO_LIMITS } from './brute-force.ts';
import { queens } from './classic-problems.ts';

const problems = anyProblem({ priced: true });

/** Solutions in the order of the search, each as `cost: options`. */
function solutionsOf(search: CheapestSearch, limits: Partial<RunLimits> = {}): string[] {
  const solutions: string[] = [];
  for (;;) {
    const stop = search.run({ ...NO_LIMITS, ...limits, pauseAtSolution: true });
    if (stop === SearchStop.slice) continue;
    if (search.solutions > solutions.length) {
      const options = search.selected.slice().sort();
      solutions.push(`${search.cost}: ${options.join(' ')}`);
    }
    if (stop !== SearchStop.solution) return solutions;
  }
}

const costsOf = (solutions: readonly string[]) => solutions.map((solution) => Number.parseInt(solution, 10));

describe.each([
  ['in WebAssembly', 5, () => {}],
  ['without WebAssembly', 2, () => void vi.stubGlobal('WebAssembly', undefined)],
])('a search by cost %s', (_name, saving, enter) => {
  beforeEach(enter);
  afterEach(() => vi.unstubAllGlobals());

  test('finds the solutions of brute force, the cheapest first, and knows what those that are left cost at least', () => {
    fc.assert(
      fc.property(problems, fc.integer({ min: 1, max: 9 }), (problem, maxNodes) => {
        const found = solutionsOf(new CheapestSearch(problem));
        const expected = bruteForce(problem);
        expect(found.map((solution) => solution.replace(/^\d+: /, '')).sort()).toEqual(expected);
        const costs = expected.map((solution) => costOf(problem, solution)).sort((a, b) => a - b);
        expect(costsOf(found)).toEqual(costs);
        const early = new CheapestSearch(problem);
        if (early.run({ ...NO_LIMITS, maxNodes, pauseAtSolution: true }) !== SearchStop.nodeLimit) return;
        early.endEarly();
        if (costs.length > 0) expect(early.costBound).toBeLessThanOrEqual(costs[0]!);
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  test('finds the same in as many passes as it likes', () => {
    fc.assert(
      fc.property(problems, fc.integer({ min: 1, max: 3 }), (problem, firstPass) => {
        const all = solutionsOf(new CheapestSearch(problem));
        expect(solutionsOf(new CheapestSearch(problem, firstPass), { sliceNodes: 5 })).toEqual(all);
      }),
      { numRuns: propertyRuns(75) },
    );
  });

  test('continues at a stored place with the rest, in the same order', () => {
    fc.assert(
      fc.property(problems, fc.integer({ min: 0, max: 6 }), (problem, given) => {
        const all = solutionsOf(new CheapestSearch(problem));
        const first = new CheapestSearch(problem, 2);
        for (let k = 0; k < given; k++) first.run({ ...NO_LIMITS, pauseAtSolution: true });
        const second = new CheapestSearch(problem, 3);
        expect(second.resumeAt(JSON.parse(JSON.stringify(first.place())))).toBe(true);
        const start = second.solutions;
        expect(start).toBe(Math.min(given, all.length));
        const rest: string[] = [];
        while (second.run({ ...NO_LIMITS, pauseAtSolution: true }) === SearchStop.solution) {
          rest.push(`${second.cost}: ${second.selected.slice().sort().join(' ')}`);
        }
        expect(rest).toEqual(all.slice(start));
      }),
      { numRuns: propertyRuns(75) },
    );
  });

  /** Queens with the costs 0, 7, 3, ... */
  const pricedQueens = (size: number): ExactCoverProblem => ({
    ...queens(size),
    costs: Float64Array.from({ length: size * size }, (_, option) => (option * option * 7) % 31),
  });

  test('cuts off what is too expensive', () => {
    const nodes = (maxSolutions: number) => {
      const search = new CheapestSearch(pricedQueens(10));
      solutionsOf(search, { maxSolutions });
      return search.nodes;
    };
    expect(nodes(1) * saving).toBeLessThan(nodes(Number.POSITIVE_INFINITY));
    expect(nodes(1)).toBeLessThan(nodes(20));
  });

  test('ends at once after a free solution', () => {
    const search = new CheapestSearch({ ...queens(12), costs: new Float64Array(144) });
    expect(solutionsOf(search, { maxSolutions: 1 })).toHaveLength(1);
    expect(search.nodes).toBeLessThan(500);
  });

  test('gives what it has found when it ends early', () => {
    const search = new CheapestSearch(pricedQueens(10));
    const limits = { ...NO_LIMITS, maxSolutions: 3, maxNodes: 1000, pauseAtSolution: true };
    expect(search.run(limits)).toBe(SearchStop.nodeLimit);
    expect([search.solutions, search.nodes]).toEqual([0, 1000]);
    search.endEarly();
    const found = solutionsOf(search, limits);
    expect(found).toHaveLength(3);
    expect(costsOf(found)).toEqual(costsOf(found).sort((a, b) => a - b));
  });

  test('is exact with costs up to 2^53 - 1', () => {
    const costs = Float64Array.from([2 ** 53 - 3, 1, 1, 2 ** 53 - 3]);
    const problem = {
      primaryCount: 2,
      secondaryCount: 0,
      optionCount: 4,
      optionStart: Int32Array.from([0, 1, 2, 4, 5]),
      items: Int32Array.from([0, 0, 0, 1, 1]),
      costs: costs.map((cost) => Math.floor(cost / 2)),
    };
    expect(costsOf(solutionsOf(new CheapestSearch(problem)))).toEqual([
      0, 4503599627370494, 9007199254740988,
    ]);
  });
});

test('a search by cost keeps at most 64 MiB of solutions in a pass', () => {
  // A solution is one option, but by the multiplicities it may have all 20,000: 160 kB.
  const optionCount = 20_000;
  const problem: ExactCoverProblem = {
    primaryCount: 2,
    secondaryCount: 0,
    optionCount,
    optionStart: Int32Array.from({ length: optionCount + 1 }, (_, option) => 2 * option),
    items: Int32Array.from({ length: 2 * optionCount }, (_, entry) => entry % 2),
    multiplicities: { least: Int32Array.of(1, 0), most: Int32Array.of(1, optionCount) },
    costs: Float64Array.from({ length: optionCount }, (_, option) => option),
  };
  const search = new CheapestSearch(problem);
  const before = search.bytes;
  search.run({ ...NO_LIMITS, pauseAtSolution: true });
  expect(search.bytes - before).toBeGreaterThan(60 * 2 ** 20);
  expect(search.bytes - before).toBeLessThanOrEqual(64 * 2 ** 20);
});
