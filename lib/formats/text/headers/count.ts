/**
 * A line with a lone integer that is not a puzzle: the number of puzzles that follow, at the front of the file (SPOJ
 * SUDOKU) or before each puzzle; or the size, the box order or the number of the next puzzle.
 *
 *     2             first text of the file
 *     16            at most two digits, directly before a grid
 *     17            one more than the last such line
 *     12345         elsewhere: the rest of a damaged puzzle, and an error like any other
 */
import { SPACE, ZERO } from '../../bytes/ascii.ts';
import { DIGIT } from '../../bytes/byte-kinds.ts';
import { isFieldRow } from '../grids/line-tests.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { isSpacedLine, spacedGrid } from '../rows/spaced-blanks.ts';
import { resemblesCells } from '../shape/likeness.ts';
import { isRuler } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';

/** Digits of a size, or of a number of puzzles, within the file. */
const MAX_DIGITS_WITHIN = 2;
/** Digits of a cell on its own line. */
const MAX_CELL_DIGITS = 3;

export const count: Recogniser = {
  name: 'count',
  only: DIGIT,
  match(context, at) {
    // A puzzle on a line with spaces for blanks may have two givens, side by side.
    if (!context.isInteger(at) || isSpacedLine(context, at) || isFieldRow(context, at)) return NO;
    const { window } = context;
    const next = context.nextText(at + 1);
    // Some judges end their input with a lone 0.
    if (next === undefined) return context.lines.text(at) === '0' ? 1 : NO;
    // A row of digits is followed by a row like it, and a cell on its own line by other cells.
    const alike = window.tokens[next] === 1 && width(context, next) === width(context, at);
    if (alike && !isCell(context, at)) return NO;
    if (isCell(context, at) && isCell(context, next)) {
      const third = context.nextText(next + 1);
      if (third !== undefined && isCell(context, third)) return NO;
    }
    if (!isCount(context, at, next)) return NO;
    // A row of a grid with spaces for blanks may have a single digit.
    const mayBeSpaced = isIndented(context, at) || isIndented(context, next);
    if (mayBeSpaced && spacedGrid(context, at) !== undefined) return NO;
    const integer = integerAt(context, at);
    context.lastCount = integer;
    context.sink.survey?.onHeader();
    // If it is the size of the next puzzle: any size with a usual box.
    const isSize = window.tokens[next] === 1 && integer === width(context, next);
    if (isSize || integer === window.tokens[next]) context.sink.book.allowSize(integer);
    return 1;
  },
};

/** Whether the integer in line `at` is in a place for a count; `next` is the next line with text. */
function isCount(context: TextContext, at: number, next: number): boolean {
  const { window } = context;
  const digits = width(context, at);
  if (digits > 1 && window.bytes[window.text[at]] === ZERO) return false;
  if (context.firstLine === window.number(at)) return true;
  const { lastCount } = context;
  if (lastCount !== undefined && integerAt(context, at) === lastCount + 1) return true;
  if (digits > MAX_DIGITS_WITHIN) return false;
  for (let line = at + 1; line < next; line++) if (context.isBlank(line)) return false;
  return mayStartGrid(context, next) || isFieldRow(context, next);
}

function integerAt({ lines }: TextContext, at: number): number {
  return Number(lines.text(at));
}

/** Whether line `at` has white space before or after its text. */
function isIndented({ window }: TextContext, at: number): boolean {
  const { bytes, start, text, end } = window;
  return text[at] > start[at] || (end[at] < window.lineAfter(at) && bytes[end[at]] === SPACE);
}

function mayStartGrid(context: TextContext, at: number): boolean {
  const { lines, window, sink } = context;
  const isRow = window.tokens[at] === 1 && sink.book.isSize(width(context, at));
  return isRow || resemblesCells(context, at) || isRuler(context, at) || lines.text(at).includes('|');
}

function isCell(context: TextContext, at: number): boolean {
  return context.isInteger(at) && width(context, at) <= MAX_CELL_DIGITS;
}

function width({ window }: TextContext, at: number): number {
  return window.end[at] - window.text[at];
}
