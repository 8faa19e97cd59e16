/**
 * Puzzles whose blanks are spaces: 81 characters on a line, or n lines of n.
 *
 *     53  7               every character stands for a cell, in front and behind as well; so a line of a grid is no
 *     6  195              row of tokens: it is not wider than the grid
 *      98    6
 *     ...
 *
 * Editors take spaces from the ends of lines. What is missing there can only be blanks, so it is filled up again, and the
 * record says so (`blanks_restored`); but not where all lines begin with a digit, since then spaces in front were taken
 * as well, and nobody knows how many. Nor is a row that is blank altogether, and empty now, told from the end of a grid:
 * such a grid has a row too few, and is no puzzle.
 *
 * Asked for before other rows and lines, so what could be rows of tokens is left to those: digits that stand alone, all
 * at the same distance. Zeros are not read beside spaces, which are blanks themselves, and every number from 10 on that
 * fills rows has some.
 */
import type { RecordNotes } from '../../records/record-block.ts';
import { isHeader } from '../headers/header.ts';
import { MORE, NO, type TextFormat } from '../recogniser.ts';
import { DIGIT, KINDS, LETTER, type TextContext } from '../text-context.ts';

const LF = 10;
const CR = 13;
const SPACE = 32;
const ZERO = 48;

const LINE_SIZE = 9;
/** Blanks that the end of a line may have lost: with a whole row, something else is as likely. */
const MOST_LOST = LINE_SIZE - 1;
const LONGEST_ROW = 36;
/** Rows that are looked at for how many grids they are. */
const MOST_ROWS = 288;

const RESTORED: RecordNotes = { warnings: ['blanks_restored'] };

/** 81 characters on a line. */
export const spacedLine: TextFormat = {
  name: 'line',
  match(context, at) {
    const { window, sink, grid } = context;
    if (!isSpacedLine(context, at)) return NO;
    const cells = LINE_SIZE * LINE_SIZE;
    const length = rawEnd(context, at) - window.start[at];
    const geometry = sink.book.geometry(LINE_SIZE);
    grid.clear();
    addRow(context, at, cells);
    const line = window.number(at);
    const place = { format: 'line', geometry, spaced: false, line, lineEnd: line };
    context.enterGrid(place, at, 1, length < cells ? { ...RESTORED } : undefined);
    return 1;
  },
};

/** Whether line `at` is a whole puzzle with spaces for blanks, or one that only lacks some at its end. */
export function isSpacedLine(context: TextContext, at: number): boolean {
  const length = rawEnd(context, at) - context.window.start[at];
  const cells = LINE_SIZE * LINE_SIZE;
  if (length > cells || length < cells - MOST_LOST) return false;
  return hasOnly(context, at, LINE_SIZE) && !isTable(context, at);
}

/** n lines of n characters. */
export const spacedRows: TextFormat = {
  name: 'rows',
  match(context, at) {
    const { window, sink, grid } = context;
    const rows = spacedGrid(context, at);
    if (rows === NO || rows === MORE) return rows;
    const { size, lines, whole } = rows;
    grid.clear();
    for (const line of lines) addRow(context, line, size);
    const taken = lines[size - 1] + 1 - at;
    const line = window.number(at);
    const geometry = sink.book.geometry(size);
    const place = { format: 'rows', geometry, spaced: false, line, lineEnd: line + taken - 1 };
    context.enterGrid(place, at, taken, whole ? undefined : { ...RESTORED });
    context.gridEndLine = line + taken;
    return taken;
  },
};

/** A grid of rows. */
interface SpacedGrid {
  readonly size: number;
  readonly lines: readonly number[];
  /** No line lacks anything. */
  readonly whole: boolean;
}

/** The grid whose rows begin with line `at`; `NO` where there is none, `MORE` where more lines are needed to tell. */
export function spacedGrid(context: TextContext, at: number): SpacedGrid | typeof NO | typeof MORE {
  const { window, sink } = context;
  // The widest of so many lines as any grid has tells the size; most text is no grid of it.
  const first = rowsFrom(context, at, LONGEST_ROW, LONGEST_ROW);
  if (first === undefined) return MORE;
  const size = first.reduce(
    (widest, line) => Math.max(widest, rawEnd(context, line) - window.start[line]),
    0,
  );
  if (!sink.book.isSize(size) || first.length < size) return NO;
  const lines = first.slice(0, size);
  if (!isSpaced(context, lines, size)) return NO;
  const whole = lines.every((line) => rawEnd(context, line) - window.start[line] === size);
  if (!whole && !mayBeRestored(context, lines, size)) return NO;
  // A line of spaces behind a grid may be a row of the next one, or part them.
  const follows = context.gridEndLine === window.number(at) && window.tokens[at] > 0;
  const all = follows ? lines : rowsFrom(context, at, MOST_ROWS, size);
  if (all === undefined) return MORE;
  return follows || areWhole(context, all, size) ? { size, lines, whole } : NO;
}

/** How many lines from `at`, which is no row of blanks, are none either, as so many of them follow that no grid has. */
export function idleRows(context: TextContext, at: number): number {
  const { window } = context;
  let line = at;
  while (window.has(line) && mayBeBlankRow(context, line)) line++;
  return Math.max(1, line - at - LONGEST_ROW);
}

/** Whether a line may be a row of blanks alone: spaces, as many as a row has cells. */
export function mayBeBlankRow({ window, sink }: TextContext, at: number): boolean {
  const { bytes, start, tokens } = window;
  if (tokens[at] > 0 || bytes[start[at]] !== SPACE) return false;
  const after = window.lineAfter(at);
  let to = start[at];
  while (to < after && bytes[to] === SPACE) to++;
  return sink.book.isSize(to - start[at]);
}

/** Behind the last character of line `at`, white space included. */
function rawEnd({ window }: TextContext, at: number): number {
  const { bytes } = window;
  let end = window.lineAfter(at);
  if (end > window.start[at] && bytes[end - 1] === LF) end--;
  if (end > window.start[at] && bytes[end - 1] === CR) end--;
  return end;
}

/** Appends the `count` cells of line `at`, those that are missing at its end as blanks. */
function addRow(context: TextContext, at: number, count: number): void {
  const { grid, window } = context;
  const end = rawEnd(context, at);
  const from = window.start[at];
  grid.addBytes(window.bytes, from, end);
  for (let cell = end - from; cell < count; cell++) grid.add(SPACE, Math.max(from, end - 1));
}

/** Whether line `at` has digits up to `size` (letters too, where it has more than nine), and spaces, and both. */
function hasOnly(context: TextContext, at: number, size: number): boolean {
  const { bytes, start } = context.window;
  const end = rawEnd(context, at);
  let spaces = 0;
  for (let byte = start[at]; byte < end; byte++) {
    if (bytes[byte] === SPACE) spaces++;
    else if (!isSymbol(bytes[byte], size)) return false;
  }
  return spaces > 0 && spaces < end - start[at];
}

function isSymbol(byte: number, size: number): boolean {
  if (size > LINE_SIZE) return (KINDS[byte] & (DIGIT | LETTER)) !== 0;
  return byte > ZERO && byte <= ZERO + size;
}

/** Whether symbols that stand alone, all of them as far from the next, make line `at`: numbers in columns. */
function isTable({ window: { bytes, text, end } }: TextContext, at: number): boolean {
  let last = -1;
  let step = 0;
  for (let byte = text[at]; byte < end[at]; byte++) {
    if (bytes[byte] === SPACE) continue;
    if (last >= 0 && (byte - last < 2 || (step > 0 && byte - last !== step))) return false;
    if (last >= 0) step = byte - last;
    last = byte;
  }
  return true;
}

/** Whether rows make whole grids: all of them, or those up to a line of spaces that only parts grids. */
function areWhole({ window }: TextContext, lines: readonly number[], size: number): boolean {
  if (lines.length % size === 0 || lines.length === MOST_ROWS) return true;
  const first = lines.findIndex((line) => window.tokens[line] === 0);
  return first > 0 && first % size === 0;
}

/** Up to `most` lines from `at` that may be rows of at most `widest` cells; undefined where more lines are needed. */
function rowsFrom(context: TextContext, at: number, most: number, widest: number): number[] | undefined {
  const { window } = context;
  const lines: number[] = [];
  for (let line = at; lines.length < most; line++) {
    if (!window.has(line)) {
      if (!window.closed) return undefined;
      break;
    }
    if (context.isComment(line)) {
      if (lines.length === 0) break;
      continue;
    }
    const width = rawEnd(context, line) - window.start[line];
    const isRow = context.isBlank(line) ? mayBeBlankRow(context, line) : isSpacedRow(context, line, width);
    if (!isRow || width > widest || isHeader(context, line)) break;
    lines.push(line);
  }
  return lines;
}

function isSpacedRow({ window }: TextContext, at: number, width: number): boolean {
  if (width > LONGEST_ROW) return false;
  const { bytes, start } = window;
  for (let byte = start[at]; byte < start[at] + width; byte++) {
    if (bytes[byte] !== SPACE && !isSymbol(bytes[byte], LONGEST_ROW)) return false;
  }
  return true;
}

/** Whether rows are of digits that a grid of that size has, with spaces among them, and no table of numbers. */
function isSpaced(context: TextContext, lines: readonly number[], size: number): boolean {
  const { bytes, start } = context.window;
  let spaces = 0;
  let symbols = 0;
  for (const line of lines) {
    const end = rawEnd(context, line);
    for (let byte = start[line]; byte < end; byte++) {
      if (bytes[byte] === SPACE) spaces++;
      else if (!isSymbol(bytes[byte], size)) return false;
      else symbols++;
    }
  }
  const { text, tokens } = context.window;
  // Of more rows than that, lines of spaces stand between the rows.
  const blank = lines.filter((line) => tokens[line] === 0).length;
  if (blank > Math.max(2, size / 3)) return false;
  // Numbers in columns begin at the front of each line.
  const inColumns = (line: number) =>
    tokens[line] > 0 && text[line] === start[line] && isTable(context, line);
  return spaces > 0 && symbols > 0 && !lines.every(inColumns);
}

/** Whether what lines lack at their ends may be blanks: some line has all, and some begins with a blank. */
function mayBeRestored(context: TextContext, lines: readonly number[], size: number): boolean {
  const { bytes, start } = context.window;
  const whole = lines.some((line) => rawEnd(context, line) - start[line] === size);
  return whole && lines.some((line) => bytes[start[line]] === SPACE);
}
