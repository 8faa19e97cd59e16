/**
 * A line with a lone integer that is not a puzzle: the number of puzzles that follow, at the front of the file (SPOJ
 * SUDOKU) or before each puzzle; or the size, the box order or the number of the next puzzle.
 *
 *     2             first text of the file
 *     16            at most two digits, directly before a grid
 *     17            one more than the last such line
 *     12345         elsewhere: the rest of a damaged puzzle, and an error like any other
 */
import { SPACE } from '../../bytes/ascii.ts';
import { DIGIT } from '../../bytes/byte-kinds.ts';
import { isFieldRow } from '../grids/line-tests.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { isSpacedLine, spacedGrid } from '../rows/spaced-blanks.ts';
import type { Line } from '../shape/line.ts';
import { isRuler, resemblesCells } from '../shape/rulers.ts';

/** Digits of a size, or of a number of puzzles, within the file. */
const MAX_DIGITS_WITHIN = 2;
/** Digits of a cell on its own line. */
const MAX_CELL_DIGITS = 3;

export const count: Recogniser = {
  name: 'count',
  only: DIGIT,
  match(line) {
    const { context, length } = line;
    // A puzzle on a line with spaces for blanks may have two givens, side by side.
    if (!line.isInteger || isSpacedLine(line) || isFieldRow(line)) return NO;
    const next = context.nextText(line.at + 1);
    // Some judges end their input with a lone 0.
    if (next === undefined) return line.text === '0' ? 1 : NO;
    // A row of digits is followed by a row like it, and a cell on its own line by other cells.
    if (next.tokens === 1 && next.length === length && !isCell(line)) return NO;
    if (isCell(line) && isCell(next)) {
      const third = context.nextText(next.at + 1);
      if (third !== undefined && isCell(third)) return NO;
    }
    if (!isCount(line, next)) return NO;
    // A row of a grid with spaces for blanks may have a single digit.
    if ((isIndented(line) || isIndented(next)) && spacedGrid(line) !== undefined) return NO;
    const integer = Number(line.text);
    context.lastCount = integer;
    context.sink.survey?.onHeader();
    // If it is the size of the next puzzle: any size with a usual box.
    const isSize = next.tokens === 1 && integer === next.length;
    if (isSize || integer === next.tokens) context.allowSize(integer);
    return 1;
  },
};

/** Whether an integer is in a place for a count; `next` is the next line with text. */
function isCount(line: Line, next: Line): boolean {
  const { context, text, length, number } = line;
  if (/^0./.test(text)) return false;
  if (context.firstLine === number || Number(text) - 1 === context.lastCount) return true;
  if (length > MAX_DIGITS_WITHIN) return false;
  for (let at = line.at + 1; at < next.at; at++) if (context.line(at).isBlank) return false;
  return mayStartGrid(next) || isFieldRow(next);
}

/** Whether a line has white space before or after its text. */
function isIndented({ context, at, bytes, start, from, end }: Line): boolean {
  return from > start || (end < context.window.lineAfter(at) && bytes[end] === SPACE);
}

function mayStartGrid(line: Line): boolean {
  const isRow = line.tokens === 1 && line.book.isSize(line.length);
  return isRow || resemblesCells(line) || isRuler(line) || line.text.includes('|');
}

function isCell({ isInteger, length }: Line): boolean {
  return isInteger && length <= MAX_CELL_DIGITS;
}
