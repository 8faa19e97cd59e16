/** Whether lines that no recogniser takes may have been a part of a puzzle. */
import { BLANK_SIGN, DIGIT, kindsIn, STRAY } from '../byte-kinds.ts';
import type { TextContext } from '../text-context.ts';

/** Whether a line may be a row or a list of cells: one token of cells with a digit or a blank, or short tokens. */
export function resemblesCells(context: TextContext, at: number): boolean {
  const { bytes, text, end, tokens } = context.window;
  if (isProse(end[at] - text[at], tokens[at])) return false;
  const kinds = kindsIn(bytes, text[at], end[at], STRAY);
  return (kinds & STRAY) === 0 && (kinds & (DIGIT | BLANK_SIGN)) !== 0;
}

/** Whether a line of `length` bytes is prose: more than one token, longer than cells. */
function isProse(length: number, tokens: number): boolean {
  return tokens > 1 && length > tokens * 4;
}
