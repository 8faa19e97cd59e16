/** Counts of solutions that take seconds; `known-counts.test.ts` has short ones. */
import { expect, it } from 'vitest';
import { pentominoes } from '../../exact-cover/classic-problems.ts';
import { knuthText } from '../../formats/exact-cover/problem-files.ts';
import { solveText } from '../../support/run-job.ts';

it.each([
  [4, 15, 1472],
  [5, 12, 4040],
  [6, 10, 9356],
])(
  'a file of the pentominoes in %ix%i has %i solutions',
  async (rows, columns, solutions) => {
    const text = knuthText(pentominoes(rows, columns));
    const { exceptions } = await solveText(text, { solutions: 'all' }, { countOnly: true });
    expect(exceptions).toMatchObject([{ solutions, exact: true }]);
  },
  300_000,
);
