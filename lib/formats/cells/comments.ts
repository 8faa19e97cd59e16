/**
 * Lines that are comments: `# ...`, `; ...`, `// ...`, `% ...` (MATLAB, Prolog, LaTeX), `-- ...` (Haskell, SQL, Lua).
 * A word follows `% ` and `-- `: the sign may be a damaged cell, and dashes may be blanks.
 */
import { DASH, PERCENT, SLASH, SPACE } from '../bytes/ascii.ts';

const CODE_COMMENT = /^(?:\/\/|(?:%|--) (?:[A-Za-z]{2}|A [a-z]))/;
const MAX_SIGNS = 6;

/** Whether the line with the text `from` to `end` (exclusive) is a comment in program code. */
export function isCodeComment(bytes: Uint8Array, from: number, end: number): boolean {
  const [first, second] = [bytes[from], bytes[from + 1]];
  // Rows may start with blanks, so the bytes are looked at before a text is made of them.
  const isSign =
    first === DASH
      ? second === DASH && bytes[from + 2] === SPACE
      : (first === SLASH && second === SLASH) || (first === PERCENT && second === SPACE);
  if (!isSign) return false;
  return CODE_COMMENT.test(String.fromCharCode(...bytes.subarray(from, Math.min(end, from + MAX_SIGNS))));
}

const SEMICOLON_CELL = /^ *(?:[\w.*?#-] *){0,3}$/;
const MIN_CELLS = 4;

/** Cells of a row that starts with a semicolon, as its first cell is empty: `;3;;5;;7;;;`; 0 if it has anything else. */
export function semicolonCells(text: string): number {
  const cells = text.split(';');
  return cells.length >= MIN_CELLS && cells.every((cell) => SEMICOLON_CELL.test(cell)) ? cells.length : 0;
}
