/** 9x9 puzzles with 0, 1 and many solutions, and a count of solutions that shares no code with the engines. */
import fc from 'fast-check';

/** A full grid: each row is shifted by 3 times its place in the band, and by its band. */
const PATTERN = Array.from({ length: 81 }, (_, cell) => {
  const [row, column] = [Math.floor(cell / 9), cell % 9];
  return ((column + 3 * (row % 3) + Math.floor(row / 3)) % 9) + 1;
});

/** A permutation of 0 to `count` - 1. */
function permutation(count: number): fc.Arbitrary<number[]> {
  const all = Array.from({ length: count }, (_, i) => i);
  return fc.shuffledSubarray(all, { minLength: count, maxLength: count });
}

/** Lines 0..8 in an order that keeps bands (stacks) together. */
function lineOrder(): fc.Arbitrary<number[]> {
  return fc
    .tuple(permutation(3), fc.array(permutation(3), { minLength: 3, maxLength: 3 }))
    .map(([bands, lines]) => bands.flatMap((band) => lines[band].map((line) => 3 * band + line)));
}

/**
 * A puzzle: 22 to 45 cells of a shuffled full grid, sometimes with one of them changed. So often it has no solution,
 * but rarely a clash.
 */
export function anyPuzzle(): fc.Arbitrary<Uint8Array> {
  return fc
    .record({
      rows: lineOrder(),
      columns: lineOrder(),
      digits: permutation(9),
      order: permutation(81),
      givens: fc.integer({ min: 22, max: 45 }),
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

/** Counts the solutions of a puzzle, up to `limit`: tries the digits of the cell with the fewest left, one by one. */
export function countNineByBruteForce(puzzle: Uint8Array, limit: number): number {
  const cells = new Uint8Array(81);
  for (const [cell, value] of puzzle.entries()) {
    if (value !== 0 && ((digitsLeft(cells, cell) >>> value) & 1) === 0) return 0;
    cells[cell] = value;
  }
  return count(cells, limit);
}

function count(cells: Uint8Array, limit: number): number {
  let best = -1;
  let bestDigits = 0;
  let fewest = 10;
  for (let cell = 0; cell < 81 && fewest > 1; cell++) {
    if (cells[cell] !== 0) continue;
    const digits = digitsLeft(cells, cell);
    const left = DIGITS.filter((digit) => ((digits >>> digit) & 1) === 1).length;
    if (left < fewest) {
      fewest = left;
      best = cell;
      bestDigits = digits;
    }
  }
  if (best < 0) return 1;
  let found = 0;
  for (const digit of DIGITS) {
    if (((bestDigits >>> digit) & 1) === 0 || found >= limit) continue;
    cells[best] = digit;
    found += count(cells, limit - found);
  }
  cells[best] = 0;
  return found;
}

const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** By cell: the other cells of its row, column and box. */
const SEEN_FROM = Array.from({ length: 81 }, (_, cell) => {
  const box = (of: number) => 3 * Math.floor(of / 27) + Math.floor((of % 9) / 3);
  const others = Array.from({ length: 81 }, (_, other) => other).filter((other) => other !== cell);
  return others.filter(
    (other) =>
      Math.floor(other / 9) === Math.floor(cell / 9) || other % 9 === cell % 9 || box(other) === box(cell),
  );
});

/** Returns the digits that no peer of the cell has; bit d for digit d. */
function digitsLeft(cells: Uint8Array, cell: number): number {
  let seen = 1;
  for (const other of SEEN_FROM[cell]) seen |= 1 << cells[other];
  return 0b1111111111 & ~seen;
}
