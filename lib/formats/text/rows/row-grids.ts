/**
 * Grids written row by row: n lines of n cells. Shared by the formats that differ only in how a row is written.
 *
 * A *stanza* is a run of rows without a blank line. The stanzas decide where a grid ends:
 *
 *     stanzas of a 9x9      read as
 *     9                     a grid
 *     9 9 9                 three grids
 *     27                    three grids, no blank line between
 *     1 1 1 1 1 1 1 1 1     one grid, with a blank line after each row
 *     3 3 3                 one grid, with a blank line after each band
 *     8 9                   a short grid (`row_count`), then a grid: the short one takes no row from the next
 *     10                    a grid with a row too many (`row_count`): which one is unknown
 *
 * So stanzas are joined only if they add up to exactly n rows.
 */
import type { Geometry } from '../../../sudoku/geometry/geometry.ts';
import { isFault } from '../../cells/map-likeness.ts';
import { REGION_DISCONNECTED } from '../../cells/regions.ts';
import { type Fault, makeFault } from '../../records/fault.ts';
import type { MappedJigsaw } from '../../records/layout-book.ts';
import { KINDS, SEPARATOR } from '../byte-kinds.ts';
import { rulerSign } from '../drawings/rulers.ts';
import { isHeader } from '../headers/header.ts';
import { isFullLine, MAX_ROW_CELLS } from '../lines/full-line.ts';
import type { MapPlace } from '../maps/map-place.ts';
import { mapFault, missingMap, missingPuzzle, type RowMap, rowMapFrom } from '../maps/row-maps.ts';
import { NO } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';
import type { SameShape } from './same-shape.ts';

/** Rows of a damaged grid in a file with a puzzle a line. */
const MIN_ROWS = 4;

/** How one format writes a row. */
export interface RowShape {
  readonly format: string;
  /** White space separates the cells. */
  readonly spaced: boolean;
  /** The word for the cells of a row, in messages. */
  readonly unit: string;
  /** Cells in line `at`; 0 if it is not a row. */
  width(context: TextContext, at: number): number;
  /** Appends the cells of line `at` to `context.grid`. */
  cells(context: TextContext, at: number): void;
  /** Cells counted in any line, for messages. */
  count(context: TextContext, at: number): number;
  /** The first token in line `at` that is not a cell, if the format has cells of several characters. */
  stray?(context: TextContext, at: number): { offset: number; found: string };
  /** Whether line `at`, within a grid, has no cells, such as a ruler. */
  skips?(context: TextContext, at: number): boolean;
  /**
   * Whether a grid of that size ends before line `at`, which follows `rows` rows, although no blank line does.
   */
  ends?(context: TextContext, at: number, rows: number, size: number): boolean;
  /** Whether line `at` names its grid: another grid with the same bytes between its cells has a name as well. */
  names?(context: TextContext, at: number): boolean;
  /**
   * The geometry of the grid in `context.grid`, if its cells hold more than digits; it leaves digits and blanks. Or the
   * first cell that is wrong; undefined if there is neither.
   */
  resolve?(context: TextContext, size: number): Geometry | Fault | undefined;
  /** The arrangement of the grid in `lines` lines from `at`, if solutions are drawn like the puzzle; code is not. */
  draw?(context: TextContext, at: number, lines: number): string | undefined;
}

interface Stanza {
  /** Lines with text, without comments. */
  lines: number[];
  /** After the last of them. */
  end: number;
  /** A blank line, a header or the end of the file follows; otherwise the stanza was cut at `limit` lines. */
  closed: boolean;
}

/** Reads a grid only if all of it is well-formed; otherwise it returns `NO`. */
export type WholeGrids = (context: TextContext, at: number) => number;

/** Reads the grids of one format. */
export class RowGrids {
  /** The format's shape, and that of the grid being read: some lines may be rulers. */
  readonly #unruled: RowShape;
  #shape: RowShape;
  readonly #sameShape: SameShape;
  readonly #others: WholeGrids | undefined;
  /** Lines with text, by number, none of which is a row of one of the `sizes` known sizes; `until` is after the last. */
  #notRows: { first: number; until: number; sizes: number } | undefined;

  /** @param others asked before lines are an error in this format */
  constructor(shape: RowShape, sameShape: SameShape, others?: WholeGrids) {
    this.#unruled = shape;
    this.#shape = shape;
    this.#sameShape = sameShape;
    this.#others = others;
  }

  /** Reads one grid from `at` if all of it is well-formed. */
  matchWhole(context: TextContext, at: number): number {
    return context.followsRow(at) ? NO : this.#match(context, at, () => NO);
  }

  /** Reads one grid from `at`, with its region map if it has one; returns the same as a recogniser's `match`. */
  match(context: TextContext, at: number): number {
    if (context.followsRow(at)) return NO;
    for (const { form, size, place } of context.maps) {
      if (form !== 'rows' || Math.abs(this.#shape.width(context, at) - size) > 1) continue;
      const map = rowMapFrom(context, at, size);
      if (map === undefined) continue;
      return place === 'above'
        ? this.#matchBelow(context, at, map, size)
        : refuseMap(context, at, map, size, place);
    }
    return this.#match(context, at, (size, lines, isLast) => this.#refuse(context, at, size, lines, isLast));
  }

  /** Enters rows that are no grid as an error, unless they are a grid in another format. */
  #refuse(
    context: TextContext,
    at: number,
    size: number,
    lines: readonly number[],
    isLast: boolean,
    above?: MapAbove,
  ): number {
    const taken = above === undefined && this.#others !== undefined ? this.#others(context, at) : NO;
    return taken === NO ? refuse(context, this.#shape, size, at, lines, isLast, above) : taken;
  }

  /** Reads the grid below a map, which starts at `at`. */
  #matchBelow(context: TextContext, at: number, map: RowMap, size: number): number {
    const { window } = context;
    const start = context.nextText(map.end) ?? map.end;
    const next = window.has(start) && !isHeader(context, start) ? rowMapFrom(context, start, size) : NO;
    const above = { at, map };
    const taken =
      next === undefined
        ? this.#match(
            context,
            start,
            (rows, lines, isLast) => this.#refuse(context, start, rows, lines, isLast, above),
            above,
          )
        : NO;
    return taken === NO ? refuseMap(context, at, map, size, 'above') : start - at + taken;
  }

  /**
   * @param refuse takes rows of a size that are no grid
   * @param above the map above the grid, if it has one
   */
  #match(
    context: TextContext,
    at: number,
    refuse: (size: number, lines: readonly number[], isLast: boolean) => number,
    above?: MapAbove,
  ): number {
    const shape = withRulers(context, at, this.#unruled);
    this.#shape = shape;
    const first = shape.width(context, at);
    if (context.sink.book.isSize(first) && standsAlone(context, at, shape, first)) {
      return this.#enter(context, context.sink.book.geometry(first), at, undefined, first, above);
    }
    const size = this.#sizeFrom(context, at, first);
    if (size === NO) return NO;
    const geometry = context.sink.book.geometry(size);
    const stanza = stanzaFrom(context, at, shape, size, 2 * size);
    const { lines } = stanza;
    if (first !== size && lines.length !== size && Math.abs(shape.count(context, at) - size) > 1) return NO;
    const whole = lines.slice(0, size).every((line) => shape.width(context, line) === size);
    if (whole && lines.length === size) return this.#enter(context, geometry, at, lines, size, above);
    const isLast = stanza.closed && context.isLast(stanza.end);
    const follows = context.gridEndLine === context.window.number(at) || above?.map.end === at;
    if (lines.length >= size && (whole || lines.length >= 2 * size || follows)) {
      const next = lines[size];
      const alone = next === undefined || shape.width(context, next) !== size;
      // Rows after a whole grid at the end of the file: the next grid was cut off. A single row may be a typing error.
      const cut = isLast && lines.length > size + 1;
      if (whole && (alone || lines.length >= 2 * size || follows || cut)) {
        return this.#enter(context, geometry, at, lines.slice(0, size), size, above);
      }
      if (!whole) return refuse(size, lines.slice(0, size), false);
    }
    if (whole && lines.length < size) {
      const joined = joinStanzas(context, shape, size, stanza);
      if (joined.length === size) return this.#enter(context, geometry, at, joined, size, above);
    }
    return refuse(size, lines, isLast);
  }

  /** The size of the grid that starts at `at`: the width of this row, or of the next ones if it is damaged. */
  #sizeFrom(context: TextContext, at: number, first: number): number {
    const shape = this.#shape;
    const { book } = context.sink;
    const { window } = context;
    const votes = new Map<number, number>();
    const limit = book.isSize(first) ? first : MAX_ROW_CELLS;
    const number = window.number(at);
    // In a run of lines that are not rows each one is read once, not once for each line before it.
    const known = this.#notRows;
    let line = at;
    if (known?.sizes === book.sizes.length && known.first <= number && number < known.until)
      line += known.until - number;
    let seen = line - at;
    for (; seen < limit && window.has(line); line++) {
      if (isGap(context, shape, line) || isHeader(context, line)) break;
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
      this.#notRows = { first: number, until: number + seen, sizes: book.sizes.length };
    }
    let size = NO;
    let most = 1;
    for (const [width, count] of votes) if (count > most) [size, most] = [width, count];
    if (size !== NO) return most * 2 >= Math.min(seen, size) ? size : NO;
    // A single row: a grid with a blank line after each row may start with it.
    return book.isSize(first) && seen === 1 && first > 1 ? first : NO;
  }

  /** Enters the grid whose rows are `lines`, or the `size` lines from `at`. */
  #enter(
    context: TextContext,
    geometry: Geometry,
    at: number,
    lines: readonly number[] | undefined,
    size: number,
    above?: MapAbove,
  ): number {
    const { window, grid } = context;
    const shape = this.#shape;
    grid.clear();
    let taken = size;
    if (lines === undefined) {
      for (let line = at; line < at + size; line++) shape.cells(context, line);
    } else {
      for (const line of lines) shape.cells(context, line);
      taken = lines[lines.length - 1] + 1 - at;
    }
    if (shape.draw !== undefined) {
      // The line drawn below belongs to the grid.
      if (window.has(at + taken) && shape.skips?.(context, at + taken)) taken++;
    }
    const place = placeOf(context, size);
    const map = above?.map ?? (place?.place === 'below' ? rowMapFrom(context, at + taken, size) : undefined);
    const { start, end } = extent(at, taken, map, above);
    const wrong =
      map === undefined
        ? place?.every && missingMap(context, at, size, place.place)
        : isFault(map.map) && mapFault(map.map, map.offset, size);
    if (wrong) {
      context.enterError(start, end - start, wrong);
      context.gridEndLine = window.number(end);
      return end - at;
    }
    const jigsaw = map === undefined ? undefined : (map.map as MappedJigsaw);
    const found = shape.resolve?.(context, size) ?? jigsaw?.geometry ?? geometry;
    if ('code' in found) {
      refuseCell(context, start, end - start, size, found);
      context.gridEndLine = window.number(end);
      return end - at;
    }
    const arrangement = shape.draw?.(context, start, end - start);
    const { format, spaced } = shape;
    const info = { format, geometry: found, spaced, arrangement };
    const after = context.gridEndLine === window.number(start) ? 'grid' : undefined;
    const notes = jigsaw?.isDisconnected ? { warnings: [REGION_DISCONNECTED] } : undefined;
    const plain = context.enterGrid(info, start, end - start, notes);
    const mapped = map !== undefined;
    const named = shape.names?.(context, at) === true;
    if (plain && !named && (mapped || found === geometry)) {
      this.#sameShape.remember(context, start, end - start, after, mapped);
    }
    context.gridEndLine = window.number(end);
    return end - at;
  }
}

/** Lines in which rulers are looked for: two of the largest grids. */
const MAX_RULED = 72;

/**
 * The shape of the grid from line `at`, in which lines of one sign between the bars of their neighbours are rulers if the
 * number of rows up to a blank line says so. If they may be rows as well, the grid is refused.
 */
function withRulers(context: TextContext, at: number, shape: RowShape): RowShape {
  if (shape.draw === undefined) return shape;
  const { window } = context;
  const [rows, doubtful]: [number[], number[]] = [[], []];
  let sign = 0;
  for (let line = at; line < at + MAX_RULED && window.has(line) && !isGap(context, shape, line); line++) {
    if (context.isComment(line) || shape.skips?.(context, line)) continue;
    const own = rulerSign(context, line, at);
    if (own !== 0) [sign] = [own, doubtful.push(line)];
    else if (shape.width(context, line) > 0) rows.push(line);
  }
  if (doubtful.length === 0 || rows.length === 0) return shape;
  const size = shape.width(context, rows[0]);
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
    width: (own, line) => (isRuler(line) ? 0 : shape.width(own, line)),
    skips: (own, line) => isRuler(line) || shape.skips?.(own, line) === true,
    resolve: areBoth ? () => makeFault('row_count', 0, '', expected) : shape.resolve,
  };
}

/** A region map above a grid, from line `at`. */
interface MapAbove {
  readonly at: number;
  readonly map: RowMap;
}

/** Where the maps of grids in rows of that size are. */
function placeOf(context: TextContext, size: number): MapPlace | undefined {
  return context.maps.find((place) => place.form === 'rows' && place.size === size);
}

/** The lines of a grid with its map: `taken` lines from `at`. */
function extent(
  at: number,
  taken: number,
  map: RowMap | undefined,
  above: MapAbove | undefined,
): { start: number; end: number } {
  if (above !== undefined) return { start: above.at, end: at + taken };
  return { start: at, end: map?.end ?? at + taken };
}

/** A map whose puzzle is missing. */
function refuseMap(
  context: TextContext,
  at: number,
  map: RowMap,
  size: number,
  place: MapPlace['place'],
): number {
  context.enterError(at, map.end - at, missingPuzzle(context, at, size, place));
  context.gridEndLine = context.window.number(map.end);
  return map.end - at;
}

/** The common case: `size` whole rows, then a blank line or a header, or directly after another grid. */
function standsAlone(context: TextContext, at: number, shape: RowShape, size: number): boolean {
  const { window } = context;
  for (let line = at; line < at + size; line++) {
    if (!window.has(line) || shape.width(context, line) !== size) return false;
    if (line > at && shape.ends?.(context, line, line - at, size)) return false;
  }
  if (context.gridEndLine === window.number(at)) return true;
  return !window.has(at + size) || isGap(context, shape, at + size) || isHeader(context, at + size);
}

/** Whether line `at` has no text and is not a row of blanks. */
function isGap(context: TextContext, shape: RowShape, at: number): boolean {
  return context.isBlank(at) && shape.width(context, at) === 0;
}

/** The stanza from `at`, up to `limit` lines with text. */
function stanzaFrom(context: TextContext, at: number, shape: RowShape, size: number, limit: number): Stanza {
  const { window } = context;
  const lines: number[] = [];
  let end = at;
  for (let line = at; ; line++) {
    if (!window.has(line) || isGap(context, shape, line)) return { lines, end, closed: true };
    if (context.isComment(line)) continue;
    const ends = lines.length > 0 && shape.ends?.(context, line, lines.length, size);
    if (ends) return { lines, end, closed: true };
    if (shape.skips?.(context, line)) continue;
    if (lines.length > 0 && (isHeader(context, line) || isFullLine(context, line))) {
      return { lines, end, closed: true };
    }
    // Text that is not a row, after a whole grid, does not belong to it.
    if (lines.length >= size && shape.width(context, line) === 0) return { lines, end, closed: true };
    lines.push(line);
    end = line + 1;
    if (lines.length === limit) return { lines, end, closed: false };
  }
}

/** The rows of this stanza and the next ones while they are fewer than `size`. */
function joinStanzas(context: TextContext, shape: RowShape, size: number, first: Stanza): number[] {
  const { window } = context;
  const lines = [...first.lines];
  let end = first.end;
  while (lines.length < size) {
    let next = end;
    while (window.has(next) && (isGap(context, shape, next) || context.isComment(next))) next++;
    if (!window.has(next) || shape.width(context, next) !== size) return lines;
    const stanza = stanzaFrom(context, next, shape, size, size - lines.length + 1);
    if (!stanza.lines.every((line) => shape.width(context, line) === size)) return first.lines;
    lines.push(...stanza.lines);
    end = stanza.end;
  }
  return lines;
}

function refuseCell(context: TextContext, at: number, lines: number, size: number, fault: Fault): void {
  const offset = context.grid.offset[fault.at];
  const line = context.lineOf(offset, at, lines);
  const { bytes, end } = context.window;
  let last = offset;
  while (last < end[line] && bytes[last] > 32 && (KINDS[bytes[last]] & SEPARATOR) === 0) last++;
  const found = context.window.string(offset, last);
  const where = `in a ${size}x${size} grid`;
  context.enterError(at, lines, { ...fault, at: offset, found, isQuote: true, where });
}

/** Enters rows that are no grid as an error, with the map of the grid. */
function refuse(
  context: TextContext,
  shape: RowShape,
  size: number,
  at: number,
  lines: readonly number[],
  isLast: boolean,
  above: MapAbove | undefined,
): number {
  const whole = lines.filter((line) => shape.width(context, line) === size).length;
  // In a file with a puzzle a line, a few lines as long as rows are damaged puzzles.
  if (context.lineSize !== undefined && !shape.spaced && whole < Math.max(MIN_ROWS, size / 2)) return NO;
  const taken = lines[lines.length - 1] + 1 - at;
  const below = above === undefined && placeOf(context, size)?.place === 'below';
  const map = below ? rowMapFrom(context, at + taken, size) : undefined;
  const { start, end } = extent(at, taken, map, above);
  context.enterError(start, end - start, rowFault(context, shape, size, lines, isLast));
  context.gridEndLine = context.window.number(end);
  return end - at;
}

/** The fault of lines that are not a grid: a row of another width, or too few or too many rows. */
function rowFault(
  context: TextContext,
  shape: RowShape,
  size: number,
  lines: readonly number[],
  isLast: boolean,
): Fault {
  const { text } = context.window;
  const bad = lines.find((line) => shape.width(context, line) !== size);
  if (bad === undefined) {
    const cut = isLast && lines.length < size;
    const where = `of a ${size}x${size} grid${cut ? ', and the end of the file' : ''}`;
    const code = cut ? 'truncated' : 'row_count';
    return makeFault(code, text[lines[lines.length - 1]], rows(lines.length), rows(size), { where });
  }
  const count = shape.count(context, bad);
  const where = `in a row of a ${size}x${size} grid`;
  if (count !== size) {
    const found = `${count} ${shape.unit}`;
    return makeFault('bad_length', text[bad], found, `${size} ${shape.unit}`, { where });
  }
  const { offset, found } = shape.stray?.(context, bad) ?? context.strayCharacter(bad);
  return makeFault('bad_character', offset, found, 'a digit or a blank', { isQuote: true, where });
}

function rows(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}
