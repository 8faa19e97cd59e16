import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DecisionSearch } from '../../../lib/exact-cover/family/decision-search.ts';
import { MemoDecisions } from '../../../lib/exact-cover/family/memo-decisions.ts';
import type { ExactCoverProblem } from '../../../lib/exact-cover/problem.ts';
import { SearchStop } from '../../../lib/exact-cover/search.ts';
import { propertyRuns } from '../../support/depth.ts';
import { NO_LIMITS } from '../brute-force.ts';
import { createProblem } from '../create-problem.ts';
import { everySolution, familyProblem } from './brute-force.ts';
import { motleyDissections, reducedDissections } from './known-problems.ts';

const problems = familyProblem({ priced: false });

/** Counts to the end, with a cache of a few slots, which replaces most of its counts, or the default. */
function counted(
  problem: ExactCoverProblem,
  place?: ReturnType<MemoDecisions['place']>,
  cacheBytes?: number,
) {
  const memo = new MemoDecisions(problem, place && JSON.parse(JSON.stringify(place)), false, cacheBytes);
  expect(memo.run(NO_LIMITS)).toBe(SearchStop.exhausted);
  return memo;
}

/** Problems with many more options than items, whose residual problems are often the same. */
const crowded = fc.integer({ min: 3, max: 7 }).chain((primaryCount) =>
  fc
    .record({
      options: fc.array(
        fc.record({
          own: fc.uniqueArray(fc.nat(primaryCount - 1), { minLength: 1, maxLength: 3 }),
          secondary: fc.option(fc.tuple(fc.nat(1), fc.nat(2)), { freq: 1 }),
        }),
        { minLength: 8, maxLength: 20 },
      ),
      bounds: fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { minLength: primaryCount, maxLength: primaryCount }),
    })
    .map(({ options, bounds }) => ({
      ...createProblem({
        primaryCount,
        secondaryCount: 2,
        options: options.map(({ own, secondary }) => [
          ...own,
          ...(secondary === null ? [] : [primaryCount + secondary[0]]),
        ]),
        colours: options.map(({ own, secondary }) => [
          ...own.map(() => 0),
          ...(secondary === null ? [] : [secondary[1]]),
        ]),
      }),
      multiplicities: {
        least: Int32Array.from(bounds, ([least]) => least),
        most: Int32Array.from(bounds, ([least, more]) => Math.max(1, least + more)),
      },
    })),
);

/** Options that have one item each, and items of which a solution contains two or three. */
function triples(items: number): ExactCoverProblem {
  const bounds = { least: new Int32Array(items).fill(2), most: new Int32Array(items).fill(3) };
  const options = Array.from({ length: 3 * items }, (_, option) => [option % items]);
  return { ...createProblem({ primaryCount: items, options }), multiplicities: bounds };
}

describe('memoised counting with multiplicities', () => {
  test('counts as brute force does, with any cache', () => {
    fc.assert(
      fc.property(problems, (problem) => {
        const { length } = everySolution(problem);
        expect(counted(problem).solutions).toBe(length);
        expect(counted(problem, undefined, 0).solutions).toBe(length);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  test('counts as a search for each solution does, of problems with many equal parts', () => {
    let saved = 0;
    fc.assert(
      fc.property(crowded, fc.constantFrom(undefined, 0), (problem, cacheBytes) => {
        const search = new DecisionSearch(problem);
        search.run(NO_LIMITS);
        const { solutions, nodes } = counted(problem, undefined, cacheBytes);
        expect(solutions).toBe(search.solutions);
        if (nodes < search.nodes) saved++;
      }),
      { numRuns: propertyRuns(200) },
    );
    expect(saved).toBeGreaterThan(propertyRuns(200) / 10);
  });

  test('counts the same in slices, and continues from any place, as a search for each solution does', () => {
    fc.assert(
      fc.property(problems, fc.integer({ min: 1, max: 12 }), (problem, maxNodes) => {
        const { length } = everySolution(problem);
        const memo = new MemoDecisions(problem, undefined, false);
        memo.run({ ...NO_LIMITS, maxNodes });
        expect(memo.nodes).toBeLessThanOrEqual(maxNodes);
        const place = memo.place();
        expect(counted(problem, place).solutions).toBe(length);
        const search = new DecisionSearch(problem);
        expect(search.resumeAt(JSON.parse(JSON.stringify(place)))).toBe(true);
        search.run(NO_LIMITS);
        expect(search.solutions).toBe(length);
        while (memo.run({ ...NO_LIMITS, sliceNodes: 1 }) === SearchStop.slice);
        expect(memo.solutions).toBe(length);
        expect(memo.nodes).toBe(counted(problem).nodes);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  test('continues from the places of a search for each solution', () => {
    fc.assert(
      fc.property(problems, fc.integer({ min: 1, max: 12 }), (problem, maxNodes) => {
        const search = new DecisionSearch(problem);
        search.run({ ...NO_LIMITS, maxNodes });
        expect(counted(problem, search.place()).solutions).toBe(everySolution(problem).length);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('counts what Knuth counts, in fewer nodes', () => {
    expect(counted(motleyDissections(5, 5)).solutions).toBe(300);
    const { solutions, nodes } = counted(reducedDissections(4, 4));
    const search = new DecisionSearch(reducedDissections(4, 4));
    search.run(NO_LIMITS);
    expect(solutions).toBe(search.solutions);
    expect(nodes).toBeLessThan(search.nodes);
  });

  test('counts beyond 2^53 exactly', () => {
    const { solutions, nodes } = counted(triples(60));
    expect(solutions).toBe(4n ** 60n);
    expect(nodes).toBeLessThan(1000);
    const half = { least: Int32Array.of(30), most: Int32Array.of(30) };
    const options = Array.from({ length: 60 }, () => [0]);
    const halves = counted({ ...createProblem({ primaryCount: 1, options }), multiplicities: half });
    expect(halves.solutions).toBe(118_264_581_564_861_424n);
    expect(halves.nodes).toBeLessThan(3000);
  });
});
