/** Drawings of grids in which each cell takes its own bytes. */
import { SPACE } from '../../bytes/ascii.ts';
import { NUMBER } from '../../cells/grid-buffer.ts';
import type { TextContext } from '../text-context.ts';

/** The drawing of the grid in `context.grid`, which is in `lines` lines from `at`. */
export function drawCells(context: TextContext, at: number, lines: number): string {
  const { window, grid, drawings } = context;
  const { bytes, start, end } = window;
  const numbers = grid.codes.subarray(0, grid.count).some((code) => code >= NUMBER);
  let cell = 0;
  drawings.begin(context.rulerAbove(window.number(at)));
  for (let line = at; line < at + lines; line++) {
    const isNext = () => cell < grid.count && grid.offset[cell] < end[line];
    // A row may start like a comment, if # fills a gap between overlapping grids.
    if (context.isComment(line) && !isNext()) continue;
    drawings.line(window, start[line], end[line]);
    for (; isNext(); cell++) {
      const from = grid.offset[cell];
      if (grid.codes[cell] >= NUMBER) drawings.cell(from, from + 2, 2);
      // A digit aligned with the second digit of numbers has space for both.
      else if (numbers && isAligned(bytes, from, start[line])) drawings.cell(from - 1, from + 1, 2);
      else drawings.cell(from, from + 1);
    }
    drawings.endLine();
  }
  return drawings.text();
}

/** Whether two spaces precede a byte, a separator and one of the cell, or one that starts the line. */
function isAligned(bytes: Uint8Array, byte: number, start: number): boolean {
  if (byte === start || bytes[byte - 1] !== SPACE) return false;
  return byte - 1 === start || bytes[byte - 2] === SPACE;
}
