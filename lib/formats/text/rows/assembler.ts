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

import { KINDS, SEPARATOR } from '../../bytes/byte-kinds.ts';
import { isFault, REGION_DISCONNECTED } from '../../cells/regions.ts';
import { type Fault, makeFault } from '../../records/fault.ts';
import type { MappedJigsaw } from '../../records/layout-book.ts';
import { isHeader } from '../headers/header.ts';
import { isFullLine } from '../lines/full-line.ts';
import { mapFault, missingMap, missingPuzzle, type RowMap, rowMapFrom } from '../maps/row-maps.ts';
import { NO } from '../recogniser.ts';
import { MAX_ROW_CELLS } from '../shape/readings.ts';
import type { TextContext } from '../text-context.ts';
import { type RowShape, widthOf, withRulers } from './row-shape.ts';

/** Reads a grid only if all of it is well-formed; otherwise it returns `NO`. */
export type WholeGrids = (context: TextContext, at: number) => number;

/** Lines that are no grid are no error. */
const leaveToOthers: WholeGrids = () => NO;

/** Rows of a damaged grid in a file with a puzzle a line. */
const MIN_ROWS = 4;

/** Reads one grid from `at` if all of it is well-formed. */
export function matchWholeGrid(context: TextContext, at: number, shape: RowShape): number {
  return context.followsRow(at) ? NO : new Assembly(context, at, shape, leaveToOthers).match();
}

/**
 * Reads one grid from `at`, with its region map if it has one; returns the same as a recogniser's `match`.
 *
 * @param others asked before lines are an error in this format
 */
export function matchGrid(context: TextContext, at: number, shape: RowShape, others?: WholeGrids): number {
  if (shape.plan === undefined) {
    if (context.followsRow(at)) return NO;
    const mapped = context.maps.length > 0 ? matchMapAbove(context, at, shape) : NO;
    if (mapped !== NO) return mapped;
  }
  return new Assembly(context, at, shape, others).match();
}

/** Reads a region map from `at` and the grid below it, or the map alone as an error; `NO` if there is no map. */
function matchMapAbove(context: TextContext, at: number, shape: RowShape): number {
  for (const { form, size, place } of context.maps) {
    if (form !== 'rows' || Math.abs(widthOf(context, at, shape) - size) > 1) continue;
    const map = rowMapFrom(context, at, size);
    if (map === undefined) continue;
    const start = context.nextText(map.end) ?? map.end;
    const mayFollow = place === 'above' && context.window.has(start) && !isHeader(context, start);
    const follows = mayFollow && rowMapFrom(context, start, size) === undefined;
    const taken = follows ? new Assembly(context, start, shape, undefined, { at, map }).match() : NO;
    if (taken !== NO) return start - at + taken;
    return enterFault(context, at, map.end, missingPuzzle(context, at, size, place));
  }
  return NO;
}

/** Enters the lines `at` to `end` (exclusive), in the place of a grid, as an error. */
function enterFault(context: TextContext, at: number, end: number, fault: Fault): number {
  context.enterError(at, end - at, fault);
  context.gridEndLine = context.window.number(end);
  return end - at;
}

/** A region map above a grid, from line `at`. */
interface MapAbove {
  readonly at: number;
  readonly map: RowMap;
}

interface Stanza {
  /** Lines with text, without comments. */
  readonly lines: number[];
  /** After the last of them. */
  end: number;
  /** A blank line, a header or the end of the file follows; otherwise the stanza was cut at its limit. */
  closed: boolean;
}

/** The grid that is looked for at a line. */
class Assembly {
  readonly #context: TextContext;
  readonly #at: number;
  readonly #others: WholeGrids | undefined;
  readonly #above: MapAbove | undefined;
  readonly #shape: RowShape;
  /** Cells of a row, and rows. */
  #size = NO;
  #rows = NO;

  constructor(context: TextContext, at: number, shape: RowShape, others?: WholeGrids, above?: MapAbove) {
    this.#context = context;
    this.#at = at;
    this.#shape = withRulers(context, at, shape);
    this.#others = others;
    this.#above = above;
  }

  match(): number {
    const context = this.#context;
    const { plan, reading } = this.#shape;
    const first = this.#width(this.#at);
    const size = plan?.geometry.size ?? this.#sizeFrom(first);
    if (size === NO) return NO;
    this.#size = size;
    this.#rows = plan?.rows ?? size;
    const rows = this.#rows;
    const stanza = this.#stanza(this.#at, 2 * rows);
    const { lines } = stanza;
    if (plan === undefined && first !== size && lines.length !== size) {
      const count = reading.count?.(context.lines, this.#at) ?? first;
      if (Math.abs(count - size) > 1) return NO;
    }
    const top = lines.slice(0, rows);
    const whole = this.#areRows(top);
    if (whole && lines.length % rows === 0) return this.#enter(top);
    const isLast = stanza.closed && context.isLast(stanza.end);
    const number = context.window.number(this.#at);
    const follows = context.gridEndLine === number || this.#above?.map.end === this.#at;
    if (plan === undefined && lines.length > size) {
      // Rows after a whole grid at the end of the file: the next grid was cut off. A single row may be a typing error.
      const cut = isLast && lines.length > size + 1;
      if (whole && (follows || cut || this.#width(lines[size]) !== size)) return this.#enter(top);
      if (!whole && (lines.length >= 2 * size || follows)) return this.#refuse(top, false);
    }
    if (plan === undefined && !whole && follows && lines.length === size) return this.#refuse(top, false);
    if (whole && lines.length < rows) {
      const joined = this.#joined(stanza);
      if (joined.length === rows && this.#areRows(joined)) return this.#enter(joined);
    }
    if (plan === undefined) return this.#refuse(lines, isLast);
    // With less than two thirds of its rows, it is something else.
    if (top.filter((line, row) => this.#fits(line, row)).length * 3 < rows * 2) return NO;
    const isWhole = (from: number) =>
      from + rows <= lines.length && this.#areRows(lines.slice(from, from + rows));
    const next = lines.findIndex((_, from) => from > 0 && isWhole(from));
    return this.#refuse(next > 0 ? lines.slice(0, next) : lines, isLast);
  }

  #width(line: number): number {
    return widthOf(this.#context, line, this.#shape);
  }

  /** Whether a line is row `row` of the grid. */
  #fits(line: number, row: number): boolean {
    const { plan } = this.#shape;
    return plan === undefined ? this.#width(line) === this.#size : plan.fits(this.#context, line, row);
  }

  #areRows(lines: readonly number[]): boolean {
    return lines.every((line, row) => this.#fits(line, row));
  }

  /** Whether a line has no text and is not a row of blanks. */
  #isGap(line: number): boolean {
    return this.#context.isBlank(line) && this.#width(line) === 0;
  }

  /** Whether a line is a comment; rows of overlapping grids may start like one, if `#` fills their gaps. */
  #isAside(line: number): boolean {
    return this.#context.isComment(line) && (this.#shape.plan === undefined || this.#width(line) === 0);
  }

  #isNoRow(line: number): boolean {
    return this.#context.isComment(line) || this.#skips(line);
  }

  #skips(line: number): boolean {
    return this.#shape.skips?.(this.#context, line) === true;
  }

  /** The size of the grid: the width of its first row, or of the next ones if that is damaged. */
  #sizeFrom(first: number): number {
    const context = this.#context;
    const { window, lines: shapes } = context;
    const { book } = context.sink;
    const { reading } = this.#shape;
    const votes = new Map<number, number>();
    const limit = book.isSize(first) ? first : MAX_ROW_CELLS;
    // Of the lines that are known to be no rows, none is read again.
    let line = shapes.afterRun(reading, this.#at);
    let seen = line - this.#at;
    for (; seen < limit && window.has(line); line++) {
      if (this.#isGap(line) || isHeader(context, line)) break;
      if (this.#isNoRow(line)) continue;
      const width = this.#width(line);
      seen++;
      if (!book.isSize(width)) continue;
      const count = (votes.get(width) ?? 0) + 1;
      votes.set(width, count);
      // The common case: half of the rows agree with the first one.
      if (width === first && count * 2 > width) return first;
    }
    if (votes.size === 0 && seen === line - this.#at && seen > 0) shapes.noteRun(reading, this.#at, line);
    const [size, most] = [...votes].reduce((best, vote) => (vote[1] > best[1] ? vote : best), [NO, 1]);
    if (size !== NO) return most * 2 >= Math.min(seen, size) ? size : NO;
    // A single row: a grid with a blank line after each row may start with it.
    return book.isSize(first) && seen === 1 && first > 1 ? first : NO;
  }

  /** The stanza from a line, up to `limit` lines with text. */
  #stanza(at: number, limit: number): Stanza {
    const context = this.#context;
    const { plan, ends } = this.#shape;
    const lines: number[] = [];
    let end = at;
    for (let line = at; context.window.has(line) && !this.#isGap(line); line++) {
      if (this.#isAside(line)) continue;
      if (lines.length > 0 && ends?.(context, line, lines.length, this.#size)) break;
      if (this.#skips(line)) continue;
      if (lines.length > 0 && (isHeader(context, line) || isFullLine(context, line))) break;
      // Text that is not a row, after a whole grid, does not belong to it.
      const isOver = plan === undefined ? lines.length >= this.#rows : lines.length === this.#rows;
      if (isOver && this.#width(line) === 0) break;
      end = line + 1;
      if (lines.push(line) === limit) return { lines, end, closed: false };
    }
    return { lines, end, closed: true };
  }

  /** The rows of a stanza and the next ones while they are fewer than those of a grid. */
  #joined(first: Stanza): number[] {
    const { window } = this.#context;
    const lines = [...first.lines];
    let { end } = first;
    while (lines.length < this.#rows) {
      let next = end;
      while (window.has(next) && this.#isBetween(next)) next++;
      if (!window.has(next) || !this.#fits(next, lines.length)) break;
      const stanza = this.#stanza(next, this.#rows - lines.length + 1);
      lines.push(...stanza.lines);
      end = stanza.end;
    }
    return lines;
  }

  /** Whether a line may be between two stanzas of a grid. */
  #isBetween(line: number): boolean {
    if (this.#isGap(line) || this.#isAside(line)) return true;
    return this.#shape.plan !== undefined && this.#skips(line);
  }

  /** Enters the grid whose rows are `lines`. */
  #enter(lines: readonly number[]): number {
    const context = this.#context;
    const { window, grid, sink } = context;
    const { plan, reading, format, resolve, draw, names } = this.#shape;
    const size = this.#size;
    grid.clear();
    for (const [row, line] of lines.entries()) {
      if (plan === undefined) reading.cut(context.lines, line, grid);
      else plan.add(context, line, row);
    }
    let after = lines[lines.length - 1] + 1;
    // The line drawn below belongs to the grid.
    if (draw !== undefined && window.has(after) && this.#skips(after)) after++;
    const place = plan === undefined ? this.#mapPlace() : undefined;
    const map = this.#above?.map ?? (place?.place === 'below' ? rowMapFrom(context, after, size) : undefined);
    const [start, end] = this.#extent(after, map);
    const refuse = (fault: Fault) => enterFault(context, start, end, fault) + start - this.#at;
    if (map === undefined && place?.every) return refuse(missingMap(context, this.#at, size, place.place));
    if (map !== undefined && isFault(map.map)) return refuse(mapFault(map.map, map.offset, size));
    const jigsaw = map?.map as MappedJigsaw | undefined;
    const usual = plan?.geometry ?? sink.book.geometry(size);
    const geometry = resolve?.(context, size, lines) ?? jigsaw?.geometry ?? usual;
    if ('code' in geometry) return refuse(this.#cellFault(start, end, geometry));
    const arrangement = draw?.(context, start, end - start);
    const form = { format, geometry, spaced: reading.spaced, arrangement };
    const isNext = plan === undefined && context.gridEndLine === window.number(start);
    const notes = jigsaw?.isDisconnected ? { warnings: [REGION_DISCONNECTED] } : undefined;
    const plain = context.enterGrid(form, start, end - start, notes);
    if (plain && names?.(context, this.#at) !== true && (map !== undefined || geometry === usual)) {
      const predecessor = isNext ? 'grid' : undefined;
      context.example = { at: start, lines: end - start, predecessor, mapped: map !== undefined };
    }
    context.gridEndLine = window.number(end);
    return end - this.#at;
  }

  /** Enters rows that are no grid as an error, with the map of the grid, unless they are a grid in another format. */
  #refuse(lines: readonly number[], isLast: boolean): number {
    const context = this.#context;
    const { plan, reading } = this.#shape;
    if (this.#others === leaveToOthers) return NO;
    const taken = this.#others?.(context, this.#at) ?? NO;
    if (taken !== NO) return taken;
    // In a file with a puzzle a line, a few lines as long as rows are damaged puzzles.
    const whole = lines.filter((line) => this.#width(line) === this.#size).length;
    const isFew = whole < Math.max(MIN_ROWS, this.#size / 2);
    if (context.lineSize !== undefined && !reading.spaced && plan === undefined && isFew) return NO;
    const after = lines[lines.length - 1] + 1;
    const isBelow = this.#above === undefined && plan === undefined && this.#mapPlace()?.place === 'below';
    const map = isBelow ? rowMapFrom(context, after, this.#size) : undefined;
    const [start, end] = this.#extent(after, map);
    const fault = plan?.fault(context, lines) ?? this.#rowFault(lines, isLast);
    return enterFault(context, start, end, fault) + start - this.#at;
  }

  /** Where the maps of grids in rows of this size are. */
  #mapPlace() {
    return this.#context.maps.find(({ form, size }) => form === 'rows' && size === this.#size);
  }

  /** The first line of the grid with its map, and the line after it. */
  #extent(after: number, map: RowMap | undefined): readonly [start: number, end: number] {
    return this.#above === undefined ? [this.#at, map?.end ?? after] : [this.#above.at, after];
  }

  /** The fault of a cell, which is an index, with its place and the text there. */
  #cellFault(start: number, end: number, fault: Fault): Fault {
    const { window, grid } = this.#context;
    const offset = grid.offset[fault.at];
    const lineEnd = window.end[this.#context.lineOf(offset, start, end - start)];
    let last = offset;
    while (last < lineEnd && window.bytes[last] > 32 && (KINDS[window.bytes[last]] & SEPARATOR) === 0) last++;
    return {
      ...fault,
      at: offset,
      found: window.string(offset, last),
      isQuote: true,
      where: `in ${this.#name}`,
    };
  }

  /** The fault of lines that are not a grid: a row of another width, or too few or too many rows. */
  #rowFault(lines: readonly number[], isLast: boolean): Fault {
    const context = this.#context;
    const { window, lines: shapes } = context;
    const { unit, stray, count: countIn } = this.#shape.reading;
    const size = this.#size;
    const bad = lines.find((line) => this.#width(line) !== size);
    if (bad === undefined) {
      const cut = isLast && lines.length < size;
      const where = `of ${this.#name}${cut ? ', and the end of the file' : ''}`;
      const found = lines.length === 1 ? '1 row' : `${lines.length} rows`;
      const offset = window.text[lines[lines.length - 1]];
      return makeFault(cut ? 'truncated' : 'row_count', offset, found, `${size} rows`, { where });
    }
    const count = countIn?.(shapes, bad) ?? this.#width(bad);
    const where = `in a row of ${this.#name}`;
    if (count !== size) {
      return makeFault('bad_length', window.text[bad], `${count} ${unit}`, `${size} ${unit}`, { where });
    }
    const place = stray?.(shapes, bad);
    const { offset, found } =
      place === undefined
        ? context.strayCharacter(bad)
        : { offset: place[0], found: window.string(place[0], place[1]) };
    return makeFault('bad_character', offset, found, 'a digit or a blank', { isQuote: true, where });
  }

  get #name(): string {
    return `a ${this.#size}x${this.#size} grid`;
  }
}
