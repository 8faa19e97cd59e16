/**
 * Grids written row by row: n lines of n cells, whatever a cell looks like. Shared by the formats that differ only
 * in how a row is written.
 *
 * A *stanza* is a run of rows without a blank line. Where a grid ends is a matter of its stanzas:
 *
 *     stanzas of a 9x9      read as
 *     9                     a grid
 *     9 9 9                 three grids
 *     27                    three grids, no blank line between
 *     1 1 1 1 1 1 1 1 1     one grid, with a blank line after each row
 *     3 3 3                 one grid, with a blank line after each band
 *     8 9                   a short grid (`row_count`), then a grid: the short one takes nothing from its neighbour
 *     10                    a grid with a row too many (`row_count`): which one is not known
 *
 * So stanzas are put together only while they add up to exactly n rows.
 */
import type { Geometry } from '../../../sudoku/geometry/geometry.ts';
import type { ParseErrorCode } from '../../records/record-block.ts';
import { isHeader } from '../headers/header.ts';
import { bankEnd } from '../lines/bank.ts';
import { puzzleEnd } from '../lines/line.ts';
import { MORE, NO } from '../recogniser.ts';
import type { TextContext, TextFault } from '../text-context.ts';
import { rememberShape } from './same-shape.ts';
import { isSpacedLine } from './spaced-blanks.ts';

/** How one format writes a row. */
export interface RowShape {
  readonly format: string;
  /** White space parts the cells. */
  readonly spaced: boolean;
  /** What a cell of a row is called, for messages. */
  readonly unit: string;
  /** Cells in line `at`, where it looks like a row; 0 where it does not. */
  width(context: TextContext, at: number): number;
  /** Appends the cells of line `at` to `context.grid`. */
  cells(context: TextContext, at: number): void;
  /** Cells counted in any line, for messages. */
  count(context: TextContext, at: number): number;
  /** The first thing in line `at` that is no cell, where the format has cells of several characters. */
  stray?(context: TextContext, at: number): { offset: number; found: string };
  /** Lines within a grid that carry no cells, such as rulers. */
  skips?(context: TextContext, at: number): boolean;
  /**
   * The geometry of the grid in `context.grid`, where its cells tell more than digits; they are digits and blanks
   * afterwards. Or what is wrong with them.
   */
  resolve?(
    context: TextContext,
    size: number,
  ): Geometry | { cell: number; code: ParseErrorCode; expected: string };
  /** Where solutions are drawn as the puzzle is: the arrangement for the grid in `lines` lines from `at`. */
  draw?(context: TextContext, at: number, lines: number): string;
}

/** Lines of a stanza. */
interface Stanza {
  /** Lines with text, comments left out. */
  lines: number[];
  /** Behind the last of them. */
  end: number;
  /** A blank line, a header or the end of the file follows; otherwise the stanza was cut at `limit` lines. */
  closed: boolean;
}

/** Reads one grid of rows from `at`; the answer is that of a format's `match`. */
export function matchRows(context: TextContext, at: number, shape: RowShape): number {
  const first = shape.width(context, at);
  if (context.sink.book.isSize(first) && standsAlone(context, at, shape, first)) {
    return enter(context, shape, context.sink.book.geometry(first), at, undefined, first);
  }
  const size = sizeFrom(context, at, shape, first);
  if (size === NO || size === MORE) return size;
  const geometry = context.sink.book.geometry(size);
  const stanza = stanzaFrom(context, at, shape, size, 2 * size);
  if (stanza === undefined) return MORE;
  const { lines } = stanza;
  if (first !== size && lines.length !== size && Math.abs(shape.count(context, at) - size) > 1) return NO;
  const whole = lines.slice(0, size).every((line) => shape.width(context, line) === size);
  if (whole && lines.length === size) return enter(context, shape, geometry, at, lines, size);
  const isLast = stanza.closed ? context.isLast(stanza.end) : false;
  if (isLast === undefined) return MORE;
  const follows = context.gridEndLine === context.window.number(at);
  if (lines.length >= size && (whole || lines.length >= 2 * size || follows)) {
    const next = lines[size];
    const alone = next === undefined || shape.width(context, next) !== size;
    // Rows behind a whole grid at the end of the file: the next grid was cut off. A single one may be a slip.
    const cut = isLast && lines.length > size + 1;
    if (whole && (alone || lines.length >= 2 * size || follows || cut)) {
      return enter(context, shape, geometry, at, lines.slice(0, size), size);
    }
    if (!whole) return refuse(context, shape, geometry, at, lines.slice(0, size), false);
  }
  if (whole && lines.length < size) {
    const joined = joinStanzas(context, shape, size, stanza);
    if (joined === undefined) return MORE;
    if (joined.length === size) return enter(context, shape, geometry, at, joined, size);
  }
  return refuse(context, shape, geometry, at, lines, isLast);
}

/** The common case: `size` whole rows, and behind them a blank line or a header, or the file goes on as it did. */
function standsAlone(context: TextContext, at: number, shape: RowShape, size: number): boolean {
  const { window } = context;
  for (let line = at; line < at + size; line++) {
    if (!window.has(line) || shape.width(context, line) !== size) return false;
  }
  if (context.gridEndLine === window.number(at)) return true;
  return window.has(at + size) ? context.isBlank(at + size) || isHeader(context, at + size) : window.closed;
}

/** The size of the grid that starts at `at`: the width of this row, or of those that follow where it is damaged. */
function sizeFrom(context: TextContext, at: number, shape: RowShape, first: number): number {
  const { book } = context.sink;
  const { window } = context;
  const votes = new Map<number, number>();
  const limit = book.isSize(first) ? first : MAX_ROW_CELLS;
  const number = window.number(at);
  // Through a run of lines that are no rows each one is looked at once, not once for each line before it.
  const known = context.rowless;
  let line = at;
  if (known?.shape === shape && known.first <= number && number < known.until) line += known.until - number;
  let seen = line - at;
  for (; seen < limit; line++) {
    if (!window.has(line)) {
      if (!window.closed) return MORE;
      break;
    }
    if (context.isBlank(line) || isHeader(context, line)) break;
    if (context.isComment(line) || shape.skips?.(context, line)) continue;
    const width = shape.width(context, line);
    seen++;
    if (!book.isSize(width)) continue;
    const count = (votes.get(width) ?? 0) + 1;
    votes.set(width, count);
    // The common case: half of the rows agree with the first one.
    if (width === first && count * 2 > width) return first;
  }
  if (votes.size === 0 && seen === line - at) {
    context.rowless = { shape, first: number, until: number + seen };
  }
  let size = NO;
  let most = 1;
  for (const [width, count] of votes) if (count > most) [size, most] = [width, count];
  if (size !== NO) return most * 2 >= Math.min(seen, size) ? size : NO;
  // A single row: it is one if blank lines stand between all rows.
  return book.isSize(first) && seen === 1 && first > 1 ? first : NO;
}

/** Longest row of any size, with some cells too many. */
const MAX_ROW_CELLS = 40;

/** The stanza from `at`, up to `limit` lines with text; undefined where more lines are needed. */
function stanzaFrom(
  context: TextContext,
  at: number,
  shape: RowShape,
  size: number,
  limit: number,
): Stanza | undefined {
  const { window } = context;
  const lines: number[] = [];
  let end = at;
  for (let line = at; ; line++) {
    if (!window.has(line)) {
      if (!window.closed) return undefined;
      return { lines, end, closed: true };
    }
    if (context.isBlank(line)) return { lines, end, closed: true };
    if (context.isComment(line) || shape.skips?.(context, line)) continue;
    if (lines.length > 0 && (isHeader(context, line) || isFullLine(context, line))) {
      return { lines, end, closed: true };
    }
    // Text that is no row, behind a whole grid, is something of its own.
    if (lines.length >= size && shape.width(context, line) === 0) return { lines, end, closed: true };
    lines.push(line);
    end = line + 1;
    if (lines.length === limit) return { lines, end, closed: false };
  }
}

/** The rows of this stanza and the next ones while they are fewer than `size`; undefined for `MORE`. */
function joinStanzas(
  context: TextContext,
  shape: RowShape,
  size: number,
  first: Stanza,
): number[] | undefined {
  const { window } = context;
  const lines = [...first.lines];
  let end = first.end;
  while (lines.length < size) {
    let next = end;
    while (window.has(next) && (context.isBlank(next) || context.isComment(next))) next++;
    if (!window.has(next)) return window.closed ? lines : undefined;
    if (shape.width(context, next) !== size) return lines;
    const stanza = stanzaFrom(context, next, shape, size, size - lines.length + 1);
    if (stanza === undefined) return undefined;
    if (!stanza.lines.every((line) => shape.width(context, line) === size)) return first.lines;
    lines.push(...stanza.lines);
    end = stanza.end;
  }
  return lines;
}

/** Enters the grid whose rows are `lines`, or the `size` lines from `at`. */
function enter(
  context: TextContext,
  shape: RowShape,
  geometry: Geometry,
  at: number,
  lines: readonly number[] | undefined,
  size: number,
): number {
  const { window, grid } = context;
  grid.clear();
  let taken = size;
  if (lines === undefined) {
    for (let line = at; line < at + size; line++) shape.cells(context, line);
  } else {
    for (const line of lines) shape.cells(context, line);
    taken = lines[lines.length - 1] + 1 - at;
  }
  if (shape.draw !== undefined) {
    // The line drawn below the grid is part of it.
    if (window.has(at + taken)) taken += shape.skips?.(context, at + taken) ? 1 : 0;
    else if (!window.closed) return MORE;
  }
  const map = context.regionMaps ? mapBehind(context, at + taken, shape, size) : undefined;
  if (map === MORE) return MORE;
  if (map !== undefined) taken = map.end - at;
  const line = window.number(at);
  const found = shape.resolve?.(context, size) ?? map?.geometry ?? geometry;
  if ('cell' in found) {
    refuseCell(context, at, taken, size, found);
    context.gridEndLine = line + taken;
    return taken;
  }
  const arrangement = shape.draw?.(context, at, taken);
  const lineEnd = line + taken - 1;
  const { format, spaced } = shape;
  const place = { format, geometry: found, spaced, arrangement, line, lineEnd };
  const behind = context.gridEndLine === line ? 'grid' : undefined;
  const plain = context.enterGrid(place, at, taken);
  const mapped = map !== undefined;
  if (plain && (mapped || found === geometry)) rememberShape(context, at, taken, behind, mapped);
  context.gridEndLine = line + taken;
  return taken;
}

/** The map of regions in the next `size` rows, behind blank lines if any; undefined where there is none. */
function mapBehind(
  context: TextContext,
  from: number,
  shape: RowShape,
  size: number,
): { geometry: Geometry; end: number } | undefined | typeof MORE {
  const { window, cells, grid } = context;
  cells.copy(grid, 0, grid.count);
  grid.clear();
  let rows = 0;
  let line = from;
  for (; rows < size; line++) {
    if (!window.has(line)) {
      if (!window.closed) return MORE;
      break;
    }
    if (context.isBlank(line) || context.isComment(line)) continue;
    if (shape.width(context, line) !== size) break;
    shape.cells(context, line);
    rows++;
  }
  const geometry = rows === size ? context.sink.book.jigsawFrom(grid.codes, 0, size) : undefined;
  grid.copy(cells, 0, cells.count);
  return geometry === undefined ? undefined : { geometry, end: line };
}

function refuseCell(
  context: TextContext,
  at: number,
  lines: number,
  size: number,
  { cell, code, expected }: { cell: number; code: ParseErrorCode; expected: string },
): void {
  const offset = context.grid.offset[cell];
  const line = context.lineOf(offset, at, lines);
  const { bytes, end } = context.window;
  let last = offset;
  while (last < end[line] && bytes[last] > 32) last++;
  const found = context.window.string(offset, last);
  const problem = `found "${found}" in a ${size}x${size} jigsaw: expected ${expected}`;
  context.enterError(at, lines, { code, line, offset, found, expected, problem });
}

function refuse(
  context: TextContext,
  shape: RowShape,
  geometry: Geometry,
  at: number,
  lines: readonly number[],
  isLast: boolean,
): number {
  const taken = lines[lines.length - 1] + 1 - at;
  context.enterError(at, taken, rowFault(context, shape, geometry.size, lines, isLast));
  context.gridEndLine = context.window.number(at) + taken;
  return taken;
}

/** What is wrong with lines that are no grid: a row of another width, or too few or too many of them. */
function rowFault(
  context: TextContext,
  shape: RowShape,
  size: number,
  lines: readonly number[],
  isLast: boolean,
): TextFault {
  const { window } = context;
  const bad = lines.find((line) => shape.width(context, line) !== size);
  if (bad === undefined) {
    const last = lines[lines.length - 1];
    const cut = isLast && lines.length < size;
    return {
      code: cut ? 'truncated' : 'row_count',
      line: last,
      offset: window.text[last],
      found: rows(lines.length),
      expected: rows(size),
      problem: cut
        ? `the file ends after ${rows(lines.length)} of a ${size}x${size} grid: expected ${size}`
        : `found ${rows(lines.length)} of ${size} ${shape.unit}: a ${size}x${size} grid has ${size} rows`,
    };
  }
  const count = shape.count(context, bad);
  if (count !== size) {
    return {
      code: 'bad_length',
      line: bad,
      offset: window.text[bad],
      found: `${count} ${shape.unit}`,
      expected: `${size} ${shape.unit}`,
      problem: `found a row of ${count} ${shape.unit}: a row of a ${size}x${size} grid has ${size}`,
    };
  }
  const { offset, found } = shape.stray?.(context, bad) ?? context.strayCharacter(bad);
  return {
    code: 'bad_character',
    line: bad,
    offset,
    found,
    expected: 'a digit or a blank',
    problem: `found "${found}" in a row of a ${size}x${size} grid: expected a digit or a blank`,
  };
}

function rows(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}

/** Whether a line starts with a whole puzzle (81 characters and more), one with its map, or one of a bank. */
export function isFullLine(context: TextContext, at: number): boolean {
  const { book } = context.sink;
  const length = puzzleEnd(context, at) - context.window.text[at];
  if (length <= MAX_ROW_CELLS) return bankEnd(context, at) !== NO || isSpacedLine(context, at);
  return book.isPuzzleLength(length) || book.sizeOfCells(length / 2) !== undefined;
}
