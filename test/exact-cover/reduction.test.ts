import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NarrowReduction, WORD_OPTIONS } from '../../lib/exact-cover/narrow-reduction.ts';
import { createProblem, type ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { createReduction, type Reduction } from '../../lib/exact-cover/reduction.ts';
import { WideReduction } from '../../lib/exact-cover/wide-reduction.ts';
import { bruteForce, smallProblem } from './brute-force.ts';

const problemAndOptions = smallProblem.chain((problem) =>
  fc.tuple(
    fc.constant(problem),
    problem.optionCount === 0
      ? fc.constant([])
      : fc.array(fc.integer({ min: 0, max: problem.optionCount - 1 }), { maxLength: 3 }),
  ),
);

/** What is left of a problem, or that nothing is. */
function reduced(reduction: Reduction, problem: ExactCoverProblem, options: readonly number[]) {
  if (!reduction.reduce(Int32Array.from(options), options.length)) {
    return 'no solution';
  }
  const items = Array.from({ length: problem.primaryCount + problem.secondaryCount }, (_, k) => k + 1);
  return {
    selected: [...reduction.selected.subarray(0, reduction.selectedCount)].sort((a, b) => a - b),
    alive: Array.from({ length: problem.optionCount }, (_, option) => reduction.isAlive(option)),
    active: items.map((item) => reduction.isActive(item)),
  };
}

describe('a reduction', () => {
  test('leaves the same whether it is narrow or wide', () => {
    fc.assert(
      fc.property(problemAndOptions, ([problem, options]) => {
        const narrow = reduced(new NarrowReduction(problem), problem, options);
        expect(narrow).toEqual(reduced(new WideReduction(problem), problem, options));
      }),
      { numRuns: 1000 },
    );
  });

  test('selects only what every solution has, and kills only what none has', () => {
    fc.assert(
      fc.property(problemAndOptions, ([problem, options]) => {
        const left = reduced(new NarrowReduction(problem), problem, [...new Set(options)]);
        for (const solution of bruteForce(problem, options)) {
          expect(left).not.toBe('no solution');
          const chosen = solution === '' ? [] : solution.split(' ').map(Number);
          const { selected, alive } = left as Exclude<typeof left, string>;
          expect(chosen).toEqual(expect.arrayContaining(selected));
          expect(chosen.every((option) => alive[option] || selected.includes(option))).toBe(true);
        }
      }),
    );
  });

  test('keeps nothing of the options before', () => {
    fc.assert(
      fc.property(problemAndOptions, ([problem, options]) => {
        for (const reduction of [new NarrowReduction(problem), new WideReduction(problem)]) {
          const before = reduced(reduction, problem, []);
          reduced(reduction, problem, options);
          expect(reduced(reduction, problem, [])).toEqual(before);
        }
      }),
    );
  });

  test.each([
    [WORD_OPTIONS, NarrowReduction],
    [WORD_OPTIONS + 1, WideReduction],
  ])('of an item with %i options is a %o', (count, kind) => {
    const problem = createProblem({ primaryCount: 1, options: Array.from({ length: count }, () => [0]) });
    const reduction = createReduction(problem);
    expect(reduction).toBeInstanceOf(kind);
    const last = Int32Array.of(count - 1);
    expect(reduction.reduce(last, 0)).toBe(true);
    expect(reduction.isAlive(count - 1)).toBe(true);
    expect(reduction.reduce(last, 1)).toBe(true);
    expect(reduction.isAlive(0)).toBe(false);
    expect(reduction.isActive(1)).toBe(false);
  });
});
