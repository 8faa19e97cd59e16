/**
 * Lines that are comments: `# ...`, `; ...`, `// ...`, `% ...` (MATLAB, Prolog, LaTeX), `-- ...` (Haskell, SQL, Lua).
 * A word follows `% ` and `-- `: the sign may be a damaged cell, and dashes may be blanks.
 */
import { DASH, SLASH } from '../bytes/ascii.ts';

const PERCENT = 37;
const CODE_COMMENT = /^(?:\/\/|(?:%|--) (?:[A-Za-z]{2}|A [a-z]))/;
const MAX_SIGNS = 6;

/** Whether the line with the text `from` to `end` (exclusive) is a comment in program code. */
export function isCodeComment(bytes: Uint8Array, from: number, end: number): boolean {
  const first = bytes[from];
  if (first !== SLASH && first !== PERCENT && first !== DASH) return false;
  return CODE_COMMENT.test(String.fromCharCode(...bytes.subarray(from, Math.min(end, from + MAX_SIGNS))));
}

/** Whether a line that starts with `#` is a vector, `#(5 3 ...)` or `#2A((5 3 ...)`, and no comment. */
export function isVector(text: string): boolean {
  return /^#(?:.a)?\(/i.test(text);
}

const SEMICOLON_CELL = /^ *(?:[\w.*?#-] *){0,3}$/;
const MIN_CELLS = 4;

/** Cells of a row that starts with a semicolon, as its first cell is empty: `;3;;5;;7;;;`; 0 if it has anything else. */
export function semicolonCells(text: string): number {
  const cells = text.split(';');
  return cells.length >= MIN_CELLS && cells.every((cell) => SEMICOLON_CELL.test(cell)) ? cells.length : 0;
}
