/**
 * Triads: minirows and minicolumns as cells with exactly three digits.
 *
 * A triad relates to its three digits as a cell to its one: if exactly three digits still fit into it, they are
 * excluded from the rest of its line and box; if three digits are forced into it, no other digit fits.
 */
import { ALL, LOW } from './board.ts';

const LOW_TWO = 3 * LOW;
const HIGH_TWO = 6 * LOW;
const HIGH_ONE = 4 * LOW;
// Bit 0 of the nine bits of each stack.
const STACKS = 1 | (1 << 9) | (1 << 18);

/** By digit (0..8): its possible minirows, bit 9 * stack + row. Written by `propagate`. */
export const minirows = new Int32Array(9);
/** By digit: its possible minicolumns, bit 9 * stack + 3 * band + k. Written by `propagate`. */
export const minicolumns = new Int32Array(9);

/**
 * Applies both rules to `minirows` and `minicolumns`, and the result to their board.
 *
 * @returns whether candidates were removed; undefined if the board has no solution
 */
export function settleTriads(board: Int32Array, at: number): boolean | undefined {
  return keepMinirows() && keepMinicolumns() ? keepTriads(board, at) : undefined;
}

/** Removes from the board the candidates that the rules removed from its triads; false if there are none. */
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

/** Applies both triad rules to minirows; false if fewer than three digits fit into one. */
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

/** Applies both triad rules to minicolumns; false if fewer than three digits fit into one. */
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

/** Returns the triads into which exactly three digits fit; -1 if fewer fit into one. */
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

/** For each bit the other two of its group of three: minirows, or minicolumns, of the same box. */
function turn(bits: number): number {
  return (
    ((bits >>> 1) & LOW_TWO) | ((bits << 2) & HIGH_ONE) | ((bits >>> 2) & LOW) | ((bits << 1) & HIGH_TWO)
  );
}

/** For each minirow the other two of the same row. */
function otherStacks(bits: number): number {
  return (bits << 9) | (bits >>> 18) | (bits << 18) | (bits >>> 9);
}

/** For each minicolumn the other two of the same column. */
function otherBands(bits: number): number {
  return (
    ((bits >>> 3) & (0o77 * STACKS)) |
    ((bits << 6) & (0o700 * STACKS)) |
    ((bits >>> 6) & (0o7 * STACKS)) |
    ((bits << 3) & (0o770 * STACKS))
  );
}
