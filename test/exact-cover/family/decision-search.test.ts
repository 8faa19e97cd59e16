import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunLimits } from '../../../lib/exact-cover/dancing-links.ts';
import { DecisionSearch } from '../../../lib/exact-cover/family/decision-search.ts';
import type { ExactCoverProblem } from '../../../lib/exact-cover/problem.ts';
import { SearchStop } from '../../../lib/exact-cover/search.ts';
import { DEEP, propertyRuns } from '../../support/depth.ts';
import { NO_LIMITS } from '../brute-force.ts';
import { queens } from '../classic-problems.ts';
import { everySolution, familyProblem } from './brute-force.ts';
import { motleyDissections, reducedDissections } from './known-problems.ts';

const problems = familyProblem({ priced: false });

/** The solutions of the rest of a search, in its order. */
function solutionsOf(search: DecisionSearch, limits: Partial<RunLimits> = {}): string[] {
  const solutions: string[] = [];
  for (;;) {
    const stop = search.run({ ...NO_LIMITS, ...limits, pauseAtSolution: true });
    if (stop === SearchStop.solution) {
      solutions.push(search.selected.slice(0, search.selectedCount).sort().join(' '));
    } else if (stop !== SearchStop.slice) return solutions;
  }
}

function count(problem: ExactCoverProblem): number {
  const search = new DecisionSearch(problem);
  expect(search.run(NO_LIMITS)).toBe(SearchStop.exhausted);
  return search.solutions;
}

describe('a search with multiplicities', () => {
  test('finds exactly the solutions of brute force, each once', () => {
    let several = 0;
    fc.assert(
      fc.property(problems, (problem) => {
        const expected = everySolution(problem).map(({ options }) => options.join(' '));
        if (expected.length > 1) several++;
        expect(solutionsOf(new DecisionSearch(problem)).sort()).toEqual(expected.sort());
      }),
      { numRuns: propertyRuns(300) },
    );
    expect(several).toBeGreaterThan(propertyRuns(300) / 10);
  });

  test('gives the same in slices', () => {
    fc.assert(
      fc.property(problems, fc.integer({ min: 1, max: 5 }), (problem, sliceNodes) => {
        const whole = new DecisionSearch(problem);
        const sliced = new DecisionSearch(problem);
        expect(solutionsOf(sliced, { sliceNodes })).toEqual(solutionsOf(whole));
        expect([sliced.nodes, sliced.guesses, sliced.updates]).toEqual([
          whole.nodes,
          whole.guesses,
          whole.updates,
        ]);
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  test('continues at a stored place with the rest, in the same order', () => {
    fc.assert(
      fc.property(problems, fc.integer({ min: 1, max: 12 }), (problem, maxNodes) => {
        const whole = solutionsOf(new DecisionSearch(problem));
        const first = new DecisionSearch(problem);
        const before = solutionsOf(first, { maxNodes });
        const second = new DecisionSearch(problem);
        expect(second.resumeAt(JSON.parse(JSON.stringify(first.place())))).toBe(true);
        expect([...before, ...solutionsOf(second)]).toEqual(whole);
        expect(second.solutions).toBe(whole.length);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('restores every link, wherever it stopped', () => {
    fc.assert(
      fc.property(problems, fc.integer({ min: 1, max: 9 }), (problem, maxNodes) => {
        const search = new DecisionSearch(problem);
        const fresh = solutionsOf(new DecisionSearch(problem));
        search.run({ ...NO_LIMITS, maxNodes });
        search.restart();
        search.solutions = 0;
        expect(solutionsOf(search)).toEqual(fresh);
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  test('rejects a place of another problem', () => {
    const isPlace = (decisions: number[]) =>
      new DecisionSearch(queens(6)).resumeAt({ solutions: 0, nodes: 1, decisions });
    expect(isPlace([1, 9])).toBe(true);
    expect(isPlace([1, 1])).toBe(false);
    expect(isPlace([1, 2])).toBe(false);
  });

  test('has the known counts', () => {
    expect(count(queens(8))).toBe(92);
    // As Knuth's DLX3 counts them.
    expect(count(motleyDissections(4, 4))).toBe(2 * 8);
    expect(count(motleyDissections(5, 5))).toBe(2 * 150);
    expect(count(reducedDissections(3, 3))).toBe(219);
    expect(count(reducedDissections(3, 4))).toBe(2161);
    if (DEEP) expect(count(reducedDissections(4, 5))).toBe(1_286_759);
  });
});
