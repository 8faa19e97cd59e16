/**
 * Draws grids as they are in the file, in the form that `grid-drawing.ts` describes: the text of their lines with marks in
 * the place of the cells.
 */
import { SPACE } from '../../bytes/ascii.ts';
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

const MARK = String.fromCharCode(CELL_MARK);
const MORE = String.fromCharCode(MORE_MARK);

/** @param first line of the grid: the ruler directly above it is drawn as well */
export function drawingOf(context: TextContext, lines: readonly DrawnLine[], first?: number): string {
  const { window } = context;
  const ruler = first === undefined ? undefined : context.rulerAbove(window.number(first));
  let text = ruler === undefined ? '' : `${ruler}\n`;
  for (const { from, to, slots } of lines) {
    const line = window.string(from, to);
    const isAscii = line.length === to - from;
    let done = from;
    const copy = (until: number) => {
      const end = Math.min(until, to);
      if (done < end) text += isAscii ? line.slice(done - from, end - from) : window.string(done, end);
      if (until > to) text += ' '.repeat(Math.max(0, until - Math.max(done, to)));
    };
    for (const { from: start, to: end, width = 1, before = 0, after = 0 } of slots) {
      copy(start);
      text += ' '.repeat(before) + MARK + MORE.repeat(width - 1) + ' '.repeat(after);
      done = end;
    }
    copy(to);
    text += '\n';
  }
  return text;
}

/** The drawing of the grid in `context.grid`, each cell in its own bytes, in `lines` lines from `at`. */
export function drawCells(context: TextContext, at: number, lines: number): string {
  const { window, grid } = context;
  const { bytes, start, end } = window;
  const numbers = grid.codes.subarray(0, grid.count).some((code) => code >= NUMBER);
  const drawn: DrawnLine[] = [];
  for (let line = at, cell = 0; line < at + lines; line++) {
    const slots: Slot[] = [];
    for (; cell < grid.count && grid.offset[cell] < end[line]; cell++) {
      const from = grid.offset[cell];
      if (grid.codes[cell] >= NUMBER) slots.push({ from, to: from + 2, width: 2 });
      // A digit aligned with the second digit of numbers has space for both.
      else if (numbers && isAligned(bytes, from, start[line]))
        slots.push({ from: from - 1, to: from + 1, width: 2 });
      else slots.push({ from, to: from + 1 });
    }
    // A row may start like a comment, if # fills a gap between overlapping grids.
    if (slots.length > 0 || !context.isComment(line)) drawn.push({ from: start[line], to: end[line], slots });
  }
  return drawingOf(context, drawn, at);
}

/** Whether two spaces precede a byte, a separator and one of the cell, or one that starts the line. */
function isAligned(bytes: Uint8Array, byte: number, start: number): boolean {
  if (byte === start || bytes[byte - 1] !== SPACE) return false;
  return byte - 1 === start || bytes[byte - 2] === SPACE;
}
