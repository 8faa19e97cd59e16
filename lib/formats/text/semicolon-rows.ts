/** Rows of cells separated by semicolons, which start like a comment if their first cell is empty: `;3;;5;;7;;;`. */
import { SEMICOLON, SPACE } from '../bytes/ascii.ts';
import { CELL, KINDS } from './byte-kinds.ts';

/** Bytes of a cell. */
const MAX_CELL = 3;
const MIN_CELLS = 4;

/** Number of cells in a line that starts with a semicolon; 0 if it has anything else. */
export function semicolonCells(bytes: Uint8Array, from: number, end: number): number {
  let cells = 1;
  let length = 0;
  for (let byte = from; byte < end; byte++) {
    if (bytes[byte] === SEMICOLON) {
      cells++;
      length = 0;
    } else if (bytes[byte] === SPACE) continue;
    else if ((KINDS[bytes[byte]] & CELL) === 0 || ++length > MAX_CELL) return 0;
  }
  return cells < MIN_CELLS ? 0 : cells;
}
