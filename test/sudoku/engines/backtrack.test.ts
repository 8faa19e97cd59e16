import { describe, expect, it } from 'vitest';
import { createAnswers, Stop } from '../../../lib/sudoku/engine.ts';
import { createBacktrackEngine } from '../../../lib/sudoku/engines/backtrack.ts';
import { randomFullGrid } from '../../../lib/sudoku/generator/full-grid.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';
import { standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { cellsOf, textOf } from '../cells.ts';

const LIMITS = { maxSolutions: 2, maxNodes: Infinity, sliceNodes: Infinity, pauseAtSolution: false };
const four = standardGeometry(4);
const nine = standardGeometry(9);

describe('the backtrack engine', () => {
  it('counts the 288 grids of an empty 4x4', () => {
    const answers = createAnswers(1, 16);
    const limits = { ...LIMITS, maxSolutions: Infinity };
    createBacktrackEngine().solve({ geometry: four, cells: new Uint8Array(16) }, 0, 1, limits, answers);
    expect([answers.solutions[0], answers.stop[0]]).toEqual([288, Stop.exhausted]);
  });

  it('finds solutions in the order of the grid, digits ascending', () => {
    const engine = createBacktrackEngine();
    const answers = createAnswers(1, 16);
    const limits = { ...LIMITS, maxSolutions: 5, pauseAtSolution: true };
    const shown: string[] = [];
    engine.solve({ geometry: four, cells: new Uint8Array(16) }, 0, 1, limits, answers);
    for (; answers.stop[0] === Stop.paused; engine.resume(limits, answers)) shown.push(textOf(answers.cells));
    expect(shown).toEqual(['1234341221434321', '1234341223414123', '1234341241232341', '1234341243212143']);
  });

  it.each([
    { name: 'a cell with one digit left', puzzle: '1234 3412 2143 432.', nodes: 2, guesses: 0 },
    // 34 12 43 21 at the right is one solution; the next keeps row 1 and has 21 in row 2, the last digit left there.
    { name: 'two choices of two', puzzle: '12.. 34.. 21.. 43..', nodes: 1 + 8 + 6, guesses: 2 },
  ])('counts nodes and guesses: $name', ({ puzzle, nodes, guesses }) => {
    const answers = createAnswers(1, 16);
    createBacktrackEngine().solve({ geometry: four, cells: cellsOf(puzzle) }, 0, 1, LIMITS, answers);
    expect([answers.nodes[0], answers.guesses[0]]).toEqual([nodes, guesses]);
  });

  it('stops at its node budget on a puzzle designed against it', () => {
    // The first row of the solution is 987654321, which ascending digits reach last.
    const puzzle = '..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9';
    const answers = createAnswers(1, 81);
    createBacktrackEngine().solve(
      { geometry: nine, cells: cellsOf(puzzle) },
      0,
      1,
      { ...LIMITS, maxNodes: 100_000 },
      answers,
    );
    expect([answers.stop[0], answers.nodes[0], answers.solutions[0]]).toEqual([Stop.nodeLimit, 100_000, 0]);
  });

  it.each([
    { size: 31, box: [1, 31] },
    { size: 32, box: [4, 8] },
    { size: 33, box: [3, 11] },
    { size: 36, box: [6, 6] },
  ])(
    'solves the last blanks of size $size, with any number of words for its digits',
    ({ size, box: [rows, columns] }) => {
      const geometry = standardGeometry(size, rows, columns);
      const grid = randomFullGrid(geometry, new RandomSource(1));
      const cells = grid.slice().fill(0, 0, size);
      const answers = createAnswers(1, geometry.cellCount);
      createBacktrackEngine().solve({ geometry, cells }, 0, 1, LIMITS, answers);
      expect([answers.solutions[0], answers.stop[0]]).toEqual([1, Stop.exhausted]);
      expect(answers.cells).toEqual(grid);
    },
  );
});
