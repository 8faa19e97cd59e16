import { describe, expect, test } from 'vitest';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import { sudokuCover } from '../../lib/sudoku/sudoku-cover.ts';
import { checkProblem } from '../exact-cover/create-problem.ts';
import { latinGeometry } from './odd-geometries.ts';

describe('sudoku as exact cover', () => {
  test.each([
    [4, 64, 64, 321],
    [6, 216, 144, 1_009],
    [9, 729, 324, 3_241],
    [12, 1_728, 576, 7_489],
    [16, 4_096, 1_024, 17_409],
    [25, 15_625, 2_500, 65_001],
    [36, 46_656, 5_184, 191_809],
  ])('of size %i has %i options, %i items, %i nodes', (size, options, items, nodes) => {
    const { problem } = sudokuCover(standardGeometry(size));
    expect(checkProblem(problem).optionCount).toBe(options);
    expect(problem.primaryCount).toBe(items);
    expect(1 + problem.primaryCount + problem.items.length).toBe(nodes);
  });

  test.each([
    [4, 2, 7, [29, 115, 178, 277]],
    [5, 8, 1, [44, 118, 226, 289]],
    [5, 8, 9, [44, 126, 234, 297]],
    [1, 1, 1, [1, 82, 163, 244]],
    [9, 9, 9, [81, 162, 243, 324]],
  ])('(%i,%i)=%i covers the items of the textbook, counted from 1', (row, column, digit, items) => {
    const { problem, optionOf } = sudokuCover(standardGeometry(9));
    const option = optionOf[((row - 1) * 9 + column - 1) * 9 + digit - 1];
    const entries = problem.items.slice(problem.optionStart[option], problem.optionStart[option + 1]);
    expect([...entries].map((item) => item + 1)).toEqual(items);
  });

  test('has the cell and the digit of each option', () => {
    const { cellOf, digitOf, optionOf } = sudokuCover(standardGeometry(6));
    for (let option = 0; option < cellOf.length; option++) {
      expect(optionOf[cellOf[option] * 6 + digitOf[option] - 1]).toBe(option);
    }
  });

  test('has no box items without boxes', () => {
    const { problem } = sudokuCover(latinGeometry(5));
    expect(checkProblem(problem)).toMatchObject({ primaryCount: 75, optionCount: 125 });
    expect(problem.items.length).toBe(375);
  });
});
