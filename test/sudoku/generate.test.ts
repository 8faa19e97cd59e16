import { describe, expect, it } from 'vitest';
import { createAnswers, Stop } from '../../lib/sudoku/engine.ts';
import { createDlxEngine } from '../../lib/sudoku/engines/dlx.ts';
import { generatePuzzle } from '../../lib/sudoku/generate.ts';
import { type Geometry, standardGeometry } from '../../lib/sudoku/geometry.ts';
import { isSolutionOf } from '../../lib/sudoku/solution-check.ts';
import { textOf } from './cells.ts';
import { diagonal9, jigsaw6, latin9, overlapping4, windoku9 } from './variant-geometries.ts';

const nine = standardGeometry(9);
const engine = createDlxEngine();

/** Solutions, up to 2. */
function countSolutions(geometry: Geometry, cells: Uint8Array): number {
  const answers = createAnswers(1, geometry.cellCount);
  const limits = { maxSolutions: 2, maxNodes: 1e6, sliceNodes: Infinity, pauseAtSolution: false };
  engine.solve({ geometry, cells }, 0, 1, limits, answers);
  expect(answers.stop[0]).not.toBe(Stop.nodeLimit);
  return answers.solutions[0];
}

const givensIn = (cells: Uint8Array) => cells.filter((value) => value !== 0).length;

describe('a generated puzzle', () => {
  it.each([
    { seed: 1, puzzle: '8.......2....92.6....384...6.8...3.1....3.2...3...5.4...7..61....2...4.....5...9.' },
    {
      seed: 2 ** 40,
      puzzle: '.7....4..5...3....8.2..6..7.8........2..97...1.45..6.....1..7..........829...8.53',
    },
  ])('is the same everywhere: a minimal 9x9 from seed $seed', ({ seed, puzzle }) => {
    expect(textOf(generatePuzzle(nine, { seed, givens: 'minimal' }, engine).cells)).toBe(puzzle);
  });

  it('is the same everywhere: the first row of a 16x16 with 128 givens from seed 1', () => {
    const { cells } = generatePuzzle(standardGeometry(16), { seed: 1, givens: 128 }, engine);
    expect(textOf(cells).slice(0, 16)).toBe('.G..6..9.3.2E..4');
  });

  it.each([
    { name: '4x4', geometry: standardGeometry(4) },
    { name: '6x6', geometry: standardGeometry(6) },
    { name: '9x9', geometry: nine },
    { name: '12x12', geometry: standardGeometry(12) },
    { name: 'Latin 9x9', geometry: latin9 },
    { name: 'diagonal 9x9', geometry: diagonal9 },
    { name: 'windoku', geometry: windoku9 },
    { name: 'jigsaw', geometry: jigsaw6 },
    { name: 'overlapping', geometry: overlapping4 },
  ])('that is minimal has one solution, and more without any of its givens: $name', ({ geometry }) => {
    for (let seed = 0; seed < 5; seed++) {
      const { cells, solution } = generatePuzzle(geometry, { seed, givens: 'minimal' }, engine);
      expect(countSolutions(geometry, cells)).toBe(1);
      expect(isSolutionOf(geometry, cells, 0, solution, 0)).toBe(true);
      for (const [cell, digit] of cells.entries()) {
        if (digit === 0) continue;
        const without = cells.slice();
        without[cell] = 0;
        expect(countSolutions(geometry, without)).toBe(2);
      }
    }
  });

  it.each([
    { size: 9, givens: 23 },
    { size: 9, givens: 36 },
    { size: 9, givens: 81 },
    { size: 16, givens: 120 },
  ])('of size $size with $givens givens has as many, and one solution', ({ size, givens }) => {
    const geometry = standardGeometry(size);
    for (let seed = 0; seed < 5; seed++) {
      const { cells } = generatePuzzle(geometry, { seed, givens }, engine);
      expect(givensIn(cells)).toBe(givens);
      expect(countSolutions(geometry, cells)).toBe(1);
    }
  });

  it.each([0, 10, 25, 81])('need not have one solution: %i givens of a 9x9', (givens) => {
    const { cells, solution } = generatePuzzle(nine, { seed: 3, givens, unique: false }, engine);
    expect(givensIn(cells)).toBe(givens);
    expect(isSolutionOf(nine, cells, 0, solution, 0)).toBe(true);
  });

  it('of neighbouring seeds differs', () => {
    const puzzles = Array.from({ length: 50 }, (_, seed) =>
      textOf(generatePuzzle(nine, { seed, givens: 30 }, engine).solution),
    );
    expect(new Set(puzzles).size).toBe(50);
  });

  it.each([-1, 82, 30.5, Number.NaN])('of %d givens is refused', (givens) => {
    expect(() => generatePuzzle(nine, { seed: 1, givens }, engine)).toThrow(
      `${givens} givens are out of range: expected 0 to 81, or minimal`,
    );
  });

  it('of fewer givens than can be is given up with a word of advice', () => {
    const four = standardGeometry(4);
    expect(() => generatePuzzle(four, { seed: 1, givens: 3 }, engine)).toThrow('ask for more givens');
  });
});
