/** How the rows of a format are written: what a layout of several lines tells the assembler. */
import type { Geometry } from '../../../sudoku/geometry/geometry.ts';
import { type Fault, makeFault } from '../../records/fault.ts';
import { isHeader } from '../headers/header.ts';
import type { Line } from '../shape/line.ts';
import type { Reading } from '../shape/readings.ts';
import { maySeparateRows, rulerSign } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';

export interface RowShape {
  readonly format: string;
  readonly reading: Reading;
  /** Whether a line may be a row; by default, if the reading can read it. */
  isRow?(line: Line): boolean;
  /** Whether a line within a grid has no cells, such as a ruler. */
  skips?(line: Line): boolean;
  /** Whether a grid of that size ends before a line, which follows `rows` rows, although no blank line does. */
  ends?(line: Line, rows: number, size: number): boolean;
  /**
   * The geometry of the grid in `context.grid`, if its cells hold more than digits; it leaves digits and blanks. Or the
   * first cell that is wrong; undefined if there is neither.
   */
  resolve?(context: TextContext, size: number, lines: readonly Line[]): Geometry | Fault | undefined;
  /** The arrangement of the grid in `lines` lines, if solutions are drawn like the puzzle; code is not. */
  draw?(first: Line, lines: number): string | undefined;
  /** The rows of a grid that is no square; by default it has as many rows as each has cells. */
  readonly plan?: RowPlan;
}

/** With all members, as for readings. */
export function rowShape(own: RowShape): RowShape {
  const { format, reading, isRow, skips, ends, resolve, draw, plan } = own;
  return { format, reading, isRow, skips, ends, resolve, draw, plan };
}

/** The rows of a grid whose rows differ in their number of cells. */
export interface RowPlan {
  readonly geometry: Geometry;
  /** The widths that each row may have. */
  readonly widths: readonly (readonly number[])[];
  /** Appends the cells of a line to `context.grid`. */
  add(line: Line, row: number): void;
  /** The fault of a line which is no row because it has a digit where no cell is. */
  gapFault(line: Line, row: number): Fault | undefined;
}

/** Cells in a line; 0 if it is not a row. */
export function widthOf(line: Line, { isRow, reading }: RowShape): number {
  return isRow === undefined || isRow(line) ? line.width(reading) : 0;
}

/** Whether a line is row `row` of a grid with a plan. */
export function isPlanned(line: Line, { plan, reading }: RowShape, row: number): boolean {
  const isWide = plan?.widths[row]?.includes(line.width(reading)) === true;
  return isWide && plan.gapFault(line, row) === undefined;
}

/** Lines in which rulers are looked for: two of the largest grids. */
const MAX_RULED = 72;
/** Lines of which one is a ruler, if rows with no bars and gaps have any: those of the largest box, and one. */
const MAX_BAND = 7;

/**
 * The shape of the grid from a line on, in which lines of one sign between the bars of their neighbours are rulers if the
 * number of rows up to a blank line or a heading says so. If they may be rows as well, the grid is refused.
 */
export function withRulers(first: Line, shape: RowShape): RowShape {
  if (shape.plan !== undefined) return shape;
  const lines: Line[] = [];
  let mayHave = false;
  for (let line: Line | undefined = first; line !== undefined; line = line.next) {
    if (line.at === first.at + MAX_RULED || (line.isBlank && widthOf(line, shape) === 0)) break;
    if (widthOf(line, shape) === 0 && isHeader(line)) break;
    if (line.isComment || shape.skips?.(line)) continue;
    lines.push(line);
    mayHave ||= maySeparateRows(line);
    if (!mayHave && shape.draw === undefined && lines.length === MAX_BAND) break;
  }
  // Most grids have none: their lines need not be cut.
  if (!mayHave) return shape;
  const signs = lines.map((line) => rulerSign(line, line === first));
  const kinds = [...new Set(signs)].filter((sign) => sign !== '');
  if (kinds.length === 0) return shape;
  const isCell = (sign: string) => lines.some(({ text }, k) => signs[k] !== sign && text.includes(sign));
  // Beside rulers of another sign, lines of the blank are rows.
  const sign = kinds.find((kind) => !isCell(kind)) ?? kinds[kinds.length - 1];
  const doubtful = lines.filter((_, k) => signs[k] === sign);
  const isRuler = ({ at }: Line) => doubtful.some((line) => line.at === at);
  const rows = lines.filter((line) => !isRuler(line) && widthOf(line, shape) > 0);
  if (rows.length === 0) return shape;
  const size = widthOf(rows[0], shape);
  const isBlank = rows.some(({ text }) => text.includes(sign));
  // Lines of another width are none of the rows.
  const whole = rows.filter((line) => widthOf(line, shape) === size).length;
  const asRulers = whole % size === 0;
  const asRows =
    doubtful.every((line) => widthOf(line, shape) === size) && (whole + doubtful.length) % size === 0;
  const areBoth = isBlank && asRulers && asRows;
  if (!areBoth && (asRows ? !asRulers : isBlank && !asRulers)) return shape;
  const expected = `"${sign}" for rows of blanks or for lines between rows, not for both`;
  return rowShape({
    ...shape,
    isRow: (line) => !isRuler(line) && shape.isRow?.(line) !== false,
    skips: (line) => isRuler(line) || shape.skips?.(line) === true,
    resolve: areBoth ? () => makeFault('row_count', 0, '', expected) : shape.resolve,
  });
}

/** The name before the cells of a line, as in program code. */
export function nameBeside(line: Line, reading: Reading): string | undefined {
  return line.name ?? ('name' in reading ? line.fields.name : undefined);
}
