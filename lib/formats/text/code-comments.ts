/** Lines that are comments in program code: `// ...`, `% ...` (MATLAB, Prolog, LaTeX), `-- ...` (Haskell, SQL, Lua). */
import { DASH, SLASH, SPACE } from '../bytes/ascii.ts';
import { KINDS, LETTER } from './byte-kinds.ts';

const PERCENT = 37;
const ARTICLE = 65;
const LOWER_A = 97;

/**
 * Whether the line with the text `from` to `end` (exclusive) is such a comment. A word follows `% ` and `-- `: the sign may be
 * a damaged cell, and dashes may be blanks.
 */
export function isCodeComment(bytes: Uint8Array, from: number, end: number): boolean {
  const first = bytes[from];
  if (first === SLASH) return from + 1 < end && bytes[from + 1] === SLASH;
  if (first === PERCENT) return bytes[from + 1] === SPACE && startsWord(bytes, from + 2, end);
  return (
    first === DASH &&
    bytes[from + 1] === DASH &&
    bytes[from + 2] === SPACE &&
    startsWord(bytes, from + 3, end)
  );
}

/** Whether a line that starts with `#` is a vector of Lisp, `#(5 3 ...)` or `#2A((5 3 ...)`, and no comment. */
export function isVector(bytes: Uint8Array, from: number): boolean {
  const isArray = (bytes[from + 2] | 32) === LOWER_A;
  return bytes[isArray ? from + 3 : from + 1] === OPEN;
}

const OPEN = 40;

/** Whether a word is at `from`: two letters, or the article `A` and another word. */
function startsWord(bytes: Uint8Array, from: number, end: number): boolean {
  if (from + 1 < end && (KINDS[bytes[from]] & KINDS[bytes[from + 1]] & LETTER) !== 0) return true;
  return from + 2 < end && bytes[from] === ARTICLE && bytes[from + 1] === SPACE && bytes[from + 2] >= LOWER_A;
}
