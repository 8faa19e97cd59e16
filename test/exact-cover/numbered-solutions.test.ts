import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CoverCheck } from '../../lib/batch/covers/cover-check.ts';
import { DancingLinks, SearchStop } from '../../lib/exact-cover/dancing-links.ts';
import { NumberedSolutions } from '../../lib/exact-cover/numbered-solutions.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { propertyRuns } from '../support/depth.ts';
import { boardAndPreselected, choices, dominoes } from './board-problems.ts';
import { bruteForce, NO_LIMITS, problemAndPreselected } from './brute-force.ts';
import { langford, queens } from './classic-problems.ts';

/** The solutions by number, from 0, sorted. @param cacheBytes 0: a cache that keeps its first 64 places */
function everyNumber(problem: ExactCoverProblem, preselected: readonly number[] = [], cacheBytes?: number) {
  const numbered = new NumberedSolutions(problem, preselected, cacheBytes);
  expect(numbered.run(NO_LIMITS)).toBe(SearchStop.exhausted);
  return Array.from({ length: Number(numbered.count) }, (_, number) => {
    numbered.request(number);
    expect(numbered.run(NO_LIMITS)).toBe(SearchStop.exhausted);
    return numbered.solution().join(' ');
  }).sort();
}

function everySolution(problem: ExactCoverProblem, preselected: readonly number[] = []): string[] {
  const links = new DancingLinks(problem);
  links.reset(preselected);
  const found: string[] = [];
  while (links.run({ ...NO_LIMITS, pauseAtSolution: true }) === SearchStop.solution) {
    found.push(
      Array.from(links.selected.subarray(0, links.selectedCount))
        .sort((a, b) => a - b)
        .join(' '),
    );
  }
  return found.sort();
}

describe('the numbers of solutions', () => {
  test('are one for each solution of any small problem', () => {
    fc.assert(
      fc.property(problemAndPreselected, ([problem, preselected]) => {
        expect(everyNumber(problem, preselected)).toEqual(bruteForce(problem, preselected));
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  test('are one for each solution of any board, with any cache', () => {
    fc.assert(
      fc.property(boardAndPreselected, fc.constantFrom(undefined, 0), ([problem, preselected], bytes) => {
        const solutions = everySolution(problem, preselected);
        fc.pre(solutions.length <= 2000);
        expect(everyNumber(problem, preselected, bytes)).toEqual(solutions);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  test.each([
    ['queens of order 7', queens(7)],
    ['Langford pairs of 7', langford(7)],
    ['dominoes on 4x5', dominoes(4, 5)],
  ])('are one for each solution of %s', (_name, problem) => {
    expect(everyNumber(problem)).toEqual(everySolution(problem));
  });

  test('go beyond 2^53', () => {
    const numbered = new NumberedSolutions(choices(60));
    numbered.run(NO_LIMITS);
    expect(numbered.count).toBe(2n ** 60n);
    const solutions = new Set<string>();
    const numbers = [0, 1, 2n ** 59n, 2n ** 60n - 1n, 2n ** 60n - 2n, 2n ** 54n + 1n, 2n ** 54n];
    for (const number of numbers) {
      numbered.request(number);
      numbered.run(NO_LIMITS);
      expect(new CoverCheck(choices(60)).isSolution(numbered.solution(), 60)).toBe(true);
      solutions.add(numbered.solution().join(' '));
    }
    expect(solutions.size).toBe(numbers.length);
    expect(() => numbered.request(2n ** 60n)).toThrow(RangeError);
  });

  test('are the same in slices, with the same nodes, and a budget holds', () => {
    const problem = langford(7);
    const whole = new NumberedSolutions(problem, [], 0);
    const cut = new NumberedSolutions(problem, [], 0);
    for (const number of [undefined, 0, 17, 51, 30]) {
      for (const search of [whole, cut]) if (number !== undefined) search.request(number);
      whole.run(NO_LIMITS);
      const spent = cut.nodes;
      if (whole.nodes > spent) {
        expect(cut.run({ ...NO_LIMITS, maxNodes: whole.nodes - 1 })).toBe(SearchStop.nodeLimit);
        expect(cut.nodes).toBe(whole.nodes - 1);
      }
      while (cut.run({ ...NO_LIMITS, sliceNodes: 3 }) !== SearchStop.exhausted);
      expect([cut.nodes, cut.count, cut.solution()]).toEqual([whole.nodes, whole.count, whole.solution()]);
    }
  });
});
