/** The cells that a token of a line stands for. */

import { CELL, KINDS } from './byte-kinds.ts';
import { MINUS_ONE, NUMBER } from './grid-buffer.ts';

/** Digits of the largest number. */
const MAX_DIGITS = 3;

/** The cell code of a token: one character, a number, or -1; negative if it is not a cell. */
export function tokenCode(bytes: Uint8Array, from: number, to: number): number {
  if (to - from === 1) return (KINDS[bytes[from]] & CELL) === 0 ? -1 : bytes[from];
  // More digits are adjacent cells.
  return to - from > MAX_DIGITS ? -1 : numberCode(String.fromCharCode(...bytes.subarray(from, to)));
}

/** The cell code of a number of several digits, or of -1; negative if a token is neither. */
export function numberCode(token: string): number {
  if (token === '-1') return MINUS_ONE;
  return /^\d{2,3}$/.test(token) ? NUMBER + Number(token) : -1;
}
