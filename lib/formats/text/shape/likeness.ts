/** Whether lines that no recogniser takes may have been a part of a puzzle. */
import { CELL, KINDS, LETTER } from '../byte-kinds.ts';
import type { TextContext } from '../text-context.ts';

/** Whether a line may be a row or a list of cells: one token of cells with a digit or a blank, or short tokens. */
export function resemblesCells(context: TextContext, at: number): boolean {
  const { bytes, text, end, tokens } = context.window;
  if (isProse(end[at] - text[at], tokens[at])) return false;
  let other = false;
  for (let byte = text[at]; byte < end[at]; byte++) {
    const kind = KINDS[bytes[byte]];
    if (bytes[byte] > 32 && (kind & CELL) === 0) return false;
    if (kind & CELL && !(kind & LETTER)) other = true;
  }
  return other;
}

/** Whether a line of `length` bytes is prose: more than one token, longer than cells. */
function isProse(length: number, tokens: number): boolean {
  return tokens > 1 && length > tokens * 4;
}
