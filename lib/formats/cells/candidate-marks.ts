/**
 * Candidates as text: one character per digit of each cell; a digit is at its own place or missing.
 *
 *     123456789.2.4.....   the first cell can have any digit, the second 2 or 4
 */
import { NINE } from '../bytes/ascii.ts';

const ZERO = 48;

/** Sizes with this notation. */
const SIZES = [6, 9];

/** @returns the size of a puzzle whose candidates have that length: 9 for 729, 6 for 216 */
export function sizeOfMarks(characters: number): number | undefined {
  return SIZES.find((size) => size ** 3 === characters);
}

/**
 * @param codes character codes, `size` cubed of them starting at `from`
 * @returns the candidates of each cell, bit d-1 for digit d; undefined if a digit is at another one's place
 */
export function candidatesOf(codes: ArrayLike<number>, from: number, size: number): Int32Array | undefined {
  const candidates = new Int32Array(size * size);
  for (let cell = 0, at = from; cell < candidates.length; cell++) {
    let marks = 0;
    for (let digit = 1; digit <= size; digit++, at++) {
      const code = codes[at];
      if (code === ZERO + digit) marks |= 1 << (digit - 1);
      else if (code > ZERO && code <= NINE) return undefined;
    }
    candidates[cell] = marks;
  }
  return candidates;
}
