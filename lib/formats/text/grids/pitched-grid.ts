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

import { SPACE } from '../../bytes/ascii.ts';
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

/** A token of a row: offsets from the start of its line. */
interface RowToken {
  readonly from: number;
  readonly to: number;
  /** The number; infinite for a zero, or for several letters. A letter alone is no number. */
  readonly value: number;
}

interface PitchedRow {
  readonly line: Line;
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

/** Reads one grid from a line on; returns the same as a recogniser's `match`. */
export function matchPitched(first: Line): number {
  const { context, at, number, book } = first;
  // Most lines fail these; a lone token at the front of a line starts no grid.
  if ((first.tokens <= 1 && first.from === first.start) || !mayBeRow(first)) return NO;
  const { rows: all, cut } = rowsFrom(first);
  const [places, other] = placesOf(all, cut, book.sizes);
  if (places === undefined) return NO;
  const { size, width } = places;
  const rows = all.slice(0, size);
  const last = rows[size - 1].line;
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
  for (const row of rows) {
    const { bytes, start, end } = row.line;
    const tokens = Array<RowToken | undefined>(size);
    for (const token of row[places.tokens]) tokens[cellOf(places, token)] = token;
    for (const token of tokens) {
      if (token === undefined) grid.add(SPACE, Math.max(start, end - 1));
      else grid.add(tokenCode(bytes, start + token.from, start + token.to), start + token.from);
    }
  }
  const arrangement = draw(first, taken, rows, places);
  const form = { format: 'cells', geometry: book.geometry(size), spaced: width > 1, arrangement };
  context.enter(form, first, taken);
  return taken;
}

function draw(first: Line, taken: number, rows: readonly PitchedRow[], places: Places): string {
  const { intervals, count, columns, step, width: columnsOfCell } = places;
  // A cell that is alone between two bars is in the middle.
  const before = (columns - 1) >> 1;
  const marks =
    count === 1
      ? { before, columns: 1, after: columns - before - 1 }
      : { before: 0, columns: columnsOfCell, after: 0 };
  const drawn = Array.from({ length: taken }, (_, k) => {
    const line = first.context.line(first.at + k);
    const isRow = rows.some((row) => row.line.at === line.at);
    const slots = (isRow ? intervals : []).flatMap((interval) =>
      Array.from({ length: count }, (_, cell) => {
        const left = interval + places.first + cell * step;
        return { left, right: left + columnsOfCell, marks };
      }),
    );
    return { line, slots };
  });
  return drawingOf(drawn, first);
}

function textOf({ size, first, step }: Places): string {
  return `a ${size}x${size} with cells ${step} columns apart, the first one in column ${first + 1}`;
}

function mayBeRow(line: Line): boolean {
  if (line.isBlank || line.end - line.start > MAX_ROW_BYTES) return false;
  return line.only(SPACES | BARS | COLONS | DIGIT | LETTER) && !LONG_TOKEN.test(line.text);
}

/** The rows of one structure from a line up to a blank line or other text, and whether more follow. */
function rowsFrom(first: Line): { rows: PitchedRow[]; cut: boolean } {
  const { window } = first.context;
  const rows: PitchedRow[] = [];
  for (let line: Line | undefined = first; rows.length < MAX_ROWS; line = line.next) {
    if (line === undefined) return { rows, cut: !window.ended };
    if (rows.length > 0 && isFrame(line)) {
      if (isFrame(line.previous)) return { rows, cut: false };
      continue;
    }
    const row = mayBeRow(line) && !isHeader(line) ? rowOf(line) : undefined;
    if (row === undefined || row.bars.join() !== (rows[0] ?? row).bars.join()) return { rows, cut: false };
    rows.push(row);
  }
  return { rows, cut: true };
}

/** The row in a line, which has digits, letters and bars alone. */
function rowOf(line: Line): PitchedRow {
  const text = line.full;
  const tokensIn = (pattern: RegExp): RowToken[] =>
    Array.from(text.matchAll(pattern), ({ 0: token, index }) => {
      // A zero is no symbol of a grid with spaces for blanks.
      const value = /^[a-z]$/i.test(token) ? 1 : Number(token) || Number.POSITIVE_INFINITY;
      return { from: index, to: index + token.length, value };
    });
  const bars = Array.from(text.matchAll(/[|!:]/g), ({ index }) => index);
  const numbers = tokensIn(/[\da-z]+/gi);
  return { line, bars, numbers, characters: tokensIn(/[\da-z]/gi), columns: text.length };
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
