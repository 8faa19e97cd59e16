import { isSpacedLine } from '../rows/spaced-blanks.ts';
import type { Line } from '../shape/line.ts';
import { MAX_ROW_CELLS } from '../shape/readings.ts';
import { isDrawnRuler, LOOSE_CELLS } from '../shape/rulers.ts';
import { bankSize } from './bank.ts';

/** Whether a line starts with a whole puzzle of 81 characters or more, one with its map, or one of a bank. */
export function isFullLine(line: Line): boolean {
  const length = line.puzzleEnd - line.from;
  if (length <= MAX_ROW_CELLS) return bankSize(line) !== undefined || isSpacedLine(line);
  if (isDrawnRuler(line)) return false;
  return line.book.isPuzzleLength(length) || line.book.sizeOfCells(length / 2) !== undefined;
}

/** Whether a line is a whole puzzle in groups of its rows: `size` characters, then one other, and so on. */
export function isGrouped({ text }: Line, size: number): boolean {
  if (text.length < size * (size + 1) - 1) return false;
  const signs = Array.from({ length: size - 1 }, (_, k) => text[(k + 1) * (size + 1) - 1]);
  return new Set(signs).size === 1;
}

/** In a file with a puzzle a line: whether a line is about as long as a puzzle, cells and a few spaces alone. */
export function isSplitLine(line: Line): boolean {
  const { lineSize } = line.context;
  if (lineSize === undefined || line.tokens < 2 || line.tokens > lineSize) return false;
  const cells = lineSize * lineSize;
  // A first token that is nearly long enough is a damaged puzzle with its label.
  const isLabelled = line.tokenEnd - line.from + lineSize >= cells;
  return !isLabelled && Math.abs(line.length - cells) <= lineSize && line.only(LOOSE_CELLS);
}
