import { describe, expect, test } from 'vitest';
import { CoverCheck } from '../../lib/batch/covers/cover-check.ts';
import { SearchStop } from '../../lib/exact-cover/dancing-links.ts';
import { NumberedSolutions } from '../../lib/exact-cover/numbered-solutions.ts';
import { choices } from './board-problems.ts';
import { NO_LIMITS } from './brute-force.ts';
import { langford } from './classic-problems.ts';

describe('the numbers of solutions', () => {
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
