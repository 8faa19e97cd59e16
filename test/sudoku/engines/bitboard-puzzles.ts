/** 9x9 puzzles with 0, 1 and many solutions, and a count of solutions that shares no code with the engines. */
import fc from 'fast-check';

/** Rows of a full grid: each moved on by its place in the band times 3, and by its band. */
const PATTERN = Array.from({ length: 81 }, (_, cell) => {
  const [row, column] = [Math.floor(cell / 9), cell % 9];
  return ((column + 3 * (row % 3) + Math.floor(row / 3)) % 9) + 1;
});

/** A permutation of 0 to `count` - 1. */
function permutation(count: number): fc.Arbitrary<number[]> {
  const all = Array.from({ length: count }, (_, i) => i);
  return fc.shuffledSubarray(all, { minLength: count, maxLength: count });
}

/** Lines 0..8 in another order that keeps bands (stacks) together. */
function lineOrder(): fc.Arbitrary<number[]> {
  return fc
    .tuple(permutation(3), fc.array(permutation(3), { minLength: 3, maxLength: 3 }))
    .map(([bands, lines]) => bands.flatMap((band) => lines[band].map((line) => 3 * band + line)));
}

/**
 * A puzzle: a shuffled full grid that keeps 18 to 45 of its cells, sometimes with one of them changed, so that
 * there is often no solution but seldom a clash.
 */
export function anyPuzzle(): fc.Arbitrary<Uint8Array> {
  return fc
    .record({
      rows: lineOrder(),
      columns: lineOrder(),
      digits: permutation(9),
      order: permutation(81),
      givens: fc.integer({ min: 18, max: 45 }),
      change: fc.option(fc.integer({ min: 1, max: 9 })),
    })
    .map(({ rows, columns, digits, order, givens, change }) => {
      const cells = new Uint8Array(81);
      for (const cell of order.slice(0, givens)) {
        const value = PATTERN[9 * rows[Math.floor(cell / 9)] + columns[cell % 9]];
        cells[cell] = digits[value - 1] + 1;
      }
      if (change !== null) cells[order[0]] = change;
      return cells;
    });
}

/** Solutions of a puzzle, up to `limit`: the cell with the fewest digits left, tried one by one. */
export function countByBruteForce(puzzle: Uint8Array, limit: number): number {
  const cells = Uint8Array.from(puzzle);
  for (let cell = 0; cell < 81; cell++) {
    if (cells[cell] === 0) continue;
    const value = cells[cell];
    cells[cell] = 0;
    if (!fits(cells, cell, value)) return 0;
    cells[cell] = value;
  }
  return count(cells, limit);
}

function count(cells: Uint8Array, limit: number): number {
  let best = -1;
  let options: number[] = [];
  for (let cell = 0; cell < 81; cell++) {
    if (cells[cell] !== 0) continue;
    const fitting = [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((value) => fits(cells, cell, value));
    if (best < 0 || fitting.length < options.length) {
      best = cell;
      options = fitting;
    }
  }
  if (best < 0) return 1;
  let found = 0;
  for (const value of options) {
    cells[best] = value;
    found += count(cells, limit - found);
    if (found >= limit) break;
  }
  cells[best] = 0;
  return found;
}

function fits(cells: Uint8Array, cell: number, value: number): boolean {
  const [row, column] = [Math.floor(cell / 9), cell % 9];
  const [top, left] = [row - (row % 3), column - (column % 3)];
  for (let k = 0; k < 9; k++) {
    if (cells[9 * row + k] === value || cells[9 * k + column] === value) return false;
    if (cells[9 * (top + Math.floor(k / 3)) + left + (k % 3)] === value) return false;
  }
  return true;
}
