import { NO } from '../recogniser.ts';
import { isSpacedLine } from '../rows/spaced-blanks.ts';
import type { TextContext } from '../text-context.ts';
import { bankEnd } from './bank.ts';

/** Cells of the longest row of any size, plus a few. */
export const MAX_ROW_CELLS = 40;

/** Whether line `at` starts with a whole puzzle of 81 characters or more, one with its map, or one of a bank. */
export function isFullLine(context: TextContext, at: number): boolean {
  const { book } = context.sink;
  const length = context.puzzleEnd(at) - context.window.text[at];
  if (length <= MAX_ROW_CELLS) return bankEnd(context, at) !== NO || isSpacedLine(context, at);
  return book.isPuzzleLength(length) || book.sizeOfCells(length / 2) !== undefined;
}
