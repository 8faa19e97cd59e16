/** The cells that a token of a line stands for. */

import { DASH, ONE, ZERO } from '../bytes/ascii.ts';
import { CELL, DIGIT, KINDS } from '../bytes/byte-kinds.ts';
import { MINUS_ONE, NUMBER } from './grid-buffer.ts';

/** Digits of the largest number; more are adjacent cells. */
const MAX_DIGITS = 3;

/** The cell code of a token: one character, a number, or -1; negative if it is not a cell. */
export function tokenCode(bytes: ArrayLike<number>, from: number, to: number): number {
  const first = bytes[from];
  if (to - from === 1) return (KINDS[first] & CELL) === 0 ? -1 : first;
  if (to - from > MAX_DIGITS) return -1;
  if (first === DASH) return to - from === 2 && bytes[from + 1] === ONE ? MINUS_ONE : -1;
  let number = 0;
  for (let at = from; at < to; at++) {
    if ((KINDS[bytes[at]] & DIGIT) === 0) return -1;
    number = number * 10 + bytes[at] - ZERO;
  }
  return NUMBER + number;
}
