import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CoverCheck } from '../../../lib/batch/solving/cover-check.ts';
import { isCover, smallProblem } from '../../exact-cover/brute-force.ts';
import { createProblem } from '../../exact-cover/create-problem.ts';

describe('the check of a solution', () => {
  const problem = createProblem({
    primaryCount: 2,
    secondaryCount: 1,
    options: [[0], [1], [0, 1], [0, 2], [1, 2], [1, 2], [1, 2]],
    colours: [[0], [0], [0, 0], [0, 1], [0, 1], [0, 2], [0, 0]],
  });
  const rows: Array<[name: string, options: number[], fine: boolean]> = [
    ['every primary item once', [0, 1], true],
    ['one option with all of them', [2], true],
    ['a secondary item always with the same colour', [3, 4], true],
    ['a secondary item once', [0, 6], true],
    ['a primary item not covered', [0], false],
    ['a primary item twice', [0, 2], false],
    ['a secondary item in two colours', [3, 5], false],
    ['a secondary item in a colour and without one', [3, 6], false],
    ['an option twice', [2, 2], false],
    ['no option', [], false],
  ];
  it.each(rows)('%s', (_name, options, fine) => {
    expect(new CoverCheck(problem).isSolution(Int32Array.from(options))).toBe(fine);
  });

  it('counts items that repeat, and different options', () => {
    const multiplicities = { least: Int32Array.from([0, 2]), most: Int32Array.from([1, 3]) };
    const check = new CoverCheck({
      ...problem,
      multiplicities,
      costs: Float64Array.of(1, 2, 4, 8, 16, 32, 64),
    });
    const fine = (...options: number[]) => check.isSolution(Int32Array.from(options));
    expect([fine(1, 2), fine(4, 1, 0), fine(1, 6), fine(1), fine(1, 1), fine(0, 1, 2)]).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(check.costOf(Int32Array.of(1, 2))).toBe(6);
  });

  it('does not depend on previous solutions, and agrees with the brute-force check on any set of options', () => {
    const sets = fc.array(fc.uniqueArray(fc.nat(10), { maxLength: 6 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(smallProblem, sets, (any, chosen) => {
        const check = new CoverCheck(any);
        for (const set of chosen) {
          const options = set.filter((option) => option < any.optionCount);
          expect(check.isSolution(Int32Array.from(options))).toBe(isCover(any, options));
        }
      }),
    );
  });
});
