/**
 * Puzzles with spaces for blanks: 81 characters on a line, or n lines of n.
 *
 *     53  7               each character is a cell, leading and trailing spaces included; so a line of a grid is not a
 *     6  195              row of tokens: it is not wider than the grid
 *      98    6
 *     ...
 *
 * Editors strip trailing spaces. These can only be blanks, so they are restored, with a warning (`blanks_restored`); but
 * not if all lines start with a digit, since then an unknown number of leading spaces was stripped too. A row of blanks
 * that is empty now cannot be distinguished from the end of a grid: such a grid has a row too few, and is an error.
 *
 * It is tried before other rows and lines, so it leaves possible rows of tokens to their recogniser: single digits at
 * equal distances. Zeros are not accepted: spaces are the blanks, and numbers from 10 on that fill rows have zeros
 * among them.
 */
import { SPACE } from '../../bytes/ascii.ts';
import { DIGIT, kindsIn, LETTER, SPACES } from '../../bytes/byte-kinds.ts';
import { isHeader } from '../headers/header.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';

const LINE_SIZE = 9;
const LINE_CELLS = LINE_SIZE * LINE_SIZE;
/** Blanks that may be stripped from a line: if a whole row is missing, something else is as likely. */
const MAX_STRIPPED = LINE_SIZE - 1;
const MAX_ROW_CELLS = 36;
/** Digits, letters and spaces alone. */
const SYMBOLS = DIGIT | LETTER | SPACES;
/** Rows that are read to count their grids. */
const MAX_ROWS = 288;

/** 81 characters on a line. */
export const spacedLine: Recogniser = {
  name: 'line',
  only: DIGIT | SPACES,
  match: (context, at) =>
    isSpacedLine(context, at) ? enter(context, 'line', at, [at], LINE_SIZE, LINE_CELLS) : NO,
};

/** Whether line `at` is a whole puzzle with spaces for blanks, or lacks only trailing ones. */
export function isSpacedLine(context: TextContext, at: number): boolean {
  if (context.window.kinds[at] & ~(DIGIT | SPACES)) return false;
  const width = widthOf(context, at);
  if (width > LINE_CELLS || width < LINE_CELLS - MAX_STRIPPED) return false;
  const line = textOf(context, at);
  return /^[ 1-9]*$/.test(line) && line.includes(' ') && !isTable(line.trim());
}

/** Whether a text is single symbols at equal distances: numbers in columns. */
function isTable(text: string): boolean {
  const step = text.search(/(?<=. +)[^ ]/);
  return step < 0
    ? text.length <= 1
    : step > 1 && [...text].every((sign, at) => (sign === ' ') !== (at % step === 0));
}

/** n lines of n characters. */
export const spacedRows: Recogniser = {
  name: 'rows',
  only: SYMBOLS,
  match(context, at) {
    const lines = context.followsRow(at) ? undefined : spacedGrid(context, at);
    if (lines === undefined) return NO;
    const taken = enter(context, 'rows', at, lines, lines.length, lines.length);
    context.gridEndLine = context.window.number(at) + taken;
    return taken;
  },
};

/** Enters the grid in lines of `width` cells; missing ones at their ends are blanks. */
function enter(
  context: TextContext,
  format: string,
  at: number,
  lines: readonly number[],
  size: number,
  width: number,
): number {
  const { grid, window, sink } = context;
  grid.clear();
  for (const line of lines) {
    const [from, end] = [window.start[line], window.rawEnd(line)];
    grid.addBytes(window.bytes, from, end);
    for (let cell = end - from; cell < width; cell++) grid.add(SPACE, Math.max(from, end - 1));
  }
  const isWhole = lines.every((line) => widthOf(context, line) === width);
  const taken = lines[lines.length - 1] + 1 - at;
  const notes = isWhole ? undefined : { warnings: ['blanks_restored'] };
  context.enterGrid({ format, geometry: sink.book.geometry(size) }, at, taken, notes);
  return taken;
}

/** The lines of the grid whose rows start at line `at`; undefined if there is none. */
export function spacedGrid(context: TextContext, at: number): readonly number[] | undefined {
  const { window, sink } = context;
  // The widest line among those of the largest grid gives the size; most text has no grid of that size.
  const first = rowsFrom(context, at, MAX_ROW_CELLS, MAX_ROW_CELLS);
  const size = first.reduce((widest, line) => Math.max(widest, widthOf(context, line)), 0);
  if (!sink.book.isSize(size) || first.length < size) return undefined;
  if (first.every((line) => !hasSpaces(context, line))) return undefined;
  const lines = first.slice(0, size);
  const rows = lines.map((line) => textOf(context, line));
  // Numbers in columns start at the front of each line.
  const areColumns = rows.every((row) => /^[^ ]/.test(row) && isTable(row.trimEnd()));
  if (areColumns || !isSpaced(rows, size)) return undefined;
  // Missing cells at the ends of lines may be blanks if some line starts with one; the size is that of a whole line.
  const isWhole = (row: string) => row.length === size;
  if (!rows.every(isWhole) && !(rows.some(isWhole) && rows.some((row) => row.startsWith(' '))))
    return undefined;
  // A line of spaces after a grid may be a row of the next one, or separate them.
  const follows = context.gridEndLine === window.number(at) && window.tokens[at] > 0;
  const all = follows ? lines : rowsFrom(context, at, MAX_ROWS, size);
  // All rows are whole grids, or those before a line of spaces that only separates grids are.
  const blank = all.findIndex((line) => window.tokens[line] === 0);
  const areWhole = all.length % size === 0 || all.length === MAX_ROWS || (blank > 0 && blank % size === 0);
  return areWhole ? lines : undefined;
}

/** Number of lines from `at` to skip: of a run of blank lines, all but the last ones, which may be rows of a grid. */
export function idleRows(context: TextContext, at: number): number {
  let line = at;
  while (context.window.hasArrived(line) && mayBeBlankRow(context, line)) line++;
  return Math.max(1, line - at - MAX_ROW_CELLS);
}

/** Whether line `at` may be a row of blanks alone: as many spaces as a row has cells. */
export function mayBeBlankRow({ window, sink }: TextContext, at: number): boolean {
  const { bytes, start, tokens } = window;
  if (tokens[at] > 0 || bytes[start[at]] !== SPACE) return false;
  const after = window.lineAfter(at);
  let to = start[at];
  while (to < after && bytes[to] === SPACE) to++;
  return sink.book.isSize(to - start[at]);
}

/** Characters of line `at`, spaces at its ends included. */
function widthOf({ window }: TextContext, at: number): number {
  return window.rawEnd(at) - window.start[at];
}

function textOf({ window }: TextContext, at: number): string {
  return window.string(window.start[at], window.rawEnd(at));
}

/** Up to `max` lines from `at` that may be rows of at most `widest` cells. */
function rowsFrom(context: TextContext, at: number, max: number, widest: number): number[] {
  const { window } = context;
  const lines: number[] = [];
  for (let line = at; lines.length < max && window.has(line); line++) {
    if (lines.length > 0 && context.isComment(line)) continue;
    const width = widthOf(context, line);
    const isRow = context.isBlank(line)
      ? mayBeBlankRow(context, line)
      : width <= widest && areSymbols(context, line);
    if (!isRow || width > widest || isHeader(context, line)) break;
    lines.push(line);
  }
  return lines;
}

/** Whether line `at`, with the space around its text, has digits, letters and spaces alone. */
function areSymbols({ window }: TextContext, at: number): boolean {
  const { bytes, start, text, end } = window;
  const around = kindsIn(bytes, start[at], text[at]) | kindsIn(bytes, end[at], window.rawEnd(at));
  return ((window.kinds[at] | around) & ~SYMBOLS) === 0;
}

/** Whether line `at` has a space, also before or after its text. */
function hasSpaces(context: TextContext, at: number): boolean {
  const { window } = context;
  return (window.kinds[at] & SPACES) !== 0 || widthOf(context, at) > window.end[at] - window.text[at];
}

/** Whether rows have only symbols of a grid of that size, with spaces among them. */
function isSpaced(rows: readonly string[], size: number): boolean {
  const all = rows.join('');
  if (!all.includes(' ') || !/\S/.test(all)) return false;
  // Letters, and zeros, are symbols of larger grids alone.
  if (
    size <= LINE_SIZE &&
    [...all].some((sign) => sign !== ' ' && !(Number(sign) > 0 && Number(sign) <= size))
  )
    return false;
  // With more blank lines than that, they separate the rows.
  return rows.filter((row) => !/\S/.test(row)).length <= Math.max(2, size / 3);
}
