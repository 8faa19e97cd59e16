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

/** The marks of the cells of a row: before the first one, the space may differ. */
export interface Marks {
  readonly first: CellMarks;
  readonly other: CellMarks;
}

/** As long as the cell's symbol. */
const ONE_MARK: CellMarks = { before: 0, columns: 1, after: 0 };
const TWO_MARKS: CellMarks = { before: 0, columns: 2, after: 0 };
/** Cells directly after their separators. */
export const NARROW: Marks = { first: ONE_MARK, other: ONE_MARK };

/** A cell in the place of the bytes `left` to `right` (exclusive) of its line, which may be after its end. */
export interface Slot {
  readonly left: number;
  readonly right: number;
  /** @default those of the row */
  readonly marks?: CellMarks;
}

/** A line with the cells in it, or its bytes `from` to `to` (exclusive) alone; offsets are from the start of the line. */
export interface DrawnLine {
  readonly line: Line;
  readonly from?: number;
  readonly to?: number;
  readonly slots: readonly Slot[];
  readonly marks?: Marks | undefined;
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

function draw({ line, from = 0, to = line.end - line.start, slots, marks = NARROW }: DrawnLine): void {
  const { bytes, start } = line;
  let done = from;
  for (let cell = 0; cell < slots.length; cell++) {
    const { left, right, marks: own } = slots[cell];
    const { before, columns, after } = own ?? (cell === 0 ? marks.first : marks.other);
    drawing.append(bytes, start + done, start + Math.min(left, to));
    drawing.repeat(SPACE, left - Math.max(done, to));
    drawing.repeat(SPACE, before);
    drawing.byte(CELL_MARK);
    drawing.repeat(MORE_MARK, columns - 1);
    drawing.repeat(SPACE, after);
    done = right;
  }
  drawing.append(bytes, start + done, start + to);
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
      const left = grid.offset[cell] - line.start;
      const isNumber = grid.codes[cell] >= NUMBER;
      // A digit aligned with the second digit of numbers has space for both.
      const isAligned =
        hasNumbers &&
        left > 0 &&
        bytes[line.start + left - 1] === SPACE &&
        (left === 1 || bytes[line.start + left - 2] === SPACE);
      if (isNumber) slots.push({ left, right: left + 2, marks: TWO_MARKS });
      else if (isAligned) slots.push({ left: left - 1, right: left + 1, marks: TWO_MARKS });
      else slots.push({ left, right: left + 1 });
    }
    // A row may start like a comment, if # fills a gap between overlapping grids.
    if (slots.length > 0 || !line.isComment) rows.push({ line, slots });
  }
  return drawingOf(rows, first);
}
