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

import { isBar, SPACE } from '../../bytes/ascii.ts';
import { BARS, COLONS, DIGIT, LETTER, SPACES } from '../../bytes/byte-kinds.ts';
import { tokenCode } from '../../cells/token-code.ts';
import { makeFault } from '../../records/fault.ts';
import { drawingOf } from '../drawings/drawing.ts';
import { isHeader } from '../headers/header.ts';
import { NO } from '../recogniser.ts';
import { isFrame } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';

/** Rows that are read to count their grids. */
const MAX_ROWS = 72;
const MAX_ROW_BYTES = 256;
/** Characters of a box. */
const MAX_TOKEN = 6;

/** A token of a row: offsets from the start of its line. */
interface RowToken {
  readonly from: number;
  readonly to: number;
  /** The number; infinite for a zero, or for several letters. A letter alone is no number. */
  readonly value: number;
}

interface PitchedRow {
  readonly line: number;
  /** Columns of bars. */
  readonly bars: readonly number[];
  /** Tokens as they are, and cut into characters. */
  readonly numbers: readonly RowToken[];
  readonly characters: readonly RowToken[];
  /** Columns of the line, white space included. */
  readonly columns: number;
}

/** The places of a grid's cells: cell k of an interval takes `width` columns from `first + k * step` on. */
interface Places {
  readonly size: number;
  /** The tokens that are cells. */
  readonly tokens: 'numbers' | 'characters';
  /** Columns where the intervals between bars start; the first may be negative. */
  readonly intervals: readonly number[];
  /** Columns of an interval, and cells in it. */
  readonly columns: number;
  readonly count: number;
  readonly first: number;
  readonly step: number;
  readonly width: number;
}

/** Reads one grid from `at`; returns the same as a recogniser's `match`. */
export function matchPitched(context: TextContext, at: number): number {
  const { window, sink, grid } = context;
  // Most lines fail these; a lone token at the front of a line starts no grid.
  if (window.tokens[at] <= 1 && window.text[at] === window.start[at]) return NO;
  if (!mayBeRow(context, at)) return NO;
  const { rows: all, cut } = rowsFrom(context, at);
  const [places, other] = placesOf(all, cut, sink.book.sizes);
  if (places === undefined) return NO;
  const { size } = places;
  const rows = all.slice(0, size);
  let taken = rows[size - 1].line + 1 - at;
  // The line drawn below belongs to the grid.
  if (window.has(at + taken) && isFrame(context, at + taken)) taken++;
  context.gridEndLine = window.number(at) + taken;
  if (other !== undefined) {
    const expected = 'a digit in each column of cells, or a character for blanks';
    const where = `(they may be ${textOf(places)}, or ${textOf(other)})`;
    const more = { where, advice: 'write a character for blanks, such as a dot' };
    const found = 'cells at an unknown distance';
    return context.enterError(at, taken, makeFault('bad_character', window.text[at], found, expected, more));
  }
  grid.clear();
  for (const row of rows) {
    const start = window.start[row.line];
    const tokens = Array<RowToken | undefined>(size);
    for (const token of row[places.tokens]) tokens[cellOf(places, token)] = token;
    for (const token of tokens) {
      if (token === undefined) grid.add(SPACE, Math.max(start, window.end[row.line] - 1));
      else grid.add(tokenCode(window.bytes, start + token.from, start + token.to), start + token.from);
    }
  }
  const form = {
    format: 'cells',
    geometry: sink.book.geometry(size),
    spaced: places.width > 1,
    arrangement: draw(context, at, taken, rows, places),
  };
  context.enterGrid(form, at, taken);
  return taken;
}

function draw(
  context: TextContext,
  at: number,
  taken: number,
  rows: readonly PitchedRow[],
  { intervals, count, columns, first, step, width: columnsOfCell }: Places,
): string {
  const { start, end } = context.window;
  // A cell that is alone between two bars is in the middle.
  const before = count === 1 ? (columns - 1) >> 1 : 0;
  const width = count === 1 ? 1 : columnsOfCell;
  const after = columnsOfCell - before - width;
  const drawn = Array.from({ length: taken }, (_, k) => {
    const line = at + k;
    const isRow = rows.some((row) => row.line === line);
    const slots = (isRow ? intervals : []).flatMap((interval) =>
      Array.from({ length: count }, (_, cell) => {
        const from = start[line] + interval + first + cell * step;
        return { from, to: from + columnsOfCell, width, before, after };
      }),
    );
    return { from: start[line], to: end[line], slots };
  });
  return drawingOf(context, drawn, at);
}

function textOf({ size, first, step }: Places): string {
  return `a ${size}x${size} with cells ${step} columns apart, the first one in column ${first + 1}`;
}

function mayBeRow({ window }: TextContext, at: number): boolean {
  const { bytes, start, text, end, tokens, kinds } = window;
  if (tokens[at] === 0 || end[at] - start[at] > MAX_ROW_BYTES) return false;
  if (kinds[at] & ~(SPACES | BARS | COLONS | DIGIT | LETTER)) return false;
  for (let byte = text[at], run = 0; byte < end[at]; byte++) {
    const character = bytes[byte];
    if (character === SPACE || isBar(character)) run = 0;
    else if (++run > MAX_TOKEN) return false;
  }
  return true;
}

/** The rows of one structure from line `at` up to a blank line or other text, and whether more follow. */
function rowsFrom(context: TextContext, at: number): { rows: PitchedRow[]; cut: boolean } {
  const { window } = context;
  const rows: PitchedRow[] = [];
  for (let line = at; rows.length < MAX_ROWS; line++) {
    if (!window.has(line)) return { rows, cut: !window.ended };
    if (rows.length > 0 && isFrame(context, line)) {
      if (isFrame(context, line - 1)) return { rows, cut: false };
      continue;
    }
    const row = mayBeRow(context, line) && !isHeader(context, line) ? rowOf(context, line) : undefined;
    if (row === undefined || row.bars.join() !== (rows[0] ?? row).bars.join()) return { rows, cut: false };
    rows.push(row);
  }
  return { rows, cut: true };
}

/** The row in line `at`, which has digits, letters and bars alone. */
function rowOf({ window }: TextContext, at: number): PitchedRow {
  const text = window.string(window.start[at], window.rawEnd(at));
  const tokensIn = (pattern: RegExp): RowToken[] =>
    Array.from(text.matchAll(pattern), ({ 0: token, index }) => {
      // A zero is no symbol of a grid with spaces for blanks.
      const value = /^[a-z]$/i.test(token) ? 1 : Number(token) || Number.POSITIVE_INFINITY;
      return { from: index, to: index + token.length, value };
    });
  const bars = Array.from(text.matchAll(/[|!:]/g), ({ index }) => index);
  const numbers = tokensIn(/[\da-z]+/gi);
  return { line: at, bars, numbers, characters: tokensIn(/[\da-z]/gi), columns: text.length };
}

/** The places of the cells, and other possible ones that differ in a cell; none if the rows are no grids. */
function placesOf(rows: readonly PitchedRow[], cut: boolean, sizes: readonly number[]): Places[] {
  const characters = rows.flatMap((row) => row.characters);
  const numbers = rows.flatMap((row) => row.numbers);
  const lists = { characters, numbers };
  const kinds: Places['tokens'][] =
    numbers.length === characters.length ? ['characters'] : ['characters', 'numbers'];
  const found = sizes.flatMap((size) => {
    if (rows.length < size || (rows.length % size !== 0 && !cut)) return [];
    return kinds.flatMap((tokens) => {
      const list = lists[tokens];
      // With fewer blanks than one in each row on average, a cell is missing.
      const isFull = list.length === 0 || list.length > rows.length * (size - 1);
      if (isFull || list.some(({ value }) => value > size)) return [];
      return intervalsOf(rows)
        .filter(({ intervals }) => size % intervals.length === 0)
        .flatMap(({ intervals, columns }) => {
          const count = size / intervals.length;
          return latticesOf({ size, tokens, intervals, columns, count }, list);
        });
    });
  });
  // The most even margins first: the grid is drawn so.
  found.sort((one, other) => unevenness(one) - unevenness(other));
  const [best] = found;
  return found.filter(
    (places) =>
      places === best ||
      places.size !== best.size ||
      places.tokens !== best.tokens ||
      characters.some((token) => cellOf(places, token) !== cellOf(best, token)),
  );
}

/** The ways to place cells in intervals so that each token is in one cell, with margins of at most one step. */
function latticesOf(form: Omit<Places, 'first' | 'step' | 'width'>, tokens: readonly RowToken[]): Places[] {
  const { columns, count, intervals } = form;
  const width = tokens.reduce((widest, { from, to }) => Math.max(widest, to - from), 1);
  const isPlaced = (places: Places) => tokens.every((token) => cellOf(places, token) >= 0);
  // A cell that is alone between two bars may be anywhere.
  if (count === 1) return columns >= width ? [{ ...form, first: 0, step: columns, width: columns }] : [];
  const found: Places[] = [];
  // Adjacent cells without bars have a format of their own.
  const least = intervals.length > 1 ? width : Math.max(width, 2);
  for (let step = least; step * (count - 1) + width <= columns; step++) {
    for (let first = 0; first <= step; first++) {
      const places = { ...form, first, step, width };
      const margin = columns - first - step * (count - 1) - width;
      if (margin >= 0 && margin <= step && isPlaced(places)) found.push(places);
    }
  }
  return found;
}

function unevenness({ columns, count, first, step, width }: Places): number {
  return Math.abs(columns - first - step * (count - 1) - width - first);
}

/** The cell of a token in its row; -1 if it is not within one. */
function cellOf({ intervals, count, first, step, width }: Places, { from, to }: RowToken): number {
  let interval = 0;
  while (interval + 1 < intervals.length && intervals[interval + 1] <= from) interval++;
  const column = from - intervals[interval] - first;
  const cell = Math.floor(column / step);
  const isWithin = cell >= 0 && cell < count && column + to - from <= cell * step + width;
  return isWithin ? interval * count + cell : -1;
}

/** The ways to cut the rows at their bars into intervals of one width. */
function intervalsOf(rows: readonly PitchedRow[]): { intervals: number[]; columns: number }[] {
  const { bars } = rows[0];
  const widest = rows.reduce((most, { columns }) => Math.max(most, columns), 0);
  if (bars.length === 0) return [{ intervals: [0], columns: widest }];
  const first = bars[0];
  const last = bars[bars.length - 1];
  const columns = bars[1] - first - 1;
  if (bars.some((bar, k) => k > 0 && bar - bars[k - 1] - 1 !== columns)) return [];
  const inner = bars.slice(0, -1).map((bar) => bar + 1);
  const isOutside = rows.some(({ numbers }) => numbers.some(({ from }) => from < first || from > last));
  if (!isOutside) return [{ intervals: inner, columns }];
  // Without a frame, the space before the first cell and after the last may be missing.
  const widths = [first, first + 1].filter((width) => bars.length === 1 || width === columns);
  return widths.map((width) => ({ intervals: [first - width, ...inner, last + 1], columns: width }));
}
