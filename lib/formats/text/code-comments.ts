/** Lines that are comments in program code: `// ...`, `% ...` (MATLAB, Prolog, LaTeX), `-- ...` (Haskell, SQL, Lua). */

/**
 * A sign of a comment. A word, or the article `A` and another one, follows `% ` and `-- `: the sign may be a damaged cell, and
 * dashes may be blanks.
 */
const COMMENT = /^(?:\/\/|(?:% |-- )(?:[A-Za-z]{2}|A [^\0-`]))/;
/** Bytes that decide, and their first ones. */
const SIGN_BYTES = 6;
const SIGNS: readonly number[] = [47, 37, 45];
const OPEN = 40;
const LOWER_A = 97;

/** Whether the line with the text `from` to `end` (exclusive) is such a comment. */
export function isCodeComment(bytes: Uint8Array, from: number, end: number): boolean {
  if (!SIGNS.includes(bytes[from])) return false;
  return COMMENT.test(String.fromCharCode(...bytes.subarray(from, Math.min(end, from + SIGN_BYTES))));
}

/** Whether a line that starts with `#` is a vector of Lisp, `#(5 3 ...)` or `#2A((5 3 ...)`, and no comment. */
export function isVector(bytes: Uint8Array, from: number): boolean {
  const isArray = (bytes[from + 2] | 32) === LOWER_A;
  return bytes[isArray ? from + 3 : from + 1] === OPEN;
}
