/**
 * Draws grids as they are in the file, in the form that `grid-drawing.ts` describes: the text of their lines with marks in
 * the place of the cells.
 */
import { LF, SPACE } from '../../bytes/ascii.ts';
import { ByteBuffer } from '../../bytes/byte-buffer.ts';
import { textIn } from '../../bytes/byte-text.ts';
import { NUMBER } from '../../cells/grid-buffer.ts';
import { CELL_MARK, MORE_MARK } from '../../writing/grid-drawing.ts';
import type { TextContext } from '../text-context.ts';

/** A cell in the place of the bytes `from` to `to` (exclusive), which may be after the end of the line. */
export interface Slot {
  readonly from: number;
  readonly to: number;
  /** Columns of the cell; 1, by default, if they depend on its symbol. */
  readonly width?: number;
  /** Spaces before and after it. */
  readonly before?: number;
  readonly after?: number;
}

/** The bytes `from` to `to` (exclusive) of the window, with the cells in them. */
export interface DrawnLine {
  readonly from: number;
  readonly to: number;
  readonly slots: readonly Slot[];
}

/** The last drawing of a reader: most grids of a file are drawn alike. */
export interface LastDrawing {
  readonly bytes: Uint8Array;
  readonly ruler: string | undefined;
  readonly text: string;
}

/** @param first line of the grid: the ruler directly above it is drawn as well */
export function drawingOf(context: TextContext, lines: readonly DrawnLine[], first?: number): string {
  const { bytes } = context.window;
  const out = new ByteBuffer(INITIAL_BYTES);
  const repeat = (byte: number, times: number) => {
    for (let k = 0; k < times; k++) out.byte(byte);
  };
  for (const { from, to, slots } of lines) {
    let done = from;
    const copy = (until: number) => {
      const end = Math.min(until, to);
      if (done < end) out.append(bytes, done, end);
      repeat(SPACE, until - Math.max(done, to));
    };
    for (const { from: start, to: end, width = 1, before = 0, after = 0 } of slots) {
      copy(start);
      repeat(SPACE, before);
      out.byte(CELL_MARK);
      repeat(MORE_MARK, width - 1);
      repeat(SPACE, after);
      done = end;
    }
    copy(to);
    out.byte(LF);
  }
  return drawn(context, out.take(), first);
}

const INITIAL_BYTES = 1024;

/** The drawing in these bytes, with the ruler above its first line. */
function drawn(context: TextContext, bytes: Uint8Array, first: number | undefined): string {
  const { window, lastDrawing: last } = context;
  const ruler = first === undefined ? undefined : context.rulerAbove(window.number(first));
  if (last !== undefined && last.ruler === ruler && last.bytes.length === bytes.length) {
    let same = 0;
    while (same < bytes.length && bytes[same] === last.bytes[same]) same++;
    if (same === bytes.length) return last.text;
  }
  const text = `${ruler === undefined ? '' : `${ruler}\n`}${textIn(bytes, 0, bytes.length)}`;
  context.lastDrawing = { bytes, ruler, text };
  return text;
}

/** The drawing of the grid in `context.grid`, each cell in its own bytes, in `lines` lines from `at`. */
export function drawCells(context: TextContext, at: number, lines: number): string {
  const { window, grid } = context;
  const { bytes, start, end } = window;
  const numbers = grid.codes.subarray(0, grid.count).some((code) => code >= NUMBER);
  const rows: DrawnLine[] = [];
  for (let line = at, cell = 0; line < at + lines; line++) {
    const first = cell;
    const slots: Slot[] = [];
    for (; cell < grid.count && grid.offset[cell] < end[line]; cell++) {
      const from = grid.offset[cell];
      if (!numbers) continue;
      if (grid.codes[cell] >= NUMBER) slots.push({ from, to: from + 2, width: 2 });
      // A digit aligned with the second digit of numbers has space for both.
      else if (isAligned(bytes, from, start[line])) slots.push({ from: from - 1, to: from + 1, width: 2 });
      else slots.push({ from, to: from + 1 });
    }
    // A row may start like a comment, if # fills a gap between overlapping grids.
    if (cell > first || !context.isComment(line)) rows.push({ from: start[line], to: end[line], slots });
  }
  return numbers ? drawingOf(context, rows, at) : drawBytes(context, rows, at);
}

/** The drawing of the grid in `context.grid`, whose cells are bytes in these lines; see `drawingOf`. */
export function drawBytes(
  context: TextContext,
  lines: readonly Pick<DrawnLine, 'from' | 'to'>[],
  first?: number,
): string {
  const { window, grid } = context;
  const bytes = new Uint8Array(lines.reduce((sum, { from, to }) => sum + to + 1 - from, 0));
  let length = 0;
  let cell = 0;
  for (const { from, to } of lines) {
    bytes.set(window.bytes.subarray(from, to), length);
    for (; cell < grid.count && grid.offset[cell] < to; cell++) {
      bytes[length + grid.offset[cell] - from] = CELL_MARK;
    }
    length += to + 1 - from;
    bytes[length - 1] = LF;
  }
  return drawn(context, bytes, first);
}

/** Whether two spaces precede a byte, a separator and one of the cell, or one that starts the line. */
function isAligned(bytes: Uint8Array, byte: number, start: number): boolean {
  if (byte === start || bytes[byte - 1] !== SPACE) return false;
  return byte - 1 === start || bytes[byte - 2] === SPACE;
}
