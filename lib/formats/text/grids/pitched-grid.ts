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

import { isBar, SPACE, ZERO } from '../../bytes/ascii.ts';
import { NUMBER } from '../../cells/grid-buffer.ts';
import { makeFault } from '../../records/fault.ts';
import { CELL_MARK, MORE_MARK } from '../../writing/grid-drawing.ts';
import { DIGIT, KINDS, LETTER } from '../byte-kinds.ts';
import { DrawingText } from '../drawings/drawing-text.ts';
import type { GridDrawer } from '../drawings/grid-drawer.ts';
import { isHeader } from '../headers/header.ts';
import { NO } from '../recogniser.ts';
import { tokenCode } from '../shape/cells.ts';
import { isFrame } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';
import { cellOf, type Lattice, latticesOf, type PlacedToken } from './lattice.ts';

/** Rows that are read to count their grids. */
const MAX_ROWS = 72;
const MAX_ROW_BYTES = 256;
/** Characters of a box. */
const MAX_TOKEN = 6;

/** A token of a row: offsets from the start of its line. */
interface RowToken {
  readonly from: number;
  readonly to: number;
  /** The number; infinite if it has letters. Letters alone are no numbers. */
  readonly value: number;
  /** The digits or letters of its characters; infinite for a zero. */
  readonly values: readonly number[];
}

interface PitchedRow {
  readonly line: number;
  /** Columns of bars. */
  readonly bars: readonly number[];
  readonly tokens: readonly RowToken[];
  /** Columns of the line, white space included. */
  readonly columns: number;
}

/** Rows of one structure up to a blank line or other text. */
interface PitchedRows {
  readonly rows: readonly PitchedRow[];
  /** More rows follow. */
  readonly cut: boolean;
}

/** Columns between two bars, or from the start or to the end of the line; `from` may be negative. */
interface Interval {
  readonly from: number;
}

/** The places of a grid's cells. */
interface Places {
  readonly size: number;
  readonly intervals: readonly Interval[];
  /** Cells in an interval. */
  readonly count: number;
  readonly columns: number;
  readonly lattice: Lattice;
  /** The tokens are cut into characters. */
  readonly characters: boolean;
}

export class PitchedGrid {
  readonly #drawer: GridDrawer;
  readonly #drawing = new DrawingText();

  constructor(drawer: GridDrawer) {
    this.#drawer = drawer;
  }

  /** Reads one grid from `at`; returns the same as a recogniser's `match`. */
  match(context: TextContext, at: number): number {
    const { window, sink } = context;
    if (!mayStart(context, at) || !mayBeRow(context, at)) return NO;
    const found = rowsFrom(context, at);
    const [places, other] = placesOf(found, sink.book.sizes);
    if (places === undefined) return NO;
    const rows = found.rows.slice(0, places.size);
    let taken = rows[rows.length - 1].line + 1 - at;
    // The line drawn below belongs to the grid.
    if (window.has(at + taken) && isFrame(context, at + taken)) taken++;
    context.gridEndLine = window.number(at) + taken;
    if (other !== undefined) {
      const expected = 'a digit in each column of cells, or a character for blanks';
      const where = `(they may be ${textOf(places)}, or ${textOf(other)})`;
      const more = { where, advice: 'write a character for blanks, such as a dot' };
      const found = 'cells at an unknown distance';
      context.enterError(at, taken, makeFault('bad_character', window.text[at], found, expected, more));
      return taken;
    }
    this.#addCells(context, rows, places);
    const form = {
      format: 'cells',
      geometry: sink.book.geometry(places.size),
      spaced: places.lattice.width > 1,
      arrangement: this.#draw(context, at, taken, rows, places),
    };
    context.enterGrid(form, at, taken);
    return taken;
  }

  #addCells({ window, grid }: TextContext, rows: readonly PitchedRow[], places: Places): void {
    const { size } = places;
    grid.clear();
    for (const { line, tokens } of rows) {
      const start = window.start[line];
      const of = Array<RowToken | undefined>(size);
      for (const token of places.characters ? charactersOf(tokens) : tokens)
        of[cellIn(places, token)] = token;
      for (let cell = 0; cell < size; cell++) {
        const token = of[cell];
        if (token === undefined) grid.add(SPACE, Math.max(start, window.end[line] - 1));
        else grid.add(tokenCode(window.bytes, start + token.from, start + token.to), start + token.from);
      }
    }
  }

  #draw(
    context: TextContext,
    at: number,
    taken: number,
    rows: readonly PitchedRow[],
    { intervals, count, columns, lattice: { first, step, width } }: Places,
  ): string {
    const { window } = context;
    const out = this.#drawing.buffer;
    out.length = 0;
    const ruler = this.#drawer.rulerAbove(window.number(at));
    if (ruler !== undefined) out.text(`${ruler}\n`);
    // A cell that is alone between two bars is in the middle.
    const middle = count === 1 ? (columns - 1) >> 1 : 0;
    const marks = count === 1 ? 1 : width;
    for (let line = at; line < at + taken; line++) {
      const text = [...window.string(window.start[line], window.end[line])];
      if (rows.some((row) => row.line === line)) {
        for (const { from } of intervals) {
          for (let cell = 0; cell < count; cell++) {
            const place = from + first + cell * step;
            for (let k = place; k < place + width; k++) text[k] = ' ';
            for (let k = 0; k < marks; k++) {
              text[place + middle + k] = String.fromCharCode(k === 0 ? CELL_MARK : MORE_MARK);
            }
          }
        }
      }
      out.text(`${Array.from(text, (character) => character ?? ' ').join('')}\n`);
    }
    return this.#drawing.text();
  }
}

function textOf({ size, lattice: { first, step } }: Places): string {
  return `a ${size}x${size} with cells ${step} columns apart, the first one in column ${first + 1}`;
}

/** A cheap test that most lines fail; a lone token at the front of a line starts no grid. */
function mayStart({ window }: TextContext, at: number): boolean {
  const { start, text, tokens } = window;
  return tokens[at] > 1 || text[at] > start[at];
}

function mayBeRow({ window }: TextContext, at: number): boolean {
  const { bytes, start, text, end, tokens } = window;
  if (tokens[at] === 0 || end[at] - start[at] > MAX_ROW_BYTES) return false;
  for (let byte = text[at], run = 0; byte < end[at]; byte++) {
    const character = bytes[byte];
    if (character === SPACE || isBar(character)) run = 0;
    else if ((KINDS[character] & (DIGIT | LETTER)) === 0 || ++run > MAX_TOKEN) return false;
  }
  return true;
}

/** The rows from line `at`. */
function rowsFrom(context: TextContext, at: number): PitchedRows {
  const { window } = context;
  const rows: PitchedRow[] = [];
  for (let line = at; ; line++) {
    if (!window.has(line)) return { rows, cut: !window.ended };
    if (rows.length > 0 && isFrame(context, line)) {
      if (isFrame(context, line - 1)) return { rows, cut: false };
      continue;
    }
    const row = mayBeRow(context, line) && !isHeader(context, line) ? rowOf(context, line) : undefined;
    if (row === undefined || !isSame(row.bars, (rows[0] ?? row).bars)) return { rows, cut: false };
    rows.push(row);
    if (rows.length === MAX_ROWS) return { rows, cut: true };
  }
}

/** The digit of a character, 1 for a letter, infinite for a zero: it is no symbol of a grid with spaces for blanks. */
function digitOf(byte: number): number {
  if (KINDS[byte] & LETTER) return 1;
  return byte === ZERO ? Number.POSITIVE_INFINITY : byte - ZERO;
}

/** The row in line `at`, which has digits, letters and bars alone. */
function rowOf({ window }: TextContext, at: number): PitchedRow {
  const { bytes, start, end } = window;
  const bars: number[] = [];
  const tokens: RowToken[] = [];
  for (let byte = start[at]; byte < end[at]; byte++) {
    if (isBar(bytes[byte])) bars.push(byte - start[at]);
    if (isBar(bytes[byte]) || bytes[byte] === SPACE) continue;
    const from = byte;
    while (byte + 1 < end[at] && KINDS[bytes[byte + 1]] & (DIGIT | LETTER)) byte++;
    const values = Array.from(bytes.subarray(from, byte + 1), digitOf);
    const code = tokenCode(bytes, from, byte + 1);
    const value = byte === from ? values[0] : code > NUMBER ? code - NUMBER : Number.POSITIVE_INFINITY;
    tokens.push({ from: from - start[at], to: byte + 1 - start[at], value, values });
  }
  return { line: at, bars, tokens, columns: window.rawEnd(at) - start[at] };
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((column, k) => column === other[k]);
}

/** The places of the cells, and other possible ones that differ in a cell; none if the rows are no grids. */
function placesOf({ rows, cut }: PitchedRows, sizes: readonly number[]): Places[] {
  const numbers = rows.flatMap((row) => row.tokens);
  const characters = charactersOf(numbers);
  const hasNumbers = numbers.length < characters.length;
  const found: Places[] = [];
  for (const size of sizes) {
    if (rows.length < size || (rows.length % size !== 0 && !cut)) continue;
    if (isPlausible(characters, rows.length, size)) {
      found.push(...placesIn(rows, characters, size, true));
    }
    if (hasNumbers && isPlausible(numbers, rows.length, size)) {
      found.push(...placesIn(rows, numbers, size, false));
    }
  }
  // The most even margins first: the grid is drawn so.
  found.sort((one, other) => unevenness(one) - unevenness(other));
  const [best] = found;
  return found.filter(
    (places) =>
      places === best ||
      places.size !== best.size ||
      places.characters !== best.characters ||
      characters.some((token) => cellIn(places, token) !== cellIn(best, token)),
  );
}

/** Whether tokens may be the cells of so many rows: symbols of the size, with a blank in each row on average. */
function isPlausible(tokens: readonly RowToken[], rows: number, size: number): boolean {
  // With fewer blanks, a cell is missing.
  if (tokens.length === 0 || tokens.length > rows * (size - 1)) return false;
  return tokens.every(({ value }) => value <= size);
}

function placesIn(
  rows: readonly PitchedRow[],
  tokens: readonly RowToken[],
  size: number,
  characters: boolean,
): Places[] {
  const found: Places[] = [];
  for (const { intervals, columns } of intervalsOf(rows)) {
    const count = size / intervals.length;
    if (!Number.isInteger(count)) continue;
    const inIntervals = tokens.map((token) => placed(token, intervals[intervalOf(intervals, token.from)]));
    for (const lattice of latticesOf(columns, count, inIntervals)) {
      // Adjacent cells without bars have a format of their own.
      if (lattice.step > 1 || intervals.length > 1) {
        found.push({ size, intervals, count, columns, lattice, characters });
      }
    }
  }
  return found;
}

/** The single characters of tokens. */
function charactersOf(tokens: readonly RowToken[]): RowToken[] {
  return tokens.flatMap(({ from, values }) =>
    values.map((value, k) => ({ from: from + k, to: from + k + 1, value, values: [value] })),
  );
}

function unevenness({ columns, count, lattice: { first, step, width } }: Places): number {
  return Math.abs(columns - first - step * (count - 1) - width - first);
}

/** The cell of a token in its row. */
function cellIn({ intervals, count, lattice }: Places, token: RowToken): number {
  const interval = intervalOf(intervals, token.from);
  return interval * count + cellOf(lattice, placed(token, intervals[interval]), count);
}

function placed({ from, to }: RowToken, interval: Interval): PlacedToken {
  return { column: from - interval.from, length: to - from };
}

function intervalOf(intervals: readonly Interval[], column: number): number {
  let interval = 0;
  while (interval + 1 < intervals.length && intervals[interval + 1].from <= column) interval++;
  return interval;
}

/** The ways to cut the rows at their bars into intervals of one width. */
function intervalsOf(rows: readonly PitchedRow[]): { intervals: Interval[]; columns: number }[] {
  const { bars } = rows[0];
  const widest = rows.reduce((most, { columns }) => Math.max(most, columns), 0);
  if (bars.length === 0) return [{ intervals: [{ from: 0 }], columns: widest }];
  const first = bars[0];
  const last = bars[bars.length - 1];
  const gaps = bars.slice(1).map((bar, k) => bar - bars[k] - 1);
  const columns = gaps[0];
  if (gaps.some((gap) => gap !== columns)) return [];
  const inner = bars.slice(0, -1).map((bar) => ({ from: bar + 1 }));
  const leads = rows.some(({ tokens }) => tokens.some(({ from }) => from < first));
  const trails = rows.some(({ tokens }) => tokens.some(({ from }) => from > last));
  if (!leads && !trails) return [{ intervals: inner, columns }];
  // Without a frame, the space before the first cell and after the last may be missing.
  const widths = columns === undefined ? [first, first + 1] : [columns];
  return widths
    .filter((width) => width === first || width === first + 1)
    .map((width) => ({
      intervals: [{ from: first - width }, ...inner, { from: last + 1 }],
      columns: width,
    }));
}
