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
import { SPACE, ZERO } from '../../bytes/ascii.ts';
import type { RecordNotes } from '../../records/record-block.ts';
import { DIGIT, KINDS, LETTER } from '../byte-kinds.ts';
import { isHeader } from '../headers/header.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';

const LINE_SIZE = 9;
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
    const { window, sink, grid } = context;
    if (!isSpacedLine(context, at)) return NO;
    const cells = LINE_SIZE * LINE_SIZE;
    const length = context.window.rawEnd(at) - window.start[at];
    const geometry = sink.book.geometry(LINE_SIZE);
    grid.clear();
    addRow(context, at, cells);
    context.enterGrid({ format: 'line', geometry }, at, 1, length < cells ? { ...RESTORED } : undefined);
    return 1;
  },
};

/** Whether line `at` is a whole puzzle with spaces for blanks, or lacks only trailing ones. */
export function isSpacedLine(context: TextContext, at: number): boolean {
  const length = context.window.rawEnd(at) - context.window.start[at];
  const cells = LINE_SIZE * LINE_SIZE;
  if (length > cells || length < cells - MAX_STRIPPED) return false;
  return hasOnly(context, at, LINE_SIZE) && !isTable(context, at);
}

/** n lines of n characters. */
export const spacedRows: Recogniser = {
  name: 'rows',
  match(context, at) {
    if (context.followsRow(at)) return NO;
    const { window, sink, grid } = context;
    const rows = spacedGrid(context, at);
    if (rows === NO) return NO;
    const { size, lines, whole } = rows;
    grid.clear();
    for (const line of lines) addRow(context, line, size);
    const taken = lines[size - 1] + 1 - at;
    const geometry = sink.book.geometry(size);
    context.enterGrid({ format: 'rows', geometry }, at, taken, whole ? undefined : { ...RESTORED });
    context.gridEndLine = window.number(at) + taken;
    return taken;
  },
};

interface SpacedGrid {
  readonly size: number;
  readonly lines: readonly number[];
  /** No trailing spaces are missing. */
  readonly whole: boolean;
}

/** The grid whose rows start at line `at`; `NO` if there is none. */
export function spacedGrid(context: TextContext, at: number): SpacedGrid | typeof NO {
  const { window, sink } = context;
  // The widest line among those of the largest grid gives the size; most text has no grid of that size.
  const first = rowsFrom(context, at, MAX_ROW_CELLS, MAX_ROW_CELLS);
  const size = first.reduce(
    (widest, line) => Math.max(widest, context.window.rawEnd(line) - window.start[line]),
    0,
  );
  if (!sink.book.isSize(size) || first.length < size) return NO;
  const lines = first.slice(0, size);
  if (!isSpaced(context, lines, size)) return NO;
  const whole = lines.every((line) => context.window.rawEnd(line) - window.start[line] === size);
  if (!whole && !mayBeRestored(context, lines, size)) return NO;
  // A line of spaces after a grid may be a row of the next one, or separate them.
  const follows = context.gridEndLine === window.number(at) && window.tokens[at] > 0;
  const all = follows ? lines : rowsFrom(context, at, MAX_ROWS, size);
  return follows || areWhole(context, all, size) ? { size, lines, whole } : NO;
}

/** Number of lines from `at` to skip: of a run of blank lines, all but the last ones, which may be rows of a grid. */
export function idleRows(context: TextContext, at: number): number {
  const { window } = context;
  let line = at;
  while (window.hasArrived(line) && mayBeBlankRow(context, line)) line++;
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
function addRow(context: TextContext, at: number, count: number): void {
  const { grid, window } = context;
  const end = context.window.rawEnd(at);
  const from = window.start[at];
  grid.addBytes(window.bytes, from, end);
  for (let cell = end - from; cell < count; cell++) grid.add(SPACE, Math.max(from, end - 1));
}

/** Whether line `at` consists of digits up to `size` (letters too, above nine) and spaces, and has both. */
function hasOnly(context: TextContext, at: number, size: number): boolean {
  const { bytes, start } = context.window;
  const end = context.window.rawEnd(at);
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

/** Whether line `at` is single symbols at equal distances: numbers in columns. */
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

/** Whether rows are whole grids: all of them, or those before a line of spaces that only separates grids. */
function areWhole({ window }: TextContext, lines: readonly number[], size: number): boolean {
  if (lines.length % size === 0 || lines.length === MAX_ROWS) return true;
  const first = lines.findIndex((line) => window.tokens[line] === 0);
  return first > 0 && first % size === 0;
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
    const width = context.window.rawEnd(line) - window.start[line];
    const isRow = context.isBlank(line) ? mayBeBlankRow(context, line) : isSpacedRow(context, line, width);
    if (!isRow || width > widest || isHeader(context, line)) break;
    lines.push(line);
  }
  return lines;
}

function isSpacedRow({ window }: TextContext, at: number, width: number): boolean {
  if (width > MAX_ROW_CELLS) return false;
  const { bytes, start } = window;
  for (let byte = start[at]; byte < start[at] + width; byte++) {
    if (bytes[byte] !== SPACE && !isSymbol(bytes[byte], MAX_ROW_CELLS)) return false;
  }
  return true;
}

/** Whether rows have only symbols of a grid of that size, with spaces among them, and are not a table of numbers. */
function isSpaced(context: TextContext, lines: readonly number[], size: number): boolean {
  const { bytes, start } = context.window;
  let spaces = 0;
  let symbols = 0;
  for (const line of lines) {
    const end = context.window.rawEnd(line);
    for (let byte = start[line]; byte < end; byte++) {
      if (bytes[byte] === SPACE) spaces++;
      else if (!isSymbol(bytes[byte], size)) return false;
      else symbols++;
    }
  }
  const { text, tokens } = context.window;
  // With more blank lines than that, they separate the rows.
  const blank = lines.filter((line) => tokens[line] === 0).length;
  if (blank > Math.max(2, size / 3)) return false;
  // Numbers in columns start at the front of each line.
  const inColumns = (line: number) =>
    tokens[line] > 0 && text[line] === start[line] && isTable(context, line);
  return spaces > 0 && symbols > 0 && !lines.every(inColumns);
}

/** Whether missing cells at the ends of lines may be blanks: some line is whole, and some line starts with a blank. */
function mayBeRestored(context: TextContext, lines: readonly number[], size: number): boolean {
  const { bytes, start } = context.window;
  const whole = lines.some((line) => context.window.rawEnd(line) - start[line] === size);
  return whole && lines.some((line) => bytes[start[line]] === SPACE);
}
