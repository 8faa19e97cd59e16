/**
 * Grids with spaces for blanks, in which the cells of a row are at equal distances, between bars or without them.
 *
 *     +-------+-------+-------+        The bars cut each row into intervals of one width. The columns with a digit in any
 *     |     2 |       |   5 9 |        row and interval give the distance of the cells, and where the first one is. If
 *     |     3 | 4 8   |       |        they leave several places that differ in a cell, the grid is refused.
 *     ...
 *
 * A row has digits, letters and spaces alone: with another character for blanks, a space would be a missing cell. Spaces
 * at the ends of rows may be missing.
 */

import { isWhite, SPACE } from '../../bytes/ascii.ts';
import { BARS, COLONS, DIGIT, LETTER, SPACES } from '../../bytes/byte-kinds.ts';
import { tokenCode } from '../../cells/token-code.ts';
import { makeFault } from '../../records/fault.ts';
import { drawingOf } from '../drawings/drawing.ts';
import { isHeader } from '../headers/header.ts';
import { NO } from '../recogniser.ts';
import type { Line } from '../shape/line.ts';
import { isFrame } from '../shape/rulers.ts';

/** Rows that are read to count their grids. */
const MAX_ROWS = 72;
const MAX_ROW_BYTES = 256;
/** More characters than a box has. */
const LONG_TOKEN = /[^ |!:]{7}/;

/** A row's symbols if each has one column, and if they may be numbers of two digits. */
const CHARACTER = /[\da-z]/gi;
const WORD = /[\da-z]+/gi;

/** The places of a grid's cells. */
interface Places {
  readonly size: number;
  /** The column of the first cell, which may be negative, and the columns from one cell to the next. */
  readonly first: number;
  readonly step: number;
  /** Where the cells of a row start, and the columns of each. */
  readonly lefts: readonly number[];
  readonly width: number;
  /** How much the space before the first cell of an interval differs from that after its last one. */
  readonly unevenness: number;
}

/** Reads one grid from a line on; returns the same as a recogniser's `match`. */
export function matchPitched(first: Line): number {
  const { context, at, number, book } = first;
  // Most lines fail these; a lone token at the front of a line starts no grid.
  if ((first.tokens <= 1 && first.from === first.start) || !mayBeRow(first)) return NO;
  const { rows: all, cut } = rowsFrom(first);
  const [places, other] = placesOf(all, cut);
  if (places === undefined) return NO;
  const { size, lefts, width } = places;
  const rows = all.slice(0, size);
  const last = rows[size - 1];
  // The line drawn below belongs to the grid.
  const below = last.next;
  const taken = last.at + 1 - at + (below !== undefined && isFrame(below) ? 1 : 0);
  context.gridEndLine = number + taken;
  if (other !== undefined) {
    const expected = 'a digit in each column of cells, or a character for blanks';
    const where = `(they may be ${textOf(places)}, or ${textOf(other)})`;
    const more = { where, advice: 'write a character for blanks, such as a dot' };
    const found = 'cells at an unknown distance';
    return context.enterError(first, taken, makeFault('bad_character', first.from, found, expected, more));
  }
  const { grid } = context;
  grid.clear();
  for (const { bytes, start, end, full } of rows) {
    for (const [cell, { length }] of cellsIn(full, places).entries()) {
      let from = start + Math.max(0, lefts[cell]);
      while (length > 0 && isWhite(bytes[from])) from++;
      if (length === 0) grid.add(SPACE, Math.max(start, end - 1));
      else grid.add(tokenCode(bytes, from, from + length), from);
    }
  }
  const arrangement = draw(first, taken, places);
  const form = { format: 'cells', geometry: book.geometry(size), spaced: width > 1, arrangement };
  context.enter(form, first, taken);
  return taken;
}

function draw({ context, at }: Line, taken: number, { lefts, width }: Places): string {
  const marks = { before: 0, columns: width, after: 0 };
  const slots = lefts.map((left) => ({ left, right: left + width, marks }));
  const lines = Array.from({ length: taken }, (_, k) => context.line(at + k));
  const drawn = lines.map((line) => ({ line, slots: isFrame(line) ? [] : slots }));
  return drawingOf(drawn, lines[0]);
}

function textOf({ size, first, step }: Places): string {
  return `a ${size}x${size} with cells ${step} columns apart, the first one in column ${first + 1}`;
}

function mayBeRow(line: Line): boolean {
  if (line.isBlank || line.end - line.start > MAX_ROW_BYTES) return false;
  return line.only(SPACES | BARS | COLONS | DIGIT | LETTER) && !LONG_TOKEN.test(line.text);
}

/** The rows of one structure from a line up to a blank line or other text, and whether more follow. */
function rowsFrom(first: Line): { rows: Line[]; cut: boolean } {
  const { window } = first.context;
  const rows: Line[] = [];
  const bars = barsOf(first).join();
  for (let line: Line | undefined = first; rows.length < MAX_ROWS; line = line.next) {
    if (line === undefined) return { rows, cut: !window.ended };
    if (rows.length > 0 && isFrame(line)) {
      if (isFrame(line.previous)) return { rows, cut: false };
      continue;
    }
    if (!mayBeRow(line) || isHeader(line) || barsOf(line).join() !== bars) return { rows, cut: false };
    rows.push(line);
  }
  return { rows, cut: true };
}

/** The columns of a line's bars. */
function barsOf({ full }: Line): number[] {
  return Array.from(full.matchAll(/[|!:]/g), ({ index }) => index);
}

/** The places of the cells, and other ones that differ in a cell if there are any; none if the rows are no grids. */
function placesOf(rows: readonly Line[], cut: boolean): Places[] {
  const texts = rows.map(({ full }) => full);
  const words = texts.map((text) => text.match(WORD) ?? []);
  // Without bars, rows with a number twice are other numbers.
  const hasTwice = words.some((row) => new Set(row).size < row.length);
  if (hasTwice && barsOf(rows[0]).length === 0) return [];
  const widest = words.flat().reduce((most, { length }) => Math.max(most, length), 1);
  const found: Places[] = [];
  for (const size of rows[0].book.sizes) {
    if (rows.length < size || (rows.length % size !== 0 && !cut)) continue;
    for (const width of new Set([1, widest])) {
      const tokens = width === widest ? words : texts.map((text) => text.match(CHARACTER) ?? []);
      const all = tokens.flat();
      // With fewer blanks than one in each row on average, a cell is missing.
      const isFull = all.length === 0 || all.length > rows.length * (size - 1);
      if (isFull || !all.every((token) => isSymbol(token, size))) continue;
      for (const spans of intervalsOf(rows)) {
        for (const places of latticesOf(spans, size, width)) {
          const isPlaced = texts.every(
            (text, row) => cellsIn(text, places).filter(Boolean).join() === tokens[row].join(),
          );
          if (isPlaced) found.push(places);
        }
      }
    }
  }
  // The most even margins first: the grid is drawn so.
  found.sort((one, other) => one.unevenness - other.unevenness);
  const keyOf = (places: Places) => texts.map((text) => cellsIn(text, places).join()).join();
  return found.filter((places, k) => k === 0 || keyOf(places) !== keyOf(found[0]));
}

/** The texts of the cells of a row; empty for blanks. */
function cellsIn(text: string, { lefts, width }: Places): string[] {
  return lefts.map((left) => text.slice(Math.max(0, left), left + width).trim());
}

/** Whether a text is a letter, or a number up to a size: a zero is no symbol of a grid with spaces for blanks. */
function isSymbol(text: string, size: number): boolean {
  return /^[a-z]$/i.test(text) || (Number(text) > 0 && Number(text) <= size);
}

/** The ways to place cells of a width in intervals, with margins of at most one step. */
function latticesOf({ intervals, columns }: Intervals, size: number, width: number): Places[] {
  const count = size / intervals.length;
  // A cell that is alone between two bars is a field.
  if (!Number.isInteger(count) || count === 1) return [];
  const found: Places[] = [];
  // Adjacent cells without bars have a format of their own.
  for (let step = intervals.length > 1 ? width : Math.max(width, 2); step <= columns; step++) {
    for (let first = 0; first <= step; first++) {
      const margin = columns - first - step * (count - 1) - width;
      if (margin < 0 || margin > step) continue;
      const cells = Array.from({ length: count }, (_, cell) => first + cell * step);
      const lefts = intervals.flatMap((interval) => cells.map((column) => interval + column));
      found.push({ size, first, step, lefts, width, unevenness: Math.abs(margin - first) });
    }
  }
  return found;
}

/** The intervals of rows between their bars. */
interface Intervals {
  /** Columns where they start; the first may be negative. */
  readonly intervals: readonly number[];
  /** Columns of each. */
  readonly columns: number;
}

/** The ways to cut the rows at their bars into intervals of one width. */
function intervalsOf(rows: readonly Line[]): Intervals[] {
  const bars = barsOf(rows[0]);
  const widest = rows.reduce((most, { fullLength }) => Math.max(most, fullLength), 0);
  if (bars.length === 0) return [{ intervals: [0], columns: widest }];
  const first = bars[0];
  const last = bars[bars.length - 1];
  const columns = bars[1] - first - 1;
  if (bars.some((bar, k) => k > 0 && bar - bars[k - 1] - 1 !== columns)) return [];
  const inner = bars.slice(0, -1).map((bar) => bar + 1);
  const isOutside = rows.some(({ start, from, end }) => from - start < first || end - start > last + 1);
  if (!isOutside) return [{ intervals: inner, columns }];
  // Without a frame, the space before the first cell and after the last may be missing.
  const widths = [first, first + 1].filter((width) => bars.length === 1 || width === columns);
  return widths.map((width) => ({ intervals: [first - width, ...inner, last + 1], columns: width }));
}
