import { NO } from '../recogniser.ts';
import { isSpacedLine } from '../rows/spaced-blanks.ts';
import { LOOSE_CELLS } from '../shape/likeness.ts';
import { MAX_ROW_CELLS } from '../shape/readings.ts';
import { isDrawnRuler } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';
import { bankEnd } from './bank.ts';

/** Whether line `at` starts with a whole puzzle of 81 characters or more, one with its map, or one of a bank. */
export function isFullLine(context: TextContext, at: number): boolean {
  const { book } = context.sink;
  const length = context.puzzleEnd(at) - context.window.text[at];
  if (length <= MAX_ROW_CELLS) return bankEnd(context, at) !== NO || isSpacedLine(context, at);
  if (isDrawnRuler(context, at)) return false;
  return book.isPuzzleLength(length) || book.sizeOfCells(length / 2) !== undefined;
}

/** Whether line `at` is a whole puzzle in groups of its rows: `size` characters, then one other, and so on. */
export function isGrouped({ lines }: TextContext, at: number, size: number): boolean {
  const text = lines.text(at);
  if (text.length < size * (size + 1) - 1) return false;
  return Array.from({ length: size - 1 }, (_, k) => text[(k + 1) * (size + 1) - 1]).every(
    (sign, _, signs) => sign === signs[0],
  );
}

/** In a file with a puzzle a line: whether line `at` is about as long as a puzzle, cells and a few spaces alone. */
export function isSplitLine({ window, lines, lineSize }: TextContext, at: number): boolean {
  const { text, end, tokenEnd, tokens } = window;
  if (lineSize === undefined || tokens[at] < 2 || tokens[at] > lineSize) return false;
  const cells = lineSize * lineSize;
  // A first token that is nearly long enough is a damaged puzzle with its label.
  if (Math.abs(end[at] - text[at] - cells) > lineSize || tokenEnd[at] - text[at] + lineSize >= cells)
    return false;
  return lines.only(at, LOOSE_CELLS);
}
