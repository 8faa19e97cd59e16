/**
 * Draws grids as they are in the file, in the form that `grid-drawing.ts` describes: the text of their lines with marks in
 * the place of the cells.
 */
import { SPACE } from '../../bytes/ascii.ts';
import { NUMBER } from '../../cells/grid-buffer.ts';
import { CELL_MARK, MORE_MARK } from '../../writing/grid-drawing.ts';
import { type Line, rawText } from '../shape/line.ts';

/** A cell in the place of the bytes `from` to `to` (exclusive), which may be after the end of the line. */
export interface Slot {
  readonly from: number;
  readonly to: number;
  /** What is drawn for it: one mark, by default, as long as its symbol. */
  readonly mark?: string;
}

/** A line with the cells in it, or its bytes `from` to `to` (exclusive) alone. */
export interface DrawnLine {
  readonly line: Line;
  readonly from?: number;
  readonly to?: number;
  readonly slots: readonly Slot[];
}

/** @param first line of the grid: the ruler directly above it is drawn as well */
export function drawingOf(lines: readonly DrawnLine[], first?: Line): string {
  const ruler = first?.context.rulerAbove(first.number);
  return [...(ruler === undefined ? [] : [ruler]), ...lines.map(drawnLine), ''].join('\n');
}

function drawnLine({ line, from = line.start, to = line.end, slots }: DrawnLine): string {
  // Most cells take one byte.
  if (slots.every((slot) => slot.mark === undefined && slot.to === slot.from + 1 && slot.to <= to)) {
    const bytes = line.bytes.slice(from, to);
    for (const slot of slots) bytes[slot.from - from] = CELL_MARK;
    return rawText(bytes, 0, bytes.length);
  }
  const text = line.raw(from, to);
  let drawn = '';
  let done = from;
  for (const { from: start, to: end, mark = MARK } of slots) {
    if (start > done) drawn += text.slice(done - from, start - from).padEnd(start - done);
    drawn += mark;
    done = end;
  }
  return drawn + text.slice(done - from);
}

/** The marks of a cell of so many columns, with spaces before and after it. */
export function markOf(columns: number, before = 0, after = 0): string {
  const more = String.fromCharCode(MORE_MARK).repeat(columns - 1);
  return ' '.repeat(before) + MARK + more + ' '.repeat(after);
}

export const MARK = String.fromCharCode(CELL_MARK);
const WIDE_MARK = markOf(2);

/** The drawing of the grid in `context.grid`, each cell in its own bytes, in `count` lines. */
export function drawCells(first: Line, count: number): string {
  const { context, at, bytes } = first;
  const { grid } = context;
  const hasNumbers = grid.codes.subarray(0, grid.count).some((code) => code >= NUMBER);
  const rows: DrawnLine[] = [];
  let cell = 0;
  for (let next = at; next < at + count; next++) {
    const line = context.line(next);
    const slots: Slot[] = [];
    for (; cell < grid.count && grid.offset[cell] < line.end; cell++) {
      const from = grid.offset[cell];
      const isNumber = grid.codes[cell] >= NUMBER;
      // A digit aligned with the second digit of numbers has space for both.
      const isAligned =
        hasNumbers &&
        from > line.start &&
        bytes[from - 1] === SPACE &&
        (from - 1 === line.start || bytes[from - 2] === SPACE);
      if (isNumber) slots.push({ from, to: from + 2, mark: WIDE_MARK });
      else if (isAligned) slots.push({ from: from - 1, to: from + 1, mark: WIDE_MARK });
      else slots.push({ from, to: from + 1 });
    }
    // A row may start like a comment, if # fills a gap between overlapping grids.
    if (slots.length > 0 || !line.isComment) rows.push({ line, slots });
  }
  return drawingOf(rows, first);
}
