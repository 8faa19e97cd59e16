import { describe, expect, it } from 'vitest';
import type { ExactCoverProblem } from '../../../lib/exact-cover/problem.ts';
import { standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { sudokuCover } from '../../../lib/sudoku/sudoku-cover.ts';
import { langford, pentominoes, queens } from '../../exact-cover/classic-problems.ts';
import { denseText, knuthText, sparseText } from '../../formats/exact-cover/problem-files.ts';
import { solveText } from '../../support/run-job.ts';

type Case = [name: string, problem: ExactCoverProblem, solutions: number];

const CASES: Case[] = [
  ['eight queens', queens(8), 92],
  ['ten queens', queens(10), 724],
  ['twelve queens', queens(12), 14_200],
  ['Langford pairs of 7', langford(7), 52],
  ['Langford pairs of 8', langford(8), 300],
  ['pentominoes in 3x20', pentominoes(3, 20), 8],
  ['the empty 4x4 sudoku', sudokuCover(standardGeometry(4)).problem, 288],
];

describe('a file has the known number of solutions', () => {
  it.each(CASES)('%s', async (_name, problem, solutions) => {
    const options = { solutions: 'all' };
    const { exceptions, stats } = await solveText(knuthText(problem), options, { countOnly: true });
    expect(exceptions).toMatchObject([{ solutions, exact: true }]);
    expect(stats.exactCover).toMatchObject({ solutions, options: problem.optionCount });
  });

  it.each([
    ['sparse', 'sparse', sparseText(queens(8))],
    ['dense', 'dense', denseText(queens(8))],
    ['dense with spaces', 'dense', denseText(queens(8), ' ')],
  ])('eight queens as a matrix: %s', async (_name, format, text) => {
    const { exceptions } = await solveText(text, { format, solutions: 'all' }, { countOnly: true });
    expect(exceptions).toMatchObject([{ solutions: 92, exact: true }]);
  });
});

describe('all solutions of a file', () => {
  it('are different, and each has a queen in every row and column', async () => {
    const { solutions } = await solveText(knuthText(queens(8)), { solutions: 'all' });
    const boards = solutions.split('\n\n').map((entry) => entry.trimEnd().split('\n').slice(1));
    expect(new Set(boards.map((board) => board.join())).size).toBe(92);
    for (const board of boards) {
      const covered = board.flatMap((option) => option.split(' ').slice(0, 2)).sort();
      expect(covered).toEqual(Array.from({ length: 16 }, (_, item) => `i${item}`).sort());
    }
  });
});
