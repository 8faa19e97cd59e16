/**
 * Lines that are comments: `# ...`, `; ...`, `// ...`, `% ...` (MATLAB, Prolog, LaTeX), `-- ...` (Haskell, SQL, Lua).
 * A word follows `% ` and `-- `: the sign may be a damaged cell, and dashes may be blanks.
 */
import { DASH, PERCENT, SLASH } from '../bytes/ascii.ts';
import { charactersOf } from '../bytes/byte-text.ts';

const CODE_COMMENT = /^(?:\/\/|(?:%|--) (?:[A-Za-z]{2}|A [a-z]))/;
const MAX_SIGNS = 6;

/** Whether the line with the text `from` to `end` (exclusive) is a comment in program code. */
export function isCodeComment(bytes: Uint8Array, from: number, end: number): boolean {
  const first = bytes[from];
  // No text is made of most lines.
  if (first !== SLASH && first !== PERCENT && first !== DASH) return false;
  return CODE_COMMENT.test(charactersOf(bytes, from, Math.min(end, from + MAX_SIGNS)));
}

const SEMICOLON_CELL = /^ *(?:[\w.*?#-] *){0,3}$/;
const MIN_CELLS = 4;

/** Cells of a row that starts with a semicolon, as its first cell is empty: `;3;;5;;7;;;`; 0 if it has anything else. */
export function semicolonCells(text: string): number {
  const cells = text.split(';');
  return cells.length >= MIN_CELLS && cells.every((cell) => SEMICOLON_CELL.test(cell)) ? cells.length : 0;
}
