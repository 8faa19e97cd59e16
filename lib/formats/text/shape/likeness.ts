/** Whether lines that no recogniser takes may have been a part of a puzzle. */
import type { TextContext } from '../text-context.ts';

/** A character that is neither a cell nor white space. */
export const STRAY = /[^\w.*?#\0- -]/;
const DIGIT_OR_BLANK = /[\d.*_?#-]/;

/** Whether a line may be a row or a list of cells: one token of cells with a digit or a blank, or short tokens. */
export function resemblesCells({ lines, window }: TextContext, at: number): boolean {
  const tokens = window.tokens[at];
  // More than one token, longer than cells, are prose.
  if (tokens > 1 && window.end[at] - window.text[at] > tokens * 4) return false;
  const text = lines.text(at);
  return !STRAY.test(text) && DIGIT_OR_BLANK.test(text);
}
