import { describe, expect, test } from 'vitest';
import { openLinks } from '../../lib/exact-cover/open-links.ts';
import { SearchStop } from '../../lib/exact-cover/search.ts';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import { sudokuCover } from '../../lib/sudoku/sudoku-cover.ts';
import { NO_LIMITS } from './brute-force.ts';
import { knuthExample, langford, pentominoes, queens, somaCube } from './classic-problems.ts';
import { createProblem } from './create-problem.ts';
import { motleyDissections, reducedDissections } from './known-problems.ts';

/** Two secondary items with colours: the crossword-like example of XCC, TAOCP 7.2.2.1 (49). */
const KNUTH_COLOURED = createProblem({
  primaryCount: 3, // p q r
  secondaryCount: 2, // x y
  options: [
    [0, 1, 3, 4], // p q x y:A
    [0, 2, 3, 4], // p r x:A y
    [0, 3], // p x:B
    [1, 3], // q x:A
    [2, 4], // r y:B
  ],
  colours: [
    [0, 0, 0, 1],
    [0, 0, 1, 0],
    [0, 2],
    [0, 1],
    [0, 2],
  ],
});

describe('dancing links finds the known number of solutions', () => {
  test.each([
    ["Knuth's six options", knuthExample(), 1],
    ["Knuth's coloured example", KNUTH_COLOURED, 1],
    ['four queens', queens(4), 2],
    ['six queens', queens(6), 4],
    ['eight queens', queens(8), 92],
    ['ten queens', queens(10), 724],
    ['Langford pairs of 3', langford(3), 2],
    ['Langford pairs of 4', langford(4), 2],
    ['Langford pairs of 5, which do not exist', langford(5), 0],
    ['Langford pairs of 7', langford(7), 52],
    ['Langford pairs of 8', langford(8), 300],
    ['pentominoes in 3x20', pentominoes(3, 20), 8],
    ['pentominoes in 8x8 less its middle', pentominoes(8, 8, [27, 28, 35, 36]), 520],
    ['the Soma cube', somaCube(), 11_520],
    ['the empty 4x4 sudoku', sudokuCover(standardGeometry(4)).problem, 288],
    // As Knuth's DLX3 counts them.
    ['motley dissections of 5x5', motleyDissections(5, 5), 2 * 150],
    ['reduced dissections of 3x4', reducedDissections(3, 4), 2161],
  ])('%s', (_name, problem, count) => {
    const links = openLinks(problem, Number.POSITIVE_INFINITY);
    expect(links.run(NO_LIMITS)).toBe(SearchStop.exhausted);
    expect(links.solutions).toBe(count);
  });
});
