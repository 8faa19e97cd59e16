/** Whether lines that no recogniser takes may have been a part of a puzzle. */
import { BLANKS, CELL, CONTROL, DIGIT, SPACE } from '../../bytes/byte-kinds.ts';
import type { TextContext } from '../text-context.ts';

/** Cells, and what is between them. */
export const LOOSE_CELLS = CELL | SPACE | CONTROL;

/** Whether a line may be a row or a list of cells: one token of cells with a digit or a blank, or short tokens. */
export function resemblesCells({ lines, window }: TextContext, at: number): boolean {
  const tokens = window.tokens[at];
  // More than one token, longer than cells, are prose.
  if (tokens > 1 && window.end[at] - window.text[at] > tokens * 4) return false;
  return lines.only(at, LOOSE_CELLS) && lines.has(at, DIGIT | BLANKS);
}
