/**
 * A line with a lone integer that is no puzzle: how many puzzles follow, at the head of the file (SPOJ SUDOKU) or before
 * each one, or the size of the next one, or the order of its boxes, or its number.
 *
 *     2             first text of the file
 *     16            at most two digits, directly before a grid
 *     17            one more than the last such line
 *     12345         elsewhere: what damage left of a puzzle, and an error like any other
 */
import { isRuler } from '../drawings/boxed.ts';
import { MORE, NO, type TextFormat } from '../recogniser.ts';
import { spacedGrid } from '../rows/spaced-blanks.ts';
import type { TextContext } from '../text-context.ts';
import { resemblesCells } from '../unreadable.ts';

/** Of a size, or of a number of puzzles before each of them. */
const MOST_DIGITS_WITHIN = 2;
/** Of a cell that has a line for itself. */
const MOST_DIGITS_OF_CELL = 3;
const ZERO = 48;
const SPACE = 32;

export const count: TextFormat = {
  name: 'count',
  match(context, at) {
    if (!context.isInteger(at)) return NO;
    const { window } = context;
    const next = textAfter(context, at);
    if (!window.has(next)) {
      if (!window.closed) return MORE;
      // Some judges end their input with a lone 0.
      return window.string(window.text[at], window.end[at]) === '0' ? 1 : NO;
    }
    // A row of digits is followed by its like, and so are cells of a line each.
    const alike = window.tokens[next] === 1 && width(context, next) === width(context, at);
    if (alike && !isCell(context, at)) return NO;
    if (isCell(context, at) && isCell(context, next)) {
      const third = textAfter(context, next);
      if (!window.has(third) && !window.closed) return MORE;
      if (window.has(third) && isCell(context, third)) return NO;
    }
    if (!isCount(context, at, next)) return NO;
    // A row of a grid whose blanks are spaces may have a single digit.
    const grid = isIndented(context, at) || isIndented(context, next) ? spacedGrid(context, at) : NO;
    if (grid !== NO) return grid === MORE ? MORE : NO;
    context.lastCount = integerAt(context, at);
    context.sink.announce();
    allowSize(context, at, next);
    return 1;
  },
};

/** Whether white space stands in front of line `at`, or behind it. */
function isIndented({ window }: TextContext, at: number): boolean {
  const { bytes, start, text, end } = window;
  return text[at] > start[at] || (end[at] < window.lineAfter(at) && bytes[end[at]] === SPACE);
}

/** The next line with text that is no comment. */
function textAfter(context: TextContext, at: number): number {
  let line = at + 1;
  while (context.window.has(line) && (context.isBlank(line) || context.isComment(line))) line++;
  return line;
}

/** Whether the integer in line `at` stands where one is meant; `next` is the next line with text. */
function isCount(context: TextContext, at: number, next: number): boolean {
  const { window } = context;
  const digits = width(context, at);
  if (digits > 1 && window.bytes[window.text[at]] === ZERO) return false;
  if (context.firstLine === window.number(at)) return true;
  if (context.lastCount !== undefined && integerAt(context, at) === context.lastCount + 1) return true;
  if (digits > MOST_DIGITS_WITHIN) return false;
  for (let line = at + 1; line < next; line++) if (context.isBlank(line)) return false;
  return mayStartGrid(context, next);
}

function mayStartGrid(context: TextContext, at: number): boolean {
  const { bytes, text, end, tokens } = context.window;
  if (resemblesCells(context, at) || isRuler(context, at)) return true;
  if (tokens[at] === 1 && context.sink.book.isSize(width(context, at))) return true;
  return bytes.subarray(text[at], end[at]).includes(BAR);
}

const BAR = 124;

function isCell(context: TextContext, at: number): boolean {
  return context.isInteger(at) && width(context, at) <= MOST_DIGITS_OF_CELL;
}

function integerAt(context: TextContext, at: number): number {
  return Number(context.window.string(context.window.text[at], context.window.end[at]));
}

/** A lone integer may be the size of the next puzzle: then any size that has a usual box is read. */
function allowSize(context: TextContext, at: number, next: number): void {
  const { window, sink } = context;
  const size = integerAt(context, at);
  if (size === window.tokens[next] || (window.tokens[next] === 1 && size === width(context, next))) {
    sink.book.allow(size);
  }
}

function width(context: TextContext, at: number): number {
  return context.window.end[at] - context.window.text[at];
}
