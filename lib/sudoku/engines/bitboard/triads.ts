/**
 * Triads: minirows and minicolumns as cells of their own, each with exactly three digits.
 *
 * What a cell is to its one digit, a triad is to its three: when exactly three digits still fit into it, they are
 * there and nowhere else in its line and box; when three digits are forced into it, no other one fits.
 */
import { ALL, LOW } from './board.ts';

const LOW_TWO = 3 * LOW;
const HIGH_TWO = 6 * LOW;
const HIGH_ONE = 4 * LOW;
// Bit 0 of each stack's nine.
const STACKS = 1 | (1 << 9) | (1 << 18);

/** By digit (0..8): where it can be, bit 9 * stack + row for a minirow. Written by `propagate`. */
export const minirows = new Int32Array(9);
/** By digit: where it can be, bit 9 * stack + 3 * band + k for a minicolumn. Written by `propagate`. */
export const minicolumns = new Int32Array(9);

/**
 * Applies both rules to `minirows` and `minicolumns`, and what follows to the board that they are of.
 *
 * @returns whether candidates went; undefined where the board has no solution
 */
export function settleTriads(board: Int32Array, at: number): boolean | undefined {
  return keepMinirows() && keepMinicolumns() ? keepTriads(board, at) : undefined;
}

/** Takes from the board what the rules took from its triads; false for nothing. */
function keepTriads(board: Int32Array, at: number): boolean {
  let moved = 0;
  for (let digit = 0, w = at; digit < 9; digit++, w += 3) {
    const rows = minirows[digit];
    const columns = minicolumns[digit];
    for (let k = 0; k < 3; k++) {
      const minicolumn = (columns >>> k) & LOW;
      const gone = board[w + k] & ~(rows & ((minicolumn << 3) - minicolumn));
      moved |= gone;
      board[w + k] ^= gone;
    }
  }
  return moved !== 0;
}

/** Both triad rules on minirows; false where fewer than three digits are left for one. */
function keepMinirows(): boolean {
  const full = fullTriads(minirows);
  if (full < 0) return false;
  let [one, two, three] = [0, 0, 0];
  for (let digit = 0; digit < 9; digit++) {
    const inFull = minirows[digit] & full;
    const rows = minirows[digit] & ~(otherStacks(inFull) | turn(inFull));
    minirows[digit] = rows;
    const forced = rows & ~otherStacks(rows);
    three |= two & forced;
    two |= one & forced;
    one |= forced;
  }
  for (let digit = 0; digit < 9; digit++) {
    minirows[digit] &= ~(three & otherStacks(minirows[digit]));
  }
  return true;
}

/** Both triad rules on minicolumns; false where fewer than three digits are left for one. */
function keepMinicolumns(): boolean {
  const full = fullTriads(minicolumns);
  if (full < 0) return false;
  let [one, two, three] = [0, 0, 0];
  for (let digit = 0; digit < 9; digit++) {
    const inFull = minicolumns[digit] & full;
    const columns = minicolumns[digit] & ~(otherBands(inFull) | turn(inFull));
    minicolumns[digit] = columns;
    const forced = columns & ~turn(columns);
    three |= two & forced;
    two |= one & forced;
    one |= forced;
  }
  for (let digit = 0; digit < 9; digit++) {
    minicolumns[digit] &= ~(three & turn(minicolumns[digit]));
  }
  return true;
}

/** Triads that exactly three digits fit into, or -1 where fewer fit into one. */
function fullTriads(triads: Int32Array): number {
  let [one, two, three, four] = [0, 0, 0, 0];
  for (let digit = 0; digit < 9; digit++) {
    const bits = triads[digit];
    four |= three & bits;
    three |= two & bits;
    two |= one & bits;
    one |= bits;
  }
  return three === ALL ? three & ~four : -1;
}

/** Of each three neighbouring bits the other two: minirows, or minicolumns, of the same box. */
function turn(bits: number): number {
  return (
    ((bits >>> 1) & LOW_TWO) | ((bits << 2) & HIGH_ONE) | ((bits >>> 2) & LOW) | ((bits << 1) & HIGH_TWO)
  );
}

/** Minirows: the other two of the same row. */
function otherStacks(bits: number): number {
  return (bits << 9) | (bits >>> 18) | (bits << 18) | (bits >>> 9);
}

/** Minicolumns: the other two of the same column. */
function otherBands(bits: number): number {
  return (
    ((bits >>> 3) & (0o77 * STACKS)) |
    ((bits << 6) & (0o700 * STACKS)) |
    ((bits >>> 6) & (0o7 * STACKS)) |
    ((bits << 3) & (0o770 * STACKS))
  );
}
