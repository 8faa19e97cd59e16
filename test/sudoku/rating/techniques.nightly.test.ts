/** No technique removes a candidate of the solution, on positions of every kind of geometry. */
import { describe, expect, it } from 'vitest';
import { createDlxEngine } from '../../../lib/sudoku/engines/dlx.ts';
import { generatePuzzle } from '../../../lib/sudoku/generator/generate.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';
import { type Geometry, standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { Board } from '../../../lib/sudoku/rating/board.ts';
import { TECHNIQUES } from '../../../lib/sudoku/rating/techniques.ts';
import { countByOracle } from '../oracle.ts';
import { diagonal9, jigsaw6, latin9, overlapping4, windoku9 } from '../variant-geometries.ts';

const engine = createDlxEngine();

const GEOMETRIES: readonly (readonly [name: string, geometry: Geometry, puzzles: number])[] = [
  ['9x9', standardGeometry(9), 4],
  ['6x6', standardGeometry(6), 8],
  ['a Latin square', latin9, 2],
  ['diagonals', diagonal9, 2],
  ['windows', windoku9, 2],
  ['regions', jigsaw6, 8],
  ['overlapping grids', overlapping4, 8],
];

/** How often each technique was found. */
const found = new Map<string, number>();

/** Checks techniques on one position, and goes on to the next one. */
function checkPosition(board: Board, solution: Uint8Array, random: RandomSource): void {
  // One technique in three at each position, so that many positions are seen.
  const findings = TECHNIQUES.flatMap(({ technique: name, find }) => {
    if (random.below(3) > 0) return [];
    const finding = find(board);
    return finding === undefined ? [] : [{ name, ...finding }];
  });
  for (const { name, removals, placement } of findings) {
    found.set(name, (found.get(name) ?? 0) + 1);
    expect(removals.length > 0 || placement !== undefined, `${name} changes something`).toBe(true);
    for (const { cell, digits } of removals) {
      expect(digits & board.candidates[cell], `${name} removes candidates`).toBe(digits);
      expect((digits >>> (solution[cell] - 1)) & 1, `${name} at cell ${cell}`).toBe(0);
    }
    if (placement !== undefined) expect(placement.digit, name).toBe(solution[placement.cell]);
  }
  // Any of them, or a wrong candidate at random: paths of rated puzzles are not the only positions.
  const chosen = findings[random.below(findings.length + 1)];
  if (chosen !== undefined) {
    const { removals, placement } = chosen;
    if (placement !== undefined) board.place(placement.cell, placement.digit);
    else for (const { cell, digits } of removals) board.remove(cell, digits);
    return;
  }
  const cells = [...board.candidates.keys()].filter((cell) => board.candidates[cell] !== 0);
  const cell = cells[random.below(cells.length)];
  const wrong = board.candidates[cell] & ~(1 << (solution[cell] - 1));
  if (wrong === 0) board.place(cell, solution[cell]);
  else board.remove(cell, wrong & -wrong);
}

describe('every technique, at every position of seeded puzzles', () => {
  it.each(GEOMETRIES)('keeps the solution: %s', (_, geometry, puzzles) => {
    for (let seed = 1; seed <= puzzles; seed++) {
      const { cells, solution } = generatePuzzle(geometry, { seed, givens: 'minimal' }, engine);
      if (geometry.cellCount <= 36) expect(countByOracle(geometry, cells, 2)).toBe(1);
      const board = new Board(geometry, cells);
      const random = new RandomSource(seed);
      while (board.open > 0) checkPosition(board, solution, random);
    }
  });

  it('was found, but for the rarest', () => {
    const missing = TECHNIQUES.map(({ technique }) => technique).filter((name) => !found.has(name));
    expect(missing.length, missing.join()).toBeLessThan(5);
  });
});
