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
import { DIGIT, kindsIn, LETTER, SPACES } from '../../bytes/byte-kinds.ts';
import { isHeader } from '../headers/header.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { Line } from '../shape/line.ts';

const LINE_SIZE = 9;
const LINE_CELLS = LINE_SIZE * LINE_SIZE;
/** Blanks that may be stripped from a line: if a whole row is missing, something else is as likely. */
const MAX_STRIPPED = LINE_SIZE - 1;
const MAX_ROW_CELLS = 36;
/** Digits, letters and spaces alone. */
const SYMBOLS = DIGIT | LETTER | SPACES;
/** Ten or more short numbers with one space between them; most puzzles have two blanks side by side. */
const NUMBERS = /^\d{1,5}(?: \d{1,5}){9,}$/;
/** Single symbols at equal distances, from the front of a line on: numbers in columns. */
const COLUMNS = /^\S(?:( +)\S(?:\1\S)*)? *$/;
/** Rows that are read to count their grids. */
const MAX_ROWS = 288;

/** 81 characters on a line. */
export const spacedLine: Recogniser = {
  name: 'line',
  only: DIGIT | SPACES,
  match: (line) => (isSpacedLine(line) ? enter('line', [line], LINE_SIZE, LINE_CELLS) : NO),
};

/** Whether a line is a whole puzzle with spaces for blanks, or lacks only trailing ones. */
export function isSpacedLine(line: Line): boolean {
  if (line.kinds & ~(DIGIT | SPACES)) return false;
  const { bytes, start, rawEnd, fullLength } = line;
  if (fullLength > LINE_CELLS || fullLength < LINE_CELLS - MAX_STRIPPED) return false;
  /** Whether there is a blank, two side by side, and two digits. */
  let [hasBlank, hasBlanks, hasDigits] = [false, false, false];
  for (let at = start, last = 0; at < rawEnd; last = bytes[at++]) {
    if (bytes[at] === SPACE) {
      hasBlank = true;
      hasBlanks ||= last === SPACE;
    } else if (bytes[at] <= ZERO) return false;
    else hasDigits ||= last > SPACE;
  }
  // Nearly all puzzles have both, and rows of numbers have not: no text is made of them.
  if (hasBlanks && hasDigits) return true;
  return hasBlank && !COLUMNS.test(line.text) && !NUMBERS.test(line.text);
}

/** n lines of n characters. */
export const spacedRows: Recogniser = {
  name: 'rows',
  only: SYMBOLS,
  blankRows: true,
  match(line) {
    const { context, number } = line;
    const lines = context.followsRow(line) ? undefined : spacedGrid(line);
    if (lines === undefined) return NO;
    const taken = enter('rows', lines, lines.length, lines.length);
    context.gridEndLine = number + taken;
    return taken;
  },
};

/** Enters the grid in lines of `width` cells; missing ones at their ends are blanks. */
function enter(format: string, lines: readonly Line[], size: number, width: number): number {
  const [first] = lines;
  const { context, book } = first;
  const { grid } = context;
  grid.clear();
  for (const { bytes, start, rawEnd } of lines) {
    grid.addBytes(bytes, start, rawEnd);
    for (let cell = rawEnd - start; cell < width; cell++) grid.add(SPACE, Math.max(start, rawEnd - 1));
  }
  const taken = lines[lines.length - 1].at + 1 - first.at;
  const isWhole = lines.every(({ fullLength }) => fullLength === width);
  const notes = isWhole ? undefined : { warnings: ['blanks_restored'] };
  context.enter({ format, geometry: book.geometry(size) }, first, taken, notes);
  return taken;
}

/** The lines of the grid whose rows start at a line; undefined if there is none. */
export function spacedGrid(line: Line): readonly Line[] | undefined {
  // The widest line among those of the largest grid gives the size; most text has no grid of that size.
  const first = rowsFrom(line, MAX_ROW_CELLS, MAX_ROW_CELLS);
  const size = Math.max(0, ...first.map(({ fullLength }) => fullLength));
  if (!line.book.isSize(size) || first.length < size) return undefined;
  if (!first.some((row) => row.fullLength > row.length || row.has(SPACES))) return undefined;
  const lines = first.slice(0, size);
  const rows = lines.map(({ full }) => full);
  if (rows.every((row) => COLUMNS.test(row)) || !isSpaced(rows, size)) return undefined;
  // Missing cells at the ends of lines may be blanks if some line starts with one; the size is that of a whole line.
  const isWhole = (row: string) => row.length === size;
  if (!rows.every(isWhole) && !(rows.some(isWhole) && rows.some((row) => row.startsWith(' '))))
    return undefined;
  // A line of spaces after a grid may be a row of the next one, or separate them.
  const follows = line.context.gridEndLine === line.number && !line.isBlank;
  const all = follows ? lines : first.length < MAX_ROW_CELLS ? first : rowsFrom(line, MAX_ROWS, size);
  // All rows are whole grids, or those before a line of spaces that only separates grids are.
  const blank = all.findIndex((row) => row.isBlank);
  const areWhole = all.length % size === 0 || all.length === MAX_ROWS || (blank > 0 && blank % size === 0);
  return areWhole ? lines : undefined;
}

/** Number of lines to skip: of a run of blank lines, all but the last ones, which may be rows of a grid. */
export function idleRows({ context, at }: Line): number {
  let end = at;
  while (context.window.hasArrived(end) && mayBeBlankRow(context.line(end))) end++;
  return Math.max(1, end - at - MAX_ROW_CELLS);
}

/** Whether a line may be a row of blanks alone: as many spaces as a row has cells. */
export function mayBeBlankRow({ bytes, start, isBlank, fullLength, book }: Line): boolean {
  return isBlank && bytes[start] === SPACE && book.isSize(fullLength);
}

/** Up to `max` lines from one on that may be rows of at most `widest` cells. */
function rowsFrom(first: Line, max: number, widest: number): Line[] {
  const lines: Line[] = [];
  for (let line: Line | undefined = first; line !== undefined && lines.length < max; line = line.next) {
    if (lines.length > 0 && line.isComment) continue;
    const { bytes, start, from, end, rawEnd } = line;
    const isRow = line.isBlank ? mayBeBlankRow(line) : line.only(SYMBOLS);
    if (!isRow || rawEnd - start > widest || isHeader(line)) break;
    // What is around its text may be tabs.
    if ((kindsIn(bytes, start, from) | kindsIn(bytes, end, rawEnd)) & ~SPACES) break;
    lines.push(line);
  }
  return lines;
}

/** Whether rows have only symbols of a grid of that size, with spaces among them. */
function isSpaced(rows: readonly string[], size: number): boolean {
  const all = rows.join('');
  // Rows that all start with two spaces are indented.
  if (!all.includes(' ') || rows.every((row) => row.startsWith('  '))) return false;
  // Letters, and zeros, are symbols of larger grids alone.
  if (size <= LINE_SIZE && new RegExp(`[^ 1-${size}]`).test(all)) return false;
  // With more blank lines than that, they separate the rows.
  return rows.filter((row) => !/\S/.test(row)).length <= Math.max(2, size / 3);
}
