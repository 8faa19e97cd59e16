/**
 * Whether one of two grids is the solution of the other: wherever a file has two next to each other (in a line, in an object, in
 * the columns of a table), their cells alone say so.
 *
 *     53..7....  534678912      the full one is the solution of the other, in either order
 *     53..7....  .1..6...9      neither: two puzzles
 */
import type { CellCode } from '../cells/grid-buffer.ts';

/** A text with a character for each cell, or codes or values of cells. */
type Symbols = string | ArrayLike<CellCode>;

/** Whether values are a full grid in which no row has a digit twice; a wrong solution rarely has. */
export function isSolved(values: Uint8Array, size: number): boolean {
  if (values.length !== size * size || values.includes(0)) return false;
  for (let from = 0; from < values.length; from += size) {
    if (new Set(values.subarray(from, from + size)).size < size) return false;
  }
  return true;
}

/** Whether `solution` is `puzzle` with symbols for its blanks, which are one symbol that it does not contain. */
export function solves(solution: Symbols, puzzle: Symbols): boolean {
  if (solution.length !== puzzle.length) return false;
  let blank: string | number | undefined;
  for (let cell = 0; cell < puzzle.length; cell++) {
    if (puzzle[cell] === solution[cell]) continue;
    blank ??= puzzle[cell];
    if (puzzle[cell] !== blank) return false;
  }
  return blank !== undefined && !Array.prototype.includes.call(solution, blank);
}

/** Most texts of puzzles next to each other that are compared; more are puzzles alone. */
const MAX_TEXTS = 4;

/** Whether no row of a grid has a symbol twice. */
export function isLatin(text: string): boolean {
  const size = Math.sqrt(text.length);
  for (let at = 0; at < text.length; at++) {
    const next = text.indexOf(text[at], at + 1);
    if (next >= 0 && Math.floor(next / size) === Math.floor(at / size)) return false;
  }
  return Number.isInteger(size);
}

/** @returns the only two of these texts of which one solves the other, or one alone is full, by their names */
export function pairAmong(
  texts: Readonly<Record<string, string>>,
): { readonly puzzle: string; readonly solution: string } | undefined {
  const names = Object.keys(texts);
  if (names.length > MAX_TEXTS) return undefined;
  const pairs = names.flatMap((puzzle) =>
    names
      .filter((solution) => solves(texts[solution], texts[puzzle]))
      .map((solution) => ({ puzzle, solution })),
  );
  if (pairs.length > 0 || names.length !== 2) return pairs.length === 1 ? pairs[0] : undefined;
  const [solution, ...others] = names.filter((name) => isLatin(texts[name]));
  const puzzle = names.find((name) => name !== solution);
  const isPair = solution !== undefined && others.length === 0 && puzzle !== undefined;
  return isPair && texts[puzzle].length === texts[solution].length ? { puzzle, solution } : undefined;
}
