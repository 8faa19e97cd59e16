import { describe, expect, test } from 'vitest';
import { CoverCheck } from '../../lib/batch/solving/cover-check.ts';
import { SearchStop } from '../../lib/exact-cover/dancing-links.ts';
import { RandomSolutions } from '../../lib/exact-cover/random-solutions.ts';
import type { SolutionCount } from '../../lib/exact-cover/solution-count.ts';
import { choices } from './board-problems.ts';
import { NO_LIMITS } from './brute-force.ts';
import { langford } from './classic-problems.ts';

/** Draws these numbers, one after the other. */
function drawing(numbers: readonly SolutionCount[]): () => SolutionCount {
  let drawn = 0;
  return () => numbers[drawn++];
}

describe('drawn solutions', () => {
  test('have numbers beyond 2^53', () => {
    const numbers = [0, 1, 2n ** 59n, 2n ** 60n - 1n, 2n ** 60n - 2n, 2n ** 54n + 1n, 2n ** 54n];
    const search = new RandomSolutions(choices(60), drawing(numbers));
    const check = new CoverCheck(choices(60));
    const solutions = new Set<string>();
    for (let k = 1; k <= numbers.length; k++) {
      expect(search.run({ ...NO_LIMITS, maxSolutions: k })).toBe(SearchStop.solutionLimit);
      expect(check.isSolution(search.selected)).toBe(true);
      solutions.add(search.selected.join(' '));
    }
    expect(search.total).toBe(2n ** 60n);
    expect(solutions.size).toBe(numbers.length);
  });

  test('are the same in slices, with the same nodes, and a budget holds', () => {
    const [whole, cut] = [0, 1].map(() => new RandomSolutions(langford(7), drawing([0, 17, 51, 30]), [], 0));
    for (let maxSolutions = 1; maxSolutions <= 4; maxSolutions++) {
      const limits = { ...NO_LIMITS, maxSolutions };
      whole.run(limits);
      expect(cut.run({ ...limits, maxNodes: whole.nodes - 1 })).toBe(SearchStop.nodeLimit);
      expect(cut.nodes).toBe(whole.nodes - 1);
      while (cut.run({ ...limits, sliceNodes: 3 }) === SearchStop.slice);
      expect([cut.nodes, cut.total, cut.selected]).toEqual([whole.nodes, whole.total, whole.selected]);
    }
  });
});
