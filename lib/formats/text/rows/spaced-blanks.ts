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
import { NINE, SPACE, ZERO } from '../../bytes/ascii.ts';
import type { RecordNotes } from '../../records/record-block.ts';
import { BLANK_SIGN, kindsIn, STRAY, TABULATOR } from '../byte-kinds.ts';
import { isHeader } from '../headers/header.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';

const LINE_SIZE = 9;
const LINE_CELLS = LINE_SIZE * LINE_SIZE;
/** Blanks that may be stripped from a line: if a whole row is missing, something else is as likely. */
const MAX_STRIPPED = LINE_SIZE - 1;
const MAX_ROW_CELLS = 36;
/** Rows that are read to count their grids. */
const MAX_ROWS = 288;

const RESTORED: RecordNotes = { warnings: ['blanks_restored'] };

/** 81 characters on a line. */
export const spacedLine: Recogniser = {
  name: 'line',
  match(context, at) {
    if (!isSpacedLine(context, at)) return NO;
    context.grid.clear();
    addRow(context, at, LINE_CELLS);
    const geometry = context.sink.book.geometry(LINE_SIZE);
    const isWhole = widthOf(context, at) === LINE_CELLS;
    context.enterGrid({ format: 'line', geometry }, at, 1, isWhole ? undefined : { ...RESTORED });
    return 1;
  },
};

/** Whether line `at` is a whole puzzle with spaces for blanks, or lacks only trailing ones. */
export function isSpacedLine(context: TextContext, at: number): boolean {
  const width = widthOf(context, at);
  if (width > LINE_CELLS || width < LINE_CELLS - MAX_STRIPPED) return false;
  const { bytes, start, text, end } = context.window;
  let spaces = 0;
  for (let byte = start[at]; byte < start[at] + width; byte++) {
    if (bytes[byte] === SPACE) spaces++;
    else if (bytes[byte] <= ZERO || bytes[byte] > NINE) return false;
  }
  return spaces > 0 && spaces < width && !isTable(bytes, text[at], end[at]);
}

/** Whether a text is single symbols at equal distances: numbers in columns. */
function isTable(bytes: Uint8Array, from: number, to: number): boolean {
  let last = -1;
  let step = 0;
  for (let byte = from; byte < to; byte++) {
    if (bytes[byte] === SPACE) continue;
    if (last >= 0 && (byte - last < 2 || (step > 0 && byte - last !== step))) return false;
    if (last >= 0) step = byte - last;
    last = byte;
  }
  return true;
}

/** n lines of n characters. */
export const spacedRows: Recogniser = {
  name: 'rows',
  match(context, at) {
    const found = context.followsRow(at) ? undefined : spacedGrid(context, at);
    if (found === undefined) return NO;
    const { size, lines, whole } = found;
    context.grid.clear();
    for (const line of lines) addRow(context, line, size);
    const taken = lines[size - 1] + 1 - at;
    const geometry = context.sink.book.geometry(size);
    context.enterGrid({ format: 'rows', geometry }, at, taken, whole ? undefined : { ...RESTORED });
    context.gridEndLine = context.window.number(at) + taken;
    return taken;
  },
};

interface SpacedGrid {
  readonly size: number;
  readonly lines: readonly number[];
  /** No trailing spaces are missing. */
  readonly whole: boolean;
}

/** The grid whose rows start at line `at`; undefined if there is none. */
export function spacedGrid(context: TextContext, at: number): SpacedGrid | undefined {
  const { window, sink } = context;
  // The widest line among those of the largest grid gives the size; most text has no grid of that size.
  const first = rowsFrom(context, at, MAX_ROW_CELLS, MAX_ROW_CELLS);
  const size = first.reduce((widest, line) => Math.max(widest, widthOf(context, line)), 0);
  if (!sink.book.isSize(size) || first.length < size) return undefined;
  const lines = first.slice(0, size);
  const rows = lines.map((line) => textOf(context, line));
  // Numbers in columns start at the front of each line.
  const inColumns = (line: number) =>
    window.tokens[line] > 0 &&
    window.text[line] === window.start[line] &&
    isTable(window.bytes, window.text[line], window.end[line]);
  if (!isSpaced(rows, size) || lines.every(inColumns)) return undefined;
  const whole = rows.every((row) => row.length === size);
  // Missing cells at the ends of lines may be blanks if some line starts with one; the size is that of a whole line.
  const mayBeRestored = rows.some((row) => row.length === size) && rows.some((row) => row[0] === ' ');
  if (!whole && !mayBeRestored) return undefined;
  // A line of spaces after a grid may be a row of the next one, or separate them.
  const follows = context.gridEndLine === window.number(at) && window.tokens[at] > 0;
  const all = follows ? lines : rowsFrom(context, at, MAX_ROWS, size);
  // All rows are whole grids, or those before a line of spaces that only separates grids are.
  const blank = all.findIndex((line) => window.tokens[line] === 0);
  const areWhole = all.length % size === 0 || all.length === MAX_ROWS || (blank > 0 && blank % size === 0);
  return areWhole ? { size, lines, whole } : undefined;
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

/** Appends the `count` cells of line `at`; missing ones at its end are blanks. */
function addRow({ grid, window }: TextContext, at: number, count: number): void {
  const end = window.rawEnd(at);
  const from = window.start[at];
  grid.addBytes(window.bytes, from, end);
  for (let cell = end - from; cell < count; cell++) grid.add(SPACE, Math.max(from, end - 1));
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
    if (context.isComment(line)) {
      if (lines.length === 0) break;
      continue;
    }
    const width = widthOf(context, line);
    const isRow = context.isBlank(line) ? mayBeBlankRow(context, line) : isSpacedRow(context, line, width);
    if (!isRow || width > widest || isHeader(context, line)) break;
    lines.push(line);
  }
  return lines;
}

/** Digits, letters and spaces alone. */
function isSpacedRow({ window: { bytes, start } }: TextContext, at: number, width: number): boolean {
  const others = STRAY | BLANK_SIGN | TABULATOR;
  return width <= MAX_ROW_CELLS && (kindsIn(bytes, start[at], start[at] + width, others) & others) === 0;
}

/** Whether rows have only symbols of a grid of that size, with spaces among them. */
function isSpaced(rows: readonly string[], size: number): boolean {
  const all = rows.join('');
  if (!all.includes(' ') || !/\S/.test(all)) return false;
  // Letters, and zeros, are symbols of larger grids alone.
  const last = String(size);
  for (let k = 0; k < all.length && size <= LINE_SIZE; k++) {
    if (all[k] !== ' ' && (all[k] < '1' || all[k] > last)) return false;
  }
  // With more blank lines than that, they separate the rows.
  const blank = rows.filter((row) => !/\S/.test(row)).length;
  return blank <= Math.max(2, size / 3);
}
