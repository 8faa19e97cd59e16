/** How the rows of a format are written: what a layout of several lines tells the assembler. */
import type { Geometry } from '../../../sudoku/geometry/geometry.ts';
import { type Fault, makeFault } from '../../records/fault.ts';
import type { Reading } from '../shape/line-shapes.ts';
import { rulerSign } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';

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

/** Cells in line `at`; 0 if it is not a row. */
export function widthOf(context: TextContext, at: number, { isRow, reading }: RowShape): number {
  return isRow === undefined || isRow(context, at) ? context.lines.width(at, reading) : 0;
}

/** Lines in which rulers are looked for: two of the largest grids. */
const MAX_RULED = 72;

/**
 * The shape of the grid from line `at`, in which lines of one sign between the bars of their neighbours are rulers if the
 * number of rows up to a blank line says so. If they may be rows as well, the grid is refused.
 */
export function withRulers(context: TextContext, at: number, shape: RowShape): RowShape {
  if (shape.draw === undefined || shape.plan !== undefined) return shape;
  const { window } = context;
  const isGap = (line: number) => context.isBlank(line) && widthOf(context, line, shape) === 0;
  const lines: number[] = [];
  for (let line = at; line < at + MAX_RULED && window.has(line) && !isGap(line); line++) {
    if (!context.isComment(line) && !shape.skips?.(context, line)) lines.push(line);
  }
  const doubtful = lines.filter((line) => rulerSign(context, line, at) !== '');
  // Most grids have none: their lines need not be cut.
  if (doubtful.length === 0) return shape;
  const isRuler = (line: number) => doubtful.includes(line);
  const rows = lines.filter((line) => !isRuler(line) && widthOf(context, line, shape) > 0);
  if (rows.length === 0) return shape;
  const [sign] = context.lines.text(doubtful[doubtful.length - 1]);
  const size = widthOf(context, rows[0], shape);
  const isBlank = rows.some((line) => context.lines.text(line).includes(sign));
  const asRulers = rows.length % size === 0;
  const asRows = (rows.length + doubtful.length) % size === 0;
  const areBoth = isBlank && asRulers && asRows;
  if (!areBoth && (asRows ? !asRulers : isBlank && !asRulers)) return shape;
  const expected = `"${sign}" for rows of blanks or for lines between rows, not for both`;
  return {
    ...shape,
    isRow: (own, line) => !isRuler(line) && shape.isRow?.(own, line) !== false,
    skips: (own, line) => isRuler(line) || shape.skips?.(own, line) === true,
    resolve: areBoth ? () => makeFault('row_count', 0, '', expected) : shape.resolve,
  };
}
