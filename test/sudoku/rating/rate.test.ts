import { describe, expect, it } from 'vitest';
import { createDlxEngine } from '../../../lib/sudoku/engines/dlx.ts';
import { generatePuzzle } from '../../../lib/sudoku/generator/generate.ts';
import { standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { gradeOf } from '../../../lib/sudoku/rating/grades.ts';
import { ratePuzzle, type Step } from '../../../lib/sudoku/rating/rate.ts';
import { cellsOf } from '../cells.ts';

const nine = standardGeometry(9);

/** Ratings of generated minimal puzzles, of seeds from 1, by Sukaku Explainer (commit 362854e). */
const EXPLAINED = [
  8.9, 2.0, 1.5, 6.3, 2.0, 2.0, 2.3, 1.5, 4.2, 7.1, 2.0, 1.5, 6.3, 4.2, 3.0, 6.3, 1.5, 1.5, 2.8, 2.0, 1.5,
  2.0, 2.0, 7.1, 1.5, 2.6, 2.0, 5.6, 1.5, 4.2, 1.5, 1.5, 4.0, 1.7, 2.0, 7.3, 2.0, 4.2, 1.5, 2.8, 5.7, 1.5,
  1.5, 1.5, 2.0, 1.5, 7.1, 7.2, 2.8, 3.0, 7.3, 1.5, 2.6, 2.0, 4.2, 5.4, 4.1, 7.1, 1.5, 2.6, 2.6, 2.0, 2.0,
  2.0, 7.3, 2.3, 4.0, 2.0, 1.5, 1.5, 2.0, 4.0, 1.2, 4.1, 2.0, 4.3, 1.5, 4.1, 4.3, 2.5,
];

describe('ratePuzzle', () => {
  it('agrees with Sukaku Explainer on generated puzzles, and says what is a lower bound', () => {
    const engine = createDlxEngine();
    for (const [index, expected] of EXPLAINED.entries()) {
      const seed = index + 1;
      const { cells } = generatePuzzle(nine, { seed, givens: 'minimal' }, engine);
      const { rating, isLowerBound, grade } = ratePuzzle(nine, cells);
      expect(isLowerBound ? rating <= expected : rating, `seed ${seed}`).toBe(isLowerBound ? true : expected);
      expect(grade, `seed ${seed}`).toBe(gradeOf(expected));
    }
  });

  it('returns the path, which ends in the solution', () => {
    const { cells, solution } = generatePuzzle(nine, { seed: 73, givens: 'minimal' }, createDlxEngine());
    const steps: Step[] = [];
    const rating = ratePuzzle(nine, cells, (step) => steps.push(step));
    expect(rating).toEqual({
      rating: 1.2,
      isLowerBound: false,
      technique: 'hidden single in a block',
      grade: 'easy',
    });
    for (const { placement } of steps) {
      if (placement !== undefined) cells[placement.cell] = placement.digit;
    }
    expect(cells).toEqual(solution);
  });

  it('rates a puzzle beyond the techniques by search', () => {
    const hardest = '800000000003600000070090200050007000000045700000100030001000068008500010090000400';
    expect(ratePuzzle(nine, cellsOf(hardest))).toEqual({
      rating: 6.5,
      isLowerBound: true,
      technique: 'search',
      grade: 'extreme',
    });
  });

  it('refuses more than 31 digits by a sentence', () => {
    expect(() => ratePuzzle(standardGeometry(36), new Uint8Array(36 * 36))).toThrow(/at most 31 digits/);
  });
});
