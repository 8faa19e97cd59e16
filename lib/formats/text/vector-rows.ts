/** Rows of Lisp vectors, which start like a comment: `#(5 3 0 0 7 0 0 0 0)`, `#2A((5 3 0 ...)`. */
import { CELL, KINDS } from './byte-kinds.ts';

const SPACE = 32;
const TAB = 9;
const HASH = 35;
const APOSTROPHE = 39;
const OPEN = 40;
const CLOSE = 41;
/** Cells of the smallest row. */
const MIN_CELLS = 4;

/** Offset after `'`, `#` or `#2A` before an opening bracket; `from` if there is none. */
export function afterVectorSign(bytes: Uint8Array, from: number): number {
  let at = from;
  if (bytes[at] === APOSTROPHE) at++;
  if (bytes[at] === HASH) {
    at++;
    if (bytes[at] >= 49 && bytes[at] <= 57 && (bytes[at + 1] | 32) === 97) at += 2;
  }
  return at > from && bytes[at] === OPEN ? at : from;
}

/** Whether a line that starts with `#` is a row of cells in brackets, and no comment. */
export function isVectorRow(bytes: Uint8Array, from: number, end: number): boolean {
  let at = afterVectorSign(bytes, from);
  if (at === from || bytes[end - 1] !== CLOSE) return false;
  while (bytes[at] === OPEN) at++;
  let cells = 0;
  let inToken = false;
  for (; at < end && bytes[at] !== CLOSE; at++) {
    const isSpace = bytes[at] === SPACE || bytes[at] === TAB;
    if (!isSpace && (KINDS[bytes[at]] & CELL) === 0) return false;
    if (!isSpace && !inToken) cells++;
    inToken = !isSpace;
  }
  return cells >= MIN_CELLS;
}
