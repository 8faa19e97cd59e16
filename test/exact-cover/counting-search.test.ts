import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CountingSearch,
  ORDINARY_NODES,
  ORDINARY_WORK,
  type OrdinarySearch,
} from '../../lib/exact-cover/counting-search.ts';
import { DancingLinks, SearchStop } from '../../lib/exact-cover/dancing-links.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { workOf } from '../../lib/exact-cover/work.ts';
import { propertyRuns } from '../support/depth.ts';
import { choices, dominoes } from './board-problems.ts';
import { NO_LIMITS } from './brute-force.ts';
import { queens } from './classic-problems.ts';

interface Outcome {
  readonly stop: SearchStop;
  readonly solutions: number | bigint;
  readonly nodes: number;
}

function count(
  problem: ExactCoverProblem,
  limits: Partial<typeof NO_LIMITS> = {},
  wrap: (links: DancingLinks) => OrdinarySearch = (links) => links,
): Outcome {
  const links = new DancingLinks(problem, Number.POSITIVE_INFINITY);
  const search = new CountingSearch(wrap(links), () => ({ problem }));
  let stop: SearchStop;
  do {
    stop = search.run({ ...NO_LIMITS, ...limits });
  } while (stop === SearchStop.slice);
  return { stop, solutions: search.solutions, nodes: search.nodes };
}

function ordinary(problem: ExactCoverProblem): DancingLinks {
  const links = new DancingLinks(problem, Number.POSITIVE_INFINITY);
  links.run(NO_LIMITS);
  return links;
}

describe('counting', () => {
  test.each<[string, ExactCoverProblem, number | bigint]>([
    ['with many solutions', dominoes(8, 8), 12_988_816],
    ['with 2^60 solutions', choices(60), 1_152_921_504_606_846_976n],
    ['without a solution', dominoes(10, 10, [0, 99]), 0],
  ])('a large problem %s takes few nodes more', (_name, problem, solutions) => {
    const { nodes, ...outcome } = count(problem);
    expect(outcome).toEqual({ stop: SearchStop.exhausted, solutions });
    expect(nodes).toBeGreaterThan(ORDINARY_NODES);
    expect(nodes).toBeLessThan(ORDINARY_WORK / workOf(1, 0) + 6000);
  });

  test('a problem for which a cache is of no use costs little more than the ordinary search', () => {
    const { nodes } = ordinary(queens(11));
    expect(nodes).toBeGreaterThan(ORDINARY_NODES);
    // Without a number of updates, it is tried early.
    const counted = count(queens(11), {}, (links) => ({
      get nodes() {
        return links.nodes;
      },
      get solutions() {
        return links.solutions;
      },
      run: (limits) => links.run(limits),
    }));
    expect(counted).toEqual({ stop: SearchStop.exhausted, solutions: 2680, nodes: nodes + 4097 });
  });

  test('in slices of any size gives the same', () => {
    for (const problem of [dominoes(9, 8), queens(11)]) {
      const whole = count(problem);
      expect(count(problem, { sliceNodes: 977 })).toEqual(whole);
    }
  });

  test('stops at any budget with solutions that exist, and continues to the same count', () => {
    const problem = dominoes(9, 8);
    const whole = count(problem);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: whole.nodes - 1 }), (maxNodes) => {
        const search = new CountingSearch(new DancingLinks(problem, Number.POSITIVE_INFINITY), () => ({
          problem,
        }));
        let stop: SearchStop;
        do {
          stop = search.run({ ...NO_LIMITS, maxNodes });
        } while (stop === SearchStop.slice);
        expect([stop, search.nodes]).toEqual([SearchStop.nodeLimit, maxNodes]);
        expect(search.solutions).toBeLessThanOrEqual(Number(whole.solutions));
        do {
          stop = search.run(NO_LIMITS);
        } while (stop === SearchStop.slice);
        expect({ stop, solutions: search.solutions, nodes: search.nodes }).toEqual(whole);
      }),
      { numRuns: propertyRuns(5) },
    );
  });

  test('stops at the requested number of solutions', () => {
    for (const maxSolutions of [3, 12_000, 1_000_000]) {
      expect(count(dominoes(8, 8), { maxSolutions })).toMatchObject({
        stop: SearchStop.solutionLimit,
        solutions: maxSolutions,
      });
    }
  });

  test('finds a solution to show if the ordinary search has found none before', () => {
    const problem = dominoes(8, 8);
    const links = new DancingLinks(problem, Number.POSITIVE_INFINITY);
    // An ordinary search that finds its first solution late.
    const late = {
      get nodes() {
        return links.nodes;
      },
      get solutions() {
        return links.nodes > ORDINARY_NODES ? links.solutions : 0;
      },
      run: (limits: typeof NO_LIMITS) =>
        links.run({ ...limits, pauseAtSolution: limits.pauseAtSolution && links.nodes >= ORDINARY_NODES }),
    };
    const search = new CountingSearch(late, () => ({ problem }));
    const stops = new Set<SearchStop>();
    let stop: SearchStop;
    do {
      stop = search.run({ ...NO_LIMITS, pauseAtSolution: late.solutions === 0 });
      stops.add(stop);
    } while (stop !== SearchStop.exhausted);
    expect(stops).toContain(SearchStop.solution);
    expect(late.solutions).toBeGreaterThan(0);
    expect(search.solutions).toBe(12_988_816);
  });
});
