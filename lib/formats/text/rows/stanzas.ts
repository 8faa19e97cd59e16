/**
 * Stanzas: runs of rows without a blank line. They decide where a grid ends:
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
import type { Geometry } from '../../../sudoku/geometry/geometry.ts';
import type { Fault } from '../../records/fault.ts';
import { isHeader } from '../headers/header.ts';
import { isFullLine } from '../lines/full-line.ts';
import type { Reading } from '../shape/line-shapes.ts';
import type { TextContext } from '../text-context.ts';

/** How one format writes its rows. */
export interface RowShape {
  readonly format: string;
  readonly reading: Reading;
  /** Whether line `at` may be a row; by default, if the reading can read it. */
  isRow?(context: TextContext, at: number): boolean;
  /** Whether line `at`, within a grid, has no cells, such as a ruler. */
  skips?(context: TextContext, at: number): boolean;
  /** Whether a grid of that size ends before line `at`, which follows `rows` rows, although no blank line does. */
  ends?(context: TextContext, at: number, rows: number, size: number): boolean;
  /** Whether line `at` names its grid: another grid with the same bytes between its cells has a name as well. */
  names?(context: TextContext, at: number): boolean;
  /**
   * The geometry of the grid in `context.grid`, if its cells hold more than digits; it leaves digits and blanks. Or the
   * first cell that is wrong; undefined if there is neither.
   */
  resolve?(context: TextContext, size: number, lines: readonly number[]): Geometry | Fault | undefined;
  /** The arrangement of the grid in `lines` lines from `at`, if solutions are drawn like the puzzle; code is not. */
  draw?(context: TextContext, at: number, lines: number): string | undefined;
  /** The rows of a grid that is no square; by default it has as many rows as each has cells. */
  readonly plan?: RowPlan;
}

/** The rows of a grid whose rows differ in their number of cells. */
export interface RowPlan {
  readonly geometry: Geometry;
  readonly rows: number;
  /** Whether line `at` is that row. */
  fits(context: TextContext, at: number, row: number): boolean;
  /** Appends the cells of line `at` to `context.grid`. */
  add(context: TextContext, at: number, row: number): void;
  /** Why lines are no grid. */
  fault(context: TextContext, lines: readonly number[]): Fault;
}

export interface Stanza {
  /** Lines with text, without comments. */
  readonly lines: number[];
  /** After the last of them. */
  end: number;
  /** A blank line, a header or the end of the file follows; otherwise the stanza was cut at its limit. */
  closed: boolean;
}

/** Cells in line `at`; 0 if it is not a row. */
export function widthOf(context: TextContext, { isRow, reading }: RowShape, at: number): number {
  return isRow === undefined || isRow(context, at) ? context.lines.width(at, reading) : 0;
}

/** Whether line `at` is row `row` of a grid of that size. */
export function fitsRow(
  context: TextContext,
  shape: RowShape,
  size: number,
  at: number,
  row: number,
): boolean {
  return shape.plan === undefined ? widthOf(context, shape, at) === size : shape.plan.fits(context, at, row);
}

/** Whether line `at` has no text and is not a row of blanks. */
export function isGap(context: TextContext, shape: RowShape, at: number): boolean {
  return context.isBlank(at) && widthOf(context, shape, at) === 0;
}

/** Whether line `at` is a comment; rows of overlapping grids may start like one, if `#` fills their gaps. */
export function isAside(context: TextContext, shape: RowShape, at: number): boolean {
  return context.isComment(at) && (shape.plan === undefined || widthOf(context, shape, at) === 0);
}

/** The stanza from `at`, up to `limit` lines with text. */
export function stanzaFrom(
  context: TextContext,
  at: number,
  shape: RowShape,
  size: number,
  limit: number,
): Stanza {
  const { window } = context;
  const stanza: Stanza = { lines: [], end: at, closed: true };
  const { lines } = stanza;
  const rows = shape.plan?.rows ?? size;
  for (let line = at; window.has(line) && !isGap(context, shape, line); line++) {
    if (isAside(context, shape, line)) continue;
    if (lines.length > 0 && shape.ends?.(context, line, lines.length, size)) break;
    if (shape.skips?.(context, line)) continue;
    if (lines.length > 0 && (isHeader(context, line) || isFullLine(context, line))) break;
    // Text that is not a row, after a whole grid, does not belong to it.
    const isOver = shape.plan === undefined ? lines.length >= rows : lines.length === rows;
    if (isOver && widthOf(context, shape, line) === 0) break;
    stanza.end = line + 1;
    if (lines.push(line) < limit) continue;
    stanza.closed = false;
    break;
  }
  return stanza;
}

/** The rows of this stanza and the next ones while they are fewer than those of a grid. */
export function joinStanzas(context: TextContext, shape: RowShape, size: number, first: Stanza): number[] {
  const { window } = context;
  const rows = shape.plan?.rows ?? size;
  const lines = [...first.lines];
  let { end } = first;
  while (lines.length < rows) {
    let next = end;
    while (window.has(next) && isBetween(context, shape, next)) next++;
    if (!window.has(next) || !fitsRow(context, shape, size, next, lines.length)) break;
    const stanza = stanzaFrom(context, next, shape, size, rows - lines.length + 1);
    lines.push(...stanza.lines);
    end = stanza.end;
  }
  return lines;
}

/** Whether line `at` may be between two stanzas of a grid. */
function isBetween(context: TextContext, shape: RowShape, at: number): boolean {
  if (isGap(context, shape, at) || isAside(context, shape, at)) return true;
  return shape.plan !== undefined && shape.skips?.(context, at) === true;
}
