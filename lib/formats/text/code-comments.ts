/** Lines that are comments in program code: `// ...`, `% ...` (MATLAB, Prolog, LaTeX), `-- ...` (Haskell, SQL, Lua). */
import { DASH, SLASH, SPACE } from '../bytes/ascii.ts';

const PERCENT = 37;
const OPEN = 40;
const LOWER_A = 97;

/** Two letters, or the article `A` and another word. */
const WORD = /^(?:[A-Za-z]{2}|A [^\0-`])/;
const WORD_BYTES = 3;

/**
 * Whether the line with the text `from` to `end` (exclusive) is such a comment. A word follows `% ` and `-- `: the sign may be
 * a damaged cell, and dashes may be blanks.
 */
export function isCodeComment(bytes: Uint8Array, from: number, end: number): boolean {
  const first = bytes[from];
  if (first === SLASH) return from + 1 < end && bytes[from + 1] === SLASH;
  if (first !== PERCENT && (first !== DASH || bytes[from + 1] !== DASH)) return false;
  const space = first === DASH ? from + 2 : from + 1;
  if (bytes[space] !== SPACE) return false;
  const word = bytes.subarray(space + 1, Math.min(end, space + 1 + WORD_BYTES));
  return WORD.test(String.fromCharCode(...word));
}

/** Whether a line that starts with `#` is a vector of Lisp, `#(5 3 ...)` or `#2A((5 3 ...)`, and no comment. */
export function isVector(bytes: Uint8Array, from: number): boolean {
  const isArray = (bytes[from + 2] | 32) === LOWER_A;
  return bytes[isArray ? from + 3 : from + 1] === OPEN;
}
