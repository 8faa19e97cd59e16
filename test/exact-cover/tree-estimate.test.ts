import { describe, expect, test } from 'vitest';
import { DancingLinks } from '../../lib/exact-cover/dancing-links.ts';
import { openLinks } from '../../lib/exact-cover/open-links.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { searchBytes } from '../../lib/exact-cover/search-memory.ts';
import { estimateTree } from '../../lib/exact-cover/tree-estimate.ts';
import { choices, dominoes, latinSquare } from './board-problems.ts';
import { NO_LIMITS } from './brute-force.ts';
import { knuthExample, langford, queens } from './classic-problems.ts';
import { createProblem } from './create-problem.ts';
import { motleyDissections, reducedDissections } from './known-problems.ts';

const ALL = Number.POSITIVE_INFINITY;

describe('the estimate of a search tree', () => {
  test.each([
    ['whose probes are all the same', choices(10)],
    ['of a problem that is solved at its root', knuthExample()],
    ['of a problem with an item that no option has', createProblem({ primaryCount: 2, options: [[0]] })],
    ['of a problem without items', createProblem({ primaryCount: 0, options: [] })],
  ])('%s is exact', (_name, problem) => {
    const links = new DancingLinks(problem, ALL);
    links.run(NO_LIMITS);
    const { nodes, updates } = links;
    expect(estimateTree(problem)).toMatchObject({ nodes, low: nodes, high: nodes, updates });
  });

  test('has an interval that mostly has the number of nodes', () => {
    let found = 0;
    for (const problem of [queens(8), langford(8), latinSquare(4), dominoes(5, 6)]) {
      const links = new DancingLinks(problem, ALL);
      links.run(NO_LIMITS);
      for (let seed = 1; seed <= 5; seed++) {
        const { low, nodes, high, updates } = estimateTree(problem, 60_000, seed)!;
        expect(low).toBeLessThan(nodes);
        expect(high).toBeGreaterThan(nodes);
        expect(high / low).toBeLessThan(4);
        expect(updates / links.updates).toBeCloseTo(nodes / links.nodes, 0);
        if (low <= links.nodes && links.nodes <= high) found++;
      }
    }
    expect(found).toBeGreaterThanOrEqual(18);
  });

  test('is the same again, and another one with another seed', () => {
    const estimate = (seed: number) => estimateTree(queens(8), 100_000, seed);
    expect(estimate(1)).toEqual(estimate(1));
    expect(estimate(2)).not.toEqual(estimate(1));
  });

  test('is not made of a problem whose links take more than 64 MiB', () => {
    const wide = (optionCount: number) => ({
      primaryCount: 1,
      secondaryCount: 0,
      optionCount,
      optionStart: Int32Array.from({ length: optionCount + 1 }, (_, option) => option),
      items: new Int32Array(optionCount),
    });
    const optionCount = 1_600_000;
    expect(searchBytes(wide(optionCount))).toBeGreaterThan(64 * 2 ** 20);
    expect(estimateTree(wide(optionCount))).toBeUndefined();
  });

  test('of a tree beyond all numbers is finite', () => {
    expect(estimateTree(choices(1100), 1_500_000)!.nodes).toBe(Number.MAX_VALUE);
  });

  test('is not made with too little work', () => {
    expect(estimateTree(queens(8), 1000)).toBeUndefined();
  });

  describe('with multiplicities', () => {
    const searched = (problem: ExactCoverProblem) => {
      const search = openLinks(problem, ALL);
      search.run(NO_LIMITS);
      return search;
    };
    const items = Array.from({ length: 8 }, (_, item) => [item]);
    const plain = createProblem({ primaryCount: 8, options: items });
    const times = (least: number, most: number) => ({
      ...plain,
      multiplicities: { least: new Int32Array(8).fill(least), most: new Int32Array(8).fill(most) },
    });

    test.each([
      ['whose probes are all the same', times(0, 1)],
      ['of a problem that is solved at its root', times(1, 2)],
      ['of a problem with too few options', times(2, 3)],
    ])('%s is exact', (_name, problem) => {
      const { nodes } = searched(problem);
      expect(estimateTree(problem)).toMatchObject({ nodes, low: nodes, high: nodes });
    });

    test('has an interval that mostly has the number of nodes', () => {
      let found = 0;
      for (const problem of [reducedDissections(3, 4), motleyDissections(4, 5)]) {
        const { nodes, updates } = searched(problem);
        for (let seed = 1; seed <= 5; seed++) {
          const { low, high, ...estimate } = estimateTree(problem, 100_000, seed)!;
          expect(estimate.updates / updates).toBeCloseTo(estimate.nodes / nodes, 0);
          if (low <= nodes && nodes <= high) found++;
        }
      }
      expect(found).toBeGreaterThanOrEqual(8);
    });
  });
});
