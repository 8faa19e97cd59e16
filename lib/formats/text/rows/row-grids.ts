/**
 * The assembler of grids that are written row by row: all layouts of several lines use it, with their own `RowShape`.
 * `stanzas.ts` says where a grid ends.
 */
import type { Geometry } from '../../../sudoku/geometry/geometry.ts';
import { isFault } from '../../cells/map-likeness.ts';
import { REGION_DISCONNECTED } from '../../cells/regions.ts';
import { type Fault, makeFault } from '../../records/fault.ts';
import type { MappedJigsaw } from '../../records/layout-book.ts';
import { KINDS, SEPARATOR } from '../byte-kinds.ts';
import { isHeader } from '../headers/header.ts';
import type { MapPlace } from '../maps/map-place.ts';
import { mapFault, missingMap, missingPuzzle, type RowMap, rowMapFrom } from '../maps/row-maps.ts';
import { NO } from '../recogniser.ts';
import { MAX_ROW_CELLS } from '../shape/readings.ts';
import { rulerSign } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';
import { fitsRow, isGap, joinStanzas, type RowShape, stanzaFrom, widthOf } from './stanzas.ts';

/** Rows of a damaged grid in a file with a puzzle a line. */
const MIN_ROWS = 4;
/** Lines in which rulers are looked for: two of the largest grids. */
const MAX_RULED = 72;

/** Reads a grid only if all of it is well-formed; otherwise it returns `NO`. */
export type WholeGrids = (context: TextContext, at: number) => number;

/** Lines that are no grid are no error. */
const leaveToOthers: WholeGrids = () => NO;

/** A region map above a grid, from line `at`. */
interface MapAbove {
  readonly at: number;
  readonly map: RowMap;
}

/** The grid that is looked for at a line. */
interface Attempt {
  readonly context: TextContext;
  readonly at: number;
  readonly shape: RowShape;
  readonly above: MapAbove | undefined;
  readonly others: WholeGrids | undefined;
}

/** Reads one grid from `at` if all of it is well-formed. */
export function matchWholeGrid(context: TextContext, at: number, shape: RowShape): number {
  return context.followsRow(at) ? NO : matchRows(context, at, shape, leaveToOthers);
}

/**
 * Reads one grid from `at`, with its region map if it has one; returns the same as a recogniser's `match`.
 *
 * @param others asked before lines are an error in this format
 */
export function matchGrid(context: TextContext, at: number, shape: RowShape, others?: WholeGrids): number {
  if (shape.plan !== undefined) return matchRows(context, at, shape, others);
  if (context.followsRow(at)) return NO;
  for (const { form, size, place } of context.maps) {
    if (form !== 'rows' || Math.abs(widthOf(context, shape, at) - size) > 1) continue;
    const map = rowMapFrom(context, at, size);
    if (map === undefined) continue;
    const start = context.nextText(map.end) ?? map.end;
    const mayFollow = place === 'above' && context.window.has(start) && !isHeader(context, start);
    const follows = mayFollow && rowMapFrom(context, start, size) === undefined;
    const taken = follows ? matchRows(context, start, shape, undefined, { at, map }) : NO;
    if (taken !== NO) return start - at + taken;
    return refuse(context, at, { start: at, end: map.end }, missingPuzzle(context, at, size, place));
  }
  return matchRows(context, at, shape, others);
}

function matchRows(
  context: TextContext,
  at: number,
  plain: RowShape,
  others?: WholeGrids,
  above?: MapAbove,
): number {
  const shape = withRulers(context, at, plain);
  const attempt = { context, at, shape, above, others };
  const { plan } = shape;
  const first = widthOf(context, shape, at);
  if (plan === undefined && context.sink.book.isSize(first) && standsAlone(context, at, shape, first)) {
    const lines: number[] = [];
    for (let line = at; line < at + first; line++) lines.push(line);
    return enter(attempt, context.sink.book.geometry(first), lines, first);
  }
  const size = plan?.geometry.size ?? sizeFrom(context, at, shape, first);
  if (size === NO) return NO;
  const geometry = plan?.geometry ?? context.sink.book.geometry(size);
  const rows = plan?.rows ?? size;
  const stanza = stanzaFrom(context, at, shape, size, 2 * rows);
  const { lines } = stanza;
  const fits = (some: readonly number[]) =>
    some.every((line, row) => fitsRow(context, shape, size, line, row));
  if (plan === undefined && first !== size && lines.length !== size) {
    if (Math.abs(countIn(context, shape, at) - size) > 1) return NO;
  }
  const top = lines.slice(0, rows);
  const whole = fits(top);
  if (whole && lines.length % rows === 0) return enter(attempt, geometry, top, size);
  const isLast = stanza.closed && context.isLast(stanza.end);
  const follows = context.gridEndLine === context.window.number(at) || above?.map.end === at;
  if (plan === undefined && lines.length > size) {
    // Rows after a whole grid at the end of the file: the next grid was cut off. A single row may be a typing error.
    const cut = isLast && lines.length > size + 1;
    if (whole && (follows || cut || widthOf(context, shape, lines[size]) !== size)) {
      return enter(attempt, geometry, top, size);
    }
  }
  if (plan === undefined && !whole && (lines.length >= 2 * size || (follows && lines.length >= size))) {
    return refuseRows(attempt, size, top, false);
  }
  if (whole && lines.length < rows) {
    const joined = joinStanzas(context, shape, size, stanza);
    if (joined.length === rows && fits(joined)) return enter(attempt, geometry, joined, size);
  }
  if (plan === undefined) return refuseRows(attempt, size, lines, isLast);
  // With less than two thirds of its rows, it is something else.
  if (top.filter((line, row) => plan.fits(context, line, row)).length * 3 < rows * 2) return NO;
  const isWhole = (from: number) => from + rows <= lines.length && fits(lines.slice(from, from + rows));
  const next = lines.findIndex((_, from) => from > 0 && isWhole(from));
  return refuseRows(attempt, size, next > 0 ? lines.slice(0, next) : lines, isLast);
}

/** The size of the grid that starts at `at`: the width of this row, or of the next ones if it is damaged. */
function sizeFrom(context: TextContext, at: number, shape: RowShape, first: number): number {
  const { book } = context.sink;
  const { window } = context;
  const votes = new Map<number, number>();
  const limit = book.isSize(first) ? first : MAX_ROW_CELLS;
  // Of the lines that are known to be no rows, none is read again.
  let line = context.lines.afterRun(shape.reading, at);
  let seen = line - at;
  for (; seen < limit && window.has(line); line++) {
    if (isGap(context, shape, line) || isHeader(context, line)) break;
    if (context.isComment(line) || shape.skips?.(context, line)) continue;
    const width = widthOf(context, shape, line);
    seen++;
    if (!book.isSize(width)) continue;
    const count = (votes.get(width) ?? 0) + 1;
    votes.set(width, count);
    // The common case: half of the rows agree with the first one.
    if (width === first && count * 2 > width) return first;
  }
  if (votes.size === 0 && seen === line - at && seen > 0) context.lines.noteRun(shape.reading, at, line);
  const [size, most] = [...votes].reduce((best, vote) => (vote[1] > best[1] ? vote : best), [NO, 1]);
  if (size !== NO) return most * 2 >= Math.min(seen, size) ? size : NO;
  // A single row: a grid with a blank line after each row may start with it.
  return book.isSize(first) && seen === 1 && first > 1 ? first : NO;
}

/** Enters the grid whose rows are `lines`. */
function enter(attempt: Attempt, geometry: Geometry, lines: readonly number[], size: number): number {
  const { context, at, shape, above } = attempt;
  const { window, grid, lines: shapes } = context;
  grid.clear();
  for (let row = 0; row < lines.length; row++) {
    if (shape.plan === undefined) shape.reading.cut(shapes, lines[row], grid);
    else shape.plan.add(context, lines[row], row);
  }
  let after = lines[lines.length - 1] + 1;
  // The line drawn below belongs to the grid.
  if (shape.draw !== undefined && window.has(after) && shape.skips?.(context, after)) after++;
  const place = shape.plan === undefined ? placeOf(context, size) : undefined;
  const map = above?.map ?? (place?.place === 'below' ? rowMapFrom(context, after, size) : undefined);
  const range = extent(at, after, map, above);
  const { start, end } = range;
  if (map === undefined && place?.every) {
    return refuse(context, at, range, missingMap(context, at, size, place.place));
  }
  if (map !== undefined && isFault(map.map)) {
    return refuse(context, at, range, mapFault(map.map, map.offset, size));
  }
  const jigsaw = map?.map as MappedJigsaw | undefined;
  const found = shape.resolve?.(context, size, lines) ?? jigsaw?.geometry ?? geometry;
  if ('code' in found) return refuse(context, at, range, cellFault(context, range, size, found));
  const arrangement = shape.draw?.(context, start, end - start);
  const { format, reading } = shape;
  const info = { format, geometry: found, spaced: reading.spaced, arrangement };
  const isNext = shape.plan === undefined && context.gridEndLine === window.number(start);
  const notes = jigsaw?.isDisconnected ? { warnings: [REGION_DISCONNECTED] } : undefined;
  const plain = context.enterGrid(info, start, end - start, notes);
  if (plain && shape.names?.(context, at) !== true && (map !== undefined || found === geometry)) {
    const predecessor = isNext ? 'grid' : undefined;
    context.example = { at: start, lines: end - start, predecessor, mapped: map !== undefined };
  }
  context.gridEndLine = window.number(end);
  return end - at;
}

/** Enters rows that are no grid as an error, with the map of the grid, unless they are a grid in another format. */
function refuseRows(attempt: Attempt, size: number, lines: readonly number[], isLast: boolean): number {
  const { context, at, shape, above, others } = attempt;
  const { plan, reading } = shape;
  if (others === leaveToOthers) return NO;
  const taken = others?.(context, at) ?? NO;
  if (taken !== NO) return taken;
  // In a file with a puzzle a line, a few lines as long as rows are damaged puzzles.
  const whole = lines.filter((line) => widthOf(context, shape, line) === size).length;
  const isFew = whole < Math.max(MIN_ROWS, size / 2);
  if (context.lineSize !== undefined && !reading.spaced && plan === undefined && isFew) return NO;
  const after = lines[lines.length - 1] + 1;
  const below = above === undefined && plan === undefined && placeOf(context, size)?.place === 'below';
  const map = below ? rowMapFrom(context, after, size) : undefined;
  const fault = plan?.fault(context, lines) ?? rowFault(context, shape, size, lines, isLast);
  return refuse(context, at, extent(at, after, map, above), fault);
}

/** Enters lines as an error. */
function refuse(context: TextContext, at: number, { start, end }: Extent, fault: Fault): number {
  context.enterError(start, end - start, fault);
  context.gridEndLine = context.window.number(end);
  return end - at;
}

/**
 * The shape of the grid from line `at`, in which lines of one sign between the bars of their neighbours are rulers if the
 * number of rows up to a blank line says so. If they may be rows as well, the grid is refused.
 */
function withRulers(context: TextContext, at: number, shape: RowShape): RowShape {
  if (shape.draw === undefined || shape.plan !== undefined) return shape;
  const { window } = context;
  const [rows, doubtful]: [number[], number[]] = [[], []];
  let sign = 0;
  for (let line = at; line < at + MAX_RULED && window.has(line) && !isGap(context, shape, line); line++) {
    if (context.isComment(line) || shape.skips?.(context, line)) continue;
    const own = rulerSign(context, line, at);
    if (own !== 0) [sign] = [own, doubtful.push(line)];
    else if (widthOf(context, shape, line) > 0) rows.push(line);
  }
  if (doubtful.length === 0 || rows.length === 0) return shape;
  const size = widthOf(context, shape, rows[0]);
  const { bytes, text, end } = window;
  const isBlank = rows.some((line) => bytes.subarray(text[line], end[line]).includes(sign));
  const asRulers = rows.length % size === 0;
  const asRows = (rows.length + doubtful.length) % size === 0;
  const areBoth = isBlank && asRulers && asRows;
  if (!areBoth && (asRows ? !asRulers : isBlank && !asRulers)) return shape;
  const isRuler = (line: number) => doubtful.includes(line);
  const expected = `"${String.fromCharCode(sign)}" for rows of blanks or for lines between rows, not for both`;
  return {
    ...shape,
    isRow: (own, line) => !isRuler(line) && shape.isRow?.(own, line) !== false,
    skips: (own, line) => isRuler(line) || shape.skips?.(own, line) === true,
    resolve: areBoth ? () => makeFault('row_count', 0, '', expected) : shape.resolve,
  };
}

/** Where the maps of grids in rows of that size are. */
function placeOf(context: TextContext, size: number): MapPlace | undefined {
  return context.maps.find((place) => place.form === 'rows' && place.size === size);
}

/** The first line of a grid with its map, and the line after it. */
interface Extent {
  readonly start: number;
  readonly end: number;
}

/** @param after the last row of the grid at `at` */
function extent(at: number, after: number, map: RowMap | undefined, above: MapAbove | undefined): Extent {
  return above === undefined ? { start: at, end: map?.end ?? after } : { start: above.at, end: after };
}

/** The common case: `size` whole rows, then a blank line or a header, or directly after another grid. */
function standsAlone(context: TextContext, at: number, shape: RowShape, size: number): boolean {
  const { window } = context;
  for (let line = at; line < at + size; line++) {
    if (!window.has(line) || widthOf(context, shape, line) !== size) return false;
    if (line > at && shape.ends?.(context, line, line - at, size)) return false;
  }
  if (context.gridEndLine === window.number(at)) return true;
  return !window.has(at + size) || isGap(context, shape, at + size) || isHeader(context, at + size);
}

/** The fault of a cell, which is an index, with its place and the text there. */
function cellFault(context: TextContext, { start, end }: Extent, size: number, fault: Fault): Fault {
  const offset = context.grid.offset[fault.at];
  const line = context.lineOf(offset, start, end - start);
  const { bytes, end: ends } = context.window;
  let last = offset;
  while (last < ends[line] && bytes[last] > 32 && (KINDS[bytes[last]] & SEPARATOR) === 0) last++;
  const found = context.window.string(offset, last);
  return { ...fault, at: offset, found, isQuote: true, where: `in a ${size}x${size} grid` };
}

/** The fault of lines that are not a grid: a row of another width, or too few or too many rows. */
function rowFault(
  context: TextContext,
  shape: RowShape,
  size: number,
  lines: readonly number[],
  isLast: boolean,
): Fault {
  const { window } = context;
  const { text } = window;
  const { unit, stray } = shape.reading;
  const bad = lines.find((line) => widthOf(context, shape, line) !== size);
  if (bad === undefined) {
    const cut = isLast && lines.length < size;
    const where = `of a ${size}x${size} grid${cut ? ', and the end of the file' : ''}`;
    const found = lines.length === 1 ? '1 row' : `${lines.length} rows`;
    return makeFault(cut ? 'truncated' : 'row_count', text[lines[lines.length - 1]], found, `${size} rows`, {
      where,
    });
  }
  const count = countIn(context, shape, bad);
  const where = `in a row of a ${size}x${size} grid`;
  if (count !== size) {
    return makeFault('bad_length', text[bad], `${count} ${unit}`, `${size} ${unit}`, { where });
  }
  const place = stray?.(context.lines, bad);
  const { offset, found } =
    place === undefined
      ? context.strayCharacter(bad)
      : { offset: place[0], found: window.string(place[0], place[1]) };
  return makeFault('bad_character', offset, found, 'a digit or a blank', { isQuote: true, where });
}

function countIn(context: TextContext, shape: RowShape, at: number): number {
  const { reading } = shape;
  return reading.count?.(context.lines, at) ?? widthOf(context, shape, at);
}
