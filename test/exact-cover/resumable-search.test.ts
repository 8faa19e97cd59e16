/** A search that is stored and continued finds each solution once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SearchStop } from '../../lib/exact-cover/dancing-links.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { ResumableSearch, type SearchPlace } from '../../lib/exact-cover/resumable-search.ts';
import { propertyRuns } from '../support/depth.ts';
import { bruteForce, NO_LIMITS, smallProblem } from './brute-force.ts';
import { knuthExample, langford, pentominoes, queens } from './classic-problems.ts';

/**
 * All solutions of a problem by a search that is stored as JSON and continued after each step of at most `steps[k]` nodes,
 * or after each solution.
 */
function solutionsInSteps(problem: ExactCoverProblem, steps: readonly number[]): string[] {
  const found: string[] = [];
  let stored = '{"solutions":0,"nodes":0}';
  for (let k = 0; ; k++) {
    const search = new ResumableSearch(problem, JSON.parse(stored) as SearchPlace);
    const maxNodes = search.nodes + steps[k % steps.length];
    const stop = search.run({ ...NO_LIMITS, maxNodes, pauseAtSolution: true });
    if (stop === SearchStop.solution) found.push(search.solution().join(' '));
    else if (stop === SearchStop.exhausted) return found;
    expect(search.solutions).toBe(found.length);
    stored = JSON.stringify(search.place());
  }
}

describe('a search that is stored and continued', () => {
  it('finds each solution of small problems once, for steps of any length', () => {
    fc.assert(
      fc.property(
        smallProblem,
        fc.array(fc.integer({ min: 2, max: 9 }), { minLength: 1 }),
        (problem, steps) => {
          expect(solutionsInSteps(problem, steps).sort()).toEqual(bruteForce(problem));
        },
      ),
      { numRuns: propertyRuns(150) },
    );
  });

  it.each([
    ["Knuth's example", knuthExample(), 1, [2]],
    ['8 queens', queens(8), 92, [2, 7, 40]],
    ['Langford pairs of 7', langford(7), 52, [3, 100]],
    // Large enough for WebAssembly, whose addresses are bytes.
    ['pentominoes in 3x20', pentominoes(3, 20), 8, [5000, 137, 2500]],
  ])('finds all solutions of %s', (_name, problem, count, steps) => {
    const found = solutionsInSteps(problem, steps);
    expect(new Set(found).size).toBe(count);
    expect(found.length).toBe(count);
  });

  it('has an empty rest once it is exhausted', () => {
    const search = new ResumableSearch(queens(6));
    search.run(NO_LIMITS);
    expect(search.place()).toEqual({ solutions: 4, nodes: search.nodes, branches: [] });
    const continued = new ResumableSearch(queens(6), search.place());
    expect(continued.run(NO_LIMITS)).toBe(SearchStop.exhausted);
    expect(continued.solutions).toBe(4);
  });
});
