/**
 * The one assembler of grids that are written row by row: a layout of several lines is a `RowShape`.
 *
 * Rows come in stanzas, runs of lines without a blank one, which decide where a grid ends:
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
 * So stanzas are joined only if they add up to exactly the rows of a grid.
 */

import { isFault, REGION_DISCONNECTED } from '../../cells/regions.ts';
import { type Fault, makeFault } from '../../records/fault.ts';
import type { MappedJigsaw } from '../../records/layout-book.ts';
import { isHeader } from '../headers/header.ts';
import { isFullLine } from '../lines/full-line.ts';
import {
  afterLists,
  mapFault,
  missingMap,
  missingPuzzle,
  type RowMap,
  rowMapFrom,
} from '../maps/row-maps.ts';
import { NO } from '../recogniser.ts';
import type { Line } from '../shape/line.ts';
import { MAX_ROW_CELLS } from '../shape/readings.ts';
import type { TextContext } from '../text-context.ts';
import { isPlanned, nameBeside, type RowShape, widthOf, withRulers } from './row-shape.ts';

/** Reads a grid only if all of it is well-formed; otherwise it returns `NO`. */
export type WholeGrids = (line: Line) => number;

/** Lines that are no grid are no error. */
const leaveToOthers: WholeGrids = () => NO;

/** Rows of a damaged grid in a file with a puzzle a line. */
const MIN_ROWS = 4;

/** Reads one grid from a line on if all of it is well-formed. */
export function matchWholeGrid(first: Line, shape: RowShape): number {
  const { context, at } = first;
  return context.followsRow(first) ? NO : linesUpTo(at, assemble(first, shape, leaveToOthers));
}

/**
 * Reads one grid from a line on, with its region map if it has one; returns the same as a recogniser's `match`.
 *
 * @param others asked before lines are an error in this format
 */
export function matchGrid(first: Line, shape: RowShape, others?: WholeGrids): number {
  const { context, at } = first;
  const isSquare = shape.plan === undefined;
  if (isSquare && context.followsRow(first)) return NO;
  const mapped = isSquare ? matchMapAbove(first, shape) : NO;
  return linesUpTo(at, mapped === NO ? assemble(first, shape, others) : mapped);
}

function linesUpTo(at: number, end: number): number {
  return end === NO ? NO : end - at;
}

/** Reads a region map from a line on and the grid below it, or the map alone as an error; returns the line after them. */
function matchMapAbove(first: Line, shape: RowShape): number {
  const { context, at } = first;
  for (const { form, size, place } of context.maps) {
    if (form !== 'rows' || Math.abs(widthOf(first, shape) - size) > 1) continue;
    const map = rowMapFrom(context, at, size);
    if (map === undefined) continue;
    const { next, name } = afterLists(context, map.end);
    const follows =
      place === 'above' &&
      next !== undefined &&
      !isHeader(next) &&
      rowMapFrom(context, next.at, size) === undefined;
    if (follows) context.nextId = name ?? context.nextId;
    const end = follows ? assemble(next, shape, undefined, { first, map, size }) : NO;
    return end === NO ? enterFault(first, map.end, missingPuzzle(first, size, place)) : end;
  }
  return NO;
}

/** Enters the lines from the first to line `end` (exclusive), in the place of a grid, as an error. @returns `end` */
function enterFault(first: Line, end: number, fault: Fault): number {
  const { context, at } = first;
  context.gridEndLine = context.window.number(end);
  context.enterError(first, end - at, fault);
  return end;
}

/** Reads the grid from a line on. @returns the line after what it entered; `NO` if there is none */
function assemble(first: Line, shape: RowShape, others?: WholeGrids, above?: MapAbove): number {
  const { book, next } = first;
  const isAlone = next === undefined || (next.isBlank && widthOf(next, shape) === 0);
  // Between gaps, a line of another width is no row.
  if (isAlone && shape.plan === undefined && !book.isSize(widthOf(first, shape))) return NO;
  return new Assembly(first, withRulers(first, shape), others, above).match();
}

/** A region map above a grid, from a line on. */
interface MapAbove {
  readonly first: Line;
  readonly map: RowMap;
  readonly size: number;
}

interface Stanza {
  /** Lines with text, without comments. */
  readonly lines: Line[];
  /** After the last of them. */
  end: number;
  /** A blank line, a header or the end of the file follows; otherwise the stanza was cut at its limit. */
  closed: boolean;
}

/** The grid that is looked for at a line. */
class Assembly {
  readonly context: TextContext;
  readonly first: Line;
  readonly others: WholeGrids | undefined;
  readonly above: MapAbove | undefined;
  readonly shape: RowShape;
  /** Cells of a row, and rows. */
  size = NO;
  rows = NO;

  constructor(first: Line, shape: RowShape, others?: WholeGrids, above?: MapAbove) {
    this.context = first.context;
    this.first = first;
    this.shape = shape;
    this.others = others;
    this.above = above;
  }

  match(): number {
    const { context, first, shape } = this;
    const { plan, reading } = shape;
    const width = this.width(first);
    let stanza = this.takeSize(plan?.geometry.size ?? (first.book.isSize(width) ? width : NO));
    // Most rows are whole, and their width is the size.
    const start = stanza?.lines.slice(0, width);
    if (plan === undefined && !(start?.length === width && this.areRows(start))) {
      const size = this.sizeFrom(width);
      if (size !== this.size) stanza = this.takeSize(size);
    }
    if (stanza === undefined) return NO;
    const { size, rows } = this;
    const { lines } = stanza;
    if (plan === undefined && width !== size && lines.length !== size) {
      const count = reading.count?.(first) ?? width;
      if (Math.abs(count - size) > 1) return NO;
    }
    const top = lines.slice(0, rows);
    const whole = this.areRows(top);
    if (whole && lines.length % rows === 0) return this.enter(top);
    const isLast = stanza.closed && context.isLast(stanza.end);
    const follows = context.gridEndLine === first.number || this.above?.map.end === first.at;
    if (plan === undefined) {
      // Rows after a whole grid at the end of the file: the next grid was cut off. A single row may be a typing error.
      const isCut = isLast && lines.length > size + 1;
      const isOver = lines.length > size && (follows || isCut || this.width(lines[size]) !== size);
      if (whole && isOver) return this.enter(top);
      if (!whole && lines.length >= (follows ? size : 2 * size)) return this.refuse(top, false);
    }
    if (whole && lines.length < rows) {
      const joined = this.joined(stanza);
      if (joined.length === rows && this.areRows(joined)) return this.enter(joined);
    }
    if (plan === undefined) return this.refuse(lines, isLast);
    // With less than two thirds of its rows, it is something else.
    if (top.filter((line, row) => this.fits(line, row)).length * 3 < rows * 2) return NO;
    const isWhole = (from: number) =>
      from + rows <= lines.length && this.areRows(lines.slice(from, from + rows));
    const next = lines.findIndex((_, from) => from > 0 && isWhole(from));
    return this.refuse(next > 0 ? lines.slice(0, next) : lines, isLast && next < 0);
  }

  /** The stanza from the first line on, for a grid of that size; undefined for `NO`. */
  takeSize(size: number): Stanza | undefined {
    this.size = size;
    this.rows = this.shape.plan?.widths.length ?? size;
    if (size === NO || size !== (this.above?.size ?? size)) return undefined;
    return this.stanza(this.first, 2 * this.rows);
  }

  width(line: Line): number {
    return widthOf(line, this.shape);
  }

  /** Whether a line is row `row` of the grid. */
  fits(line: Line, row: number): boolean {
    const { shape } = this;
    return shape.plan === undefined ? this.width(line) === this.size : isPlanned(line, shape, row);
  }

  areRows(lines: readonly Line[]): boolean {
    return lines.every((line, row) => this.fits(line, row));
  }

  /** Whether a line has no text and is not a row of blanks. */
  isGap(line: Line): boolean {
    return line.isBlank && this.width(line) === 0;
  }

  /** Whether a line is a comment; rows of overlapping grids may start like one, if `#` fills their gaps. */
  isAside(line: Line): boolean {
    return line.isComment && (this.shape.plan === undefined || this.width(line) === 0);
  }

  skips(line: Line): boolean {
    return this.shape.skips?.(line) === true;
  }

  /** The size of the grid: the width of its first row, or of the next ones if that is damaged. */
  sizeFrom(width: number): number {
    const { context, first } = this;
    const { reading } = this.shape;
    const { book } = first;
    const votes = new Map<number, number>();
    const limit = book.isSize(width) ? width : MAX_ROW_CELLS;
    // Of the lines that are known to be no rows, none is read again.
    let at = context.afterRun(reading, first.at);
    let seen = at - first.at;
    for (; seen < limit; at++) {
      const line = context.lineAt(at);
      if (line === undefined || this.isGap(line) || isHeader(line)) break;
      if (line.isComment || this.skips(line)) continue;
      const one = this.width(line);
      seen++;
      if (!book.isSize(one)) continue;
      votes.set(one, (votes.get(one) ?? 0) + 1);
    }
    if (votes.size === 0 && seen === at - first.at && seen > 0) context.noteRun(reading, first.at, at);
    let [size, most] = [NO, 1];
    for (const [one, count] of votes) if (count > most) [size, most] = [one, count];
    if (size !== NO) return most * 2 >= Math.min(seen, size) ? size : NO;
    // A single row: a grid with a blank line after each row may start with it.
    return book.isSize(width) && seen === 1 && width > 1 ? width : NO;
  }

  /** The stanza from a line on, up to `limit` lines with text. */
  stanza(first: Line, limit: number): Stanza {
    const { shape, rows, size } = this;
    const lines: Line[] = [];
    let end = first.at;
    for (let line: Line | undefined = first; line !== undefined && !this.isGap(line); line = line.next) {
      if (this.isAside(line)) continue;
      if (lines.length > 0 && shape.ends?.(line, lines.length, size)) break;
      if (this.skips(line)) continue;
      const isOver = shape.plan === undefined ? lines.length >= rows : lines.length === rows;
      const isRow = !isOver && this.fits(line, lines.length);
      if (lines.length > 0 && ((!isRow && isHeader(line)) || isFullLine(line))) break;
      // Text that is not a row, after a whole grid, does not belong to it.
      if (isOver && this.width(line) === 0) break;
      end = line.at + 1;
      if (lines.push(line) === limit) return { lines, end, closed: false };
    }
    return { lines, end, closed: true };
  }

  /** The rows of a stanza and the next ones while they are fewer than those of a grid. */
  joined(first: Stanza): Line[] {
    const { context, rows, shape } = this;
    const lines = [...first.lines];
    /** Whether a line may be between two stanzas of a grid. */
    const isBetween = (line: Line) =>
      this.isGap(line) || this.isAside(line) || (shape.plan !== undefined && this.skips(line));
    let { end } = first;
    while (lines.length < rows) {
      let next = context.lineAt(end);
      while (next !== undefined && isBetween(next)) next = next.next;
      if (next === undefined || !this.fits(next, lines.length)) break;
      const stanza = this.stanza(next, rows - lines.length + 1);
      lines.push(...stanza.lines);
      end = stanza.end;
    }
    return lines;
  }

  /** Enters the grid whose rows are `lines`. */
  enter(lines: readonly Line[]): number {
    const { context, first, size } = this;
    const { plan, reading, format, resolve, draw } = this.shape;
    const { grid, window } = context;
    grid.clear();
    lines.forEach((line, row) => {
      if (plan === undefined) reading.cut(line, grid);
      else plan.add(line, row);
    });
    let after = lines[lines.length - 1].at + 1;
    // The line drawn below belongs to the grid.
    if (draw !== undefined && window.has(after) && this.skips(context.line(after))) after++;
    const { place } = this;
    const { map, start, end } = this.extent(after);
    const count = end - start.at;
    if (map === undefined && place?.every)
      return enterFault(start, end, missingMap(first, size, place.place));
    if (map !== undefined && isFault(map.map)) {
      return enterFault(start, end, mapFault(map.map, map.offset, size));
    }
    const jigsaw = map?.map as MappedJigsaw | undefined;
    const usual = plan?.geometry ?? first.book.geometry(size);
    const geometry = resolve?.(context, size, lines) ?? jigsaw?.geometry ?? usual;
    if ('code' in geometry) return enterFault(start, end, this.cellFault(start.at, end, geometry));
    const arrangement = draw?.(start, count);
    const name = nameBeside(first, reading);
    const form = { format, geometry, spaced: reading.spaced, arrangement, name };
    const predecessor = plan === undefined && context.gridEndLine === start.number ? 'grid' : undefined;
    const notes = jigsaw?.isDisconnected ? { warnings: [REGION_DISCONNECTED] } : undefined;
    const plain = context.enter(form, start, count, notes);
    const [mapped, drawn] = [map !== undefined, draw !== undefined];
    const isExample = plain && (mapped || geometry === usual);
    if (isExample) context.example = { at: start.at, lines: count, predecessor, mapped, drawn };
    context.gridEndLine = window.number(end);
    return end;
  }

  /** Enters rows that are no grid as an error, with the map of the grid, unless they are a grid in another format. */
  refuse(lines: readonly Line[], isLast: boolean): number {
    const { context, first, others } = this;
    const { plan, reading } = this.shape;
    if (others === leaveToOthers) return NO;
    const taken = others?.(first) ?? NO;
    if (taken !== NO) return first.at + taken;
    // In a file with a puzzle a line, a few lines as long as rows are damaged puzzles.
    const whole = lines.filter((line) => this.width(line) === this.size).length;
    const isFew = whole < Math.max(MIN_ROWS, this.size / 2);
    if (context.lineSize !== undefined && !reading.spaced && plan === undefined && isFew) return NO;
    const { start, end } = this.extent(lines[lines.length - 1].at + 1);
    return enterFault(start, end, this.rowFault(lines, isLast));
  }

  /** Where the maps of such grids are. */
  get place() {
    const { context, shape, size } = this;
    return shape.plan === undefined
      ? context.maps.find((place) => place.form === 'rows' && place.size === size)
      : undefined;
  }

  /** The map of the grid, the first line of both, and the line after them. */
  extent(after: number): { map: RowMap | undefined; start: Line; end: number } {
    const { above, context, first, place, size } = this;
    if (above !== undefined) return { map: above.map, start: above.first, end: after };
    const map = place?.place === 'below' ? rowMapFrom(context, after, size) : undefined;
    return { map, start: first, end: map?.end ?? after };
  }

  /** The fault of a cell, which is an index, with its place and the text there. */
  cellFault(start: number, end: number, fault: Fault): Fault {
    const { context, first, name } = this;
    const at = context.grid.offset[fault.at];
    const line = context.line(context.lineOf(at, start, end - start));
    const [found] = /^[^\0- ,;:]*/.exec(first.string(at, line.end)) ?? [''];
    return { ...fault, at, found, isQuote: true, where: `in ${name}` };
  }

  /** The fault of lines that are not a grid: a row that does not fit, or too few or too many rows. */
  rowFault(lines: readonly Line[], isLast: boolean): Fault {
    const { size, rows, name, first } = this;
    const { plan, reading } = this.shape;
    const { unit, stray } = reading;
    const row = lines.findIndex((line, k) => !this.fits(line, k));
    // Where rows differ in width, a missing one moves the others.
    const isMoved =
      plan !== undefined && lines.length !== rows && lines.every((line) => this.width(line) > 0);
    if (row < 0 || row === plan?.widths.length || isMoved) {
      const cut = isLast && lines.length < rows;
      const where = `of ${name}${cut && plan === undefined ? ', and the end of the file' : ''}`;
      const found = lines.length === 1 ? '1 row' : `${lines.length} rows`;
      const offset = lines[lines.length - 1].from;
      return makeFault(cut ? 'truncated' : 'row_count', offset, found, `${rows} rows`, { where });
    }
    const bad = lines[row];
    const gap = plan?.gapFault(bad, row);
    if (gap !== undefined) return gap;
    const where = `in ${plan === undefined ? 'a row' : `row ${row + 1}`} of ${name}`;
    const count = reading.count?.(bad) ?? bad.width(reading);
    if (plan === undefined ? count !== size : count > 0) {
      const widths = plan?.widths[row].join(' or ') ?? size;
      return makeFault('bad_length', bad.from, `${count} ${unit}`, `${widths} ${unit}`, { where });
    }
    const place = stray?.(bad);
    const { offset, found } =
      place === undefined ? bad.stray : { offset: place[0], found: first.string(place[0], place[1]) };
    const expected = plan === undefined ? 'a digit or a blank' : 'a digit from 1 to 9, or a blank';
    return makeFault('bad_character', offset, found, expected, { isQuote: true, where });
  }

  get name(): string {
    const { plan } = this.shape;
    return `a ${plan?.geometry.variant ?? `${this.size}x${this.size} grid`}`;
  }
}
