import { describe, expect, it } from 'vitest';
import { isSolutionOf } from '../../../lib/sudoku/checks/solution-check.ts';
import { createAnswers, ENGINE_NAMES, Stop } from '../../../lib/sudoku/engine.ts';
import { createDlxEngine } from '../../../lib/sudoku/engines/dlx.ts';
import { createEngine } from '../../../lib/sudoku/engines.ts';
import { randomFullGrid } from '../../../lib/sudoku/generator/full-grid.ts';
import { generatePuzzle } from '../../../lib/sudoku/generator/generate.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';
import { completed } from '../../../lib/sudoku/generator/steps.ts';
import { orbitsOf, SYMMETRY_NAMES } from '../../../lib/sudoku/generator/symmetry.ts';
import { type Geometry, standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { textOf } from '../cells.ts';
import { diagonal9, jigsaw6, latin9, overlapping4, windoku9 } from '../variant-geometries.ts';

const nine = standardGeometry(9);
const engine = createDlxEngine();

/** Counts solutions, up to 2. */
function countSolutions(geometry: Geometry, cells: Uint8Array): number {
  const answers = createAnswers(1, geometry.cellCount);
  const limits = { maxSolutions: 2, maxNodes: 1e6, sliceNodes: Infinity, pauseAtSolution: false };
  engine.solve({ geometry, cells }, 0, 1, limits, answers);
  expect(answers.stop[0]).not.toBe(Stop.nodeLimit);
  return answers.solutions[0];
}

/** Removes the cells of the full grid one by one, in the order of the same seed. */
function oneByOne(geometry: Geometry, seed: number, solution: Uint8Array): Uint8Array {
  const random = new RandomSource(seed);
  expect(completed(randomFullGrid(geometry, random))).toEqual(solution);
  const cells = solution.slice();
  for (const cell of random.permutation(cells.length)) {
    cells[cell] = 0;
    if (countSolutions(geometry, cells) !== 1) cells[cell] = solution[cell];
  }
  return cells;
}

const givensIn = (cells: Uint8Array) => cells.filter((value) => value !== 0).length;

describe('a generated puzzle', () => {
  it.each([
    { seed: 1, puzzle: '.9.5..1...25.7....1.3.....5....98.41....4.....3.65.8..3.2...4.6...9....3..8..4...' },
    {
      seed: 2 ** 40,
      puzzle: '...3...51.9...5...41..2....7....12.3..3.98..........7..56.3.1..9..........75.69..',
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
  ])('that is minimal has one solution, and several without any of its givens: $name', ({ geometry }) => {
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
  ])('of size $size with $givens givens has that number of givens, and one solution', ({ size, givens }) => {
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

  it.each([-1, 82, 30.5, Number.NaN])('of %d givens is rejected', (givens) => {
    expect(() => generatePuzzle(nine, { seed: 1, givens }, engine)).toThrow(
      `${givens} givens are out of range: expected 0 to 81, or minimal`,
    );
  });

  it.each([
    { name: '4x4', geometry: standardGeometry(4), givens: 3, fewest: 4 },
    { name: '9x9', geometry: nine, givens: 16, fewest: 17 },
    { name: 'diagonal 9x9', geometry: diagonal9, givens: 7, fewest: 8 },
  ])('of too few givens for any puzzle is rejected at once: $name', ({ geometry, givens, fewest }) => {
    expect(() => generatePuzzle(geometry, { seed: 1, givens }, engine)).toThrow(
      `puzzle with ${givens} givens has just one solution: ask for ${fewest} or more`,
    );
  });

  it('of fewer givens than can be found fails with advice', () => {
    const request = { seed: 1, givens: 18, maxGrids: 3 };
    expect(() => generatePuzzle(nine, request, engine)).toThrow(
      'no puzzle with one solution and 18 givens found from seed 1 in 3 full grids: ask for more givens',
    );
  });

  it.each([
    { name: '4x4', geometry: standardGeometry(4) },
    { name: '9x9', geometry: nine },
    { name: '12x12', geometry: standardGeometry(12) },
  ])('that is minimal equals the result of removing cells one by one: $name', ({ geometry }) => {
    for (let seed = 0; seed < 10; seed++) {
      const { cells, solution } = generatePuzzle(geometry, { seed, givens: 'minimal' }, engine);
      expect(cells).toEqual(oneByOne(geometry, seed, solution));
    }
  });

  it.each(ENGINE_NAMES)('does not depend on the engine that proves it: %s', (name) => {
    const prover = createEngine(name);
    const requests = [
      { seed: 7, givens: 'minimal' },
      { seed: 8, givens: 26, symmetry: 'rotational' },
    ] as const;
    for (const request of requests) {
      expect(generatePuzzle(nine, request, prover)).toEqual(generatePuzzle(nine, request, engine));
    }
  });

  describe.each(SYMMETRY_NAMES.filter((symmetry) => symmetry !== 'none'))('of symmetry %s', (symmetry) => {
    it.each([
      { name: '9x9', geometry: nine, givens: 40 },
      { name: '6x6', geometry: standardGeometry(6), givens: 20 },
      { name: 'windoku', geometry: windoku9, givens: 40 },
    ])(
      'has all images of a cell as givens, or none, and the requested number: $name',
      ({ geometry, givens }) => {
        for (const unique of [true, false]) {
          const { cells } = generatePuzzle(geometry, { seed: 1, givens, symmetry, unique }, engine);
          expect(givensIn(cells)).toBe(givens);
          for (const orbit of orbitsOf(geometry, symmetry)) {
            expect(new Set(Array.from(orbit, (cell) => cells[cell] === 0)).size).toBe(1);
          }
        }
      },
    );

    it('and minimal has one solution, and several without any of its orbits', () => {
      const { cells } = generatePuzzle(nine, { seed: 2, givens: 'minimal', symmetry }, engine);
      expect(countSolutions(nine, cells)).toBe(1);
      for (const orbit of orbitsOf(nine, symmetry)) {
        if (cells[orbit[0]] === 0) continue;
        const without = cells.slice();
        for (const cell of orbit) without[cell] = 0;
        expect(countSolutions(nine, without)).toBe(2);
      }
    });
  });

  it('with a symmetry that does not allow the number of givens is rejected', () => {
    const request = { seed: 1, givens: 9, symmetry: 'rotational' } as const;
    expect(() => generatePuzzle(standardGeometry(4), request, engine)).toThrow(
      'no 4x4 puzzle with symmetry rotational has 9 givens',
    );
  });
});
