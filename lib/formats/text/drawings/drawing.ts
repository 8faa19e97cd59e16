/**
 * Draws grids as they are in the file, in the form that `grid-drawing.ts` describes: the text of their lines with marks in
 * the place of the cells.
 */
import { LF, SPACE } from '../../bytes/ascii.ts';
import { ByteBuffer } from '../../bytes/byte-buffer.ts';
import { charactersOf } from '../../bytes/byte-text.ts';
import { NUMBER } from '../../cells/grid-buffer.ts';
import { CELL_MARK, MORE_MARK } from '../../writing/grid-drawing.ts';
import type { Line } from '../shape/line.ts';

/** What is drawn for a cell: marks in so many columns, with spaces around them. */
export interface CellMarks {
  readonly before: number;
  readonly columns: number;
  readonly after: number;
}

/** As long as the cell's symbol. */
export const ONE_MARK: CellMarks = { before: 0, columns: 1, after: 0 };
const TWO_MARKS: CellMarks = { before: 0, columns: 2, after: 0 };

/** A cell in the place of the bytes `from` to `to` (exclusive), which may be after the end of the line. */
export interface Slot {
  readonly from: number;
  readonly to: number;
  /** @default one */
  readonly marks?: CellMarks;
}

/** A line with the cells in it, or its bytes `from` to `to` (exclusive) alone. */
export interface DrawnLine {
  readonly line: Line;
  readonly from?: number;
  readonly to?: number;
  readonly slots: readonly Slot[];
}

/** Scratch. */
const drawing = new ByteBuffer(4096);

/** @param first line of the grid: the ruler directly above it is drawn as well */
export function drawingOf(lines: readonly DrawnLine[], first?: Line): string {
  const ruler = first?.context.rulerAbove(first.number);
  drawing.length = 0;
  for (const line of lines) draw(line);
  const drawn = charactersOf(drawing.bytes, 0, drawing.length);
  return ruler === undefined ? drawn : `${ruler}\n${drawn}`;
}

function draw({ line, from = line.start, to = line.end, slots }: DrawnLine): void {
  const { bytes } = line;
  let done = from;
  for (const { from: start, to: end, marks = ONE_MARK } of slots) {
    drawing.append(bytes, done, Math.min(start, to));
    drawing.repeat(SPACE, start - Math.max(done, to));
    drawing.repeat(SPACE, marks.before);
    drawing.byte(CELL_MARK);
    drawing.repeat(MORE_MARK, marks.columns - 1);
    drawing.repeat(SPACE, marks.after);
    done = end;
  }
  drawing.append(bytes, done, to);
  drawing.byte(LF);
}

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
      if (isNumber) slots.push({ from, to: from + 2, marks: TWO_MARKS });
      else if (isAligned) slots.push({ from: from - 1, to: from + 1, marks: TWO_MARKS });
      else slots.push({ from, to: from + 1 });
    }
    // A row may start like a comment, if # fills a gap between overlapping grids.
    if (slots.length > 0 || !line.isComment) rows.push({ line, slots });
  }
  return drawingOf(rows, first);
}
