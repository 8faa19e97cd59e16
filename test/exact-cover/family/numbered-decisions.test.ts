import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NumberedDecisions } from '../../../lib/exact-cover/family/numbered-decisions.ts';
import type { ExactCoverProblem } from '../../../lib/exact-cover/problem.ts';
import { SearchStop } from '../../../lib/exact-cover/search.ts';
import { propertyRuns } from '../../support/depth.ts';
import { NO_LIMITS } from '../brute-force.ts';
import { createProblem } from '../create-problem.ts';
import { everySolution, familyProblem } from './brute-force.ts';

/** The solutions by number, sorted. @param limits of each `run` */
function everyNumber(problem: ExactCoverProblem, limits = NO_LIMITS, cacheBytes?: number): string[] {
  const numbered = new NumberedDecisions(problem, cacheBytes);
  const finish = () => {
    while (numbered.run(limits) !== SearchStop.exhausted);
  };
  finish();
  return Array.from({ length: Number(numbered.count) }, (_, number) => {
    numbered.request(number);
    finish();
    return numbered.solution().join(' ');
  }).sort();
}

describe('the numbers of solutions with multiplicities', () => {
  test('are one for each solution, with any cache and in slices', () => {
    fc.assert(
      fc.property(familyProblem({ priced: false }), fc.constantFrom(undefined, 0), (problem, cacheBytes) => {
        const solutions = everySolution(problem).map(({ options }) => options.join(' '));
        expect(everyNumber(problem, NO_LIMITS, cacheBytes)).toEqual(solutions.sort());
        expect(everyNumber(problem, { ...NO_LIMITS, sliceNodes: 2 })).toEqual(solutions);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('are found without those before, and others are refused', () => {
    const options = Array.from({ length: 60 }, () => [0]);
    const multiplicities = { least: Int32Array.of(30), most: Int32Array.of(30) };
    const numbered = new NumberedDecisions({
      ...createProblem({ primaryCount: 1, options }),
      multiplicities,
    });
    expect(() => numbered.request(0)).toThrow(RangeError);
    numbered.run(NO_LIMITS);
    const { nodes, count } = numbered;
    numbered.request(BigInt(count!) - 1n);
    numbered.run(NO_LIMITS);
    expect([...numbered.solution()]).toEqual(Array.from({ length: 30 }, (_, option) => option + 30));
    expect(numbered.nodes - nodes).toBeLessThan(100);
    expect(() => numbered.request(count!)).toThrow(RangeError);
  });
});
