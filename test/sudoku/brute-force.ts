/** Counts solutions from the rules alone: slow, short, and independent of every engine. */
import type { Geometry } from '../../lib/sudoku/geometry/geometry.ts';

/** Counts the solutions of a puzzle, up to `limit`; 0 if its givens clash. */
export function countByBruteForce(geometry: Geometry, givens: Uint8Array, limit = Infinity): number {
  const grid = givens.slice();
  const peersOf = Array.from(grid, (_, cell) => {
    const units = geometry.units.filter((unit) => unit.cells.includes(cell));
    return units.flatMap((unit) => Array.from(unit.cells)).filter((peer) => peer !== cell);
  });
  const legal = (cell: number): number[] => {
    const taken = new Uint8Array(geometry.size + 1);
    for (const peer of peersOf[cell]) taken[grid[peer]] = 1;
    return [...taken.keys()].filter((digit) => digit > 0 && taken[digit] === 0);
  };
  const used = [...grid.keys()].filter((cell) => peersOf[cell].length > 0);
  if (used.some((cell) => grid[cell] !== 0 && !legal(cell).includes(grid[cell]))) return 0;

  const count = (left: number): number => {
    let best: { cell: number; digits: number[] } | undefined;
    for (const cell of used) {
      if (grid[cell] !== 0) continue;
      const digits = legal(cell);
      if (best === undefined || digits.length < best.digits.length) best = { cell, digits };
      if (digits.length < 2) break;
    }
    if (best === undefined) return 1;
    let found = 0;
    for (const digit of best.digits) {
      if (found >= left) break;
      grid[best.cell] = digit;
      found += count(left - found);
    }
    grid[best.cell] = 0;
    return found;
  };
  return Math.min(count(limit), limit);
}
