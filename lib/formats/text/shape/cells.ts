/** The cells that a token of a line stands for. */
import { MAX_NUMBER, MINUS_ONE, NUMBER } from '../../cells/grid-buffer.ts';
import { CELL, DIGIT, KINDS } from '../byte-kinds.ts';

/** Digits of the largest number. */
const MAX_DIGITS = 3;

/** The cell code of a token: one character, a number, or -1; negative if it is not a cell. */
export function tokenCode(bytes: Uint8Array, from: number, to: number): number {
  if (to - from === 1) return (KINDS[bytes[from]] & CELL) === 0 ? -1 : bytes[from];
  if (to - from === 2 && bytes[from] === 45 && bytes[from + 1] === 49) return MINUS_ONE;
  // More digits are adjacent cells.
  if (to - from > MAX_DIGITS) return -1;
  let number = 0;
  for (let byte = from; byte < to; byte++) {
    if ((KINDS[bytes[byte]] & DIGIT) === 0) return -1;
    number = number * 10 + bytes[byte] - 48;
    if (number > MAX_NUMBER) return -1;
  }
  return to > from ? NUMBER + number : -1;
}
