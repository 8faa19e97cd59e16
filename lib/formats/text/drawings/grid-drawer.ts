/** Drawings of grids: the text of a grid's lines with a mark for each cell, and the ruler directly above. */
import { LF, SPACE } from '../../bytes/ascii.ts';
import { NUMBER } from '../../cells/grid-buffer.ts';
import { CELL_MARK, MORE_MARK } from '../../writing/grid-drawing.ts';
import type { TextContext } from '../text-context.ts';
import { DrawingText } from './drawing-text.ts';

export class GridDrawer {
  readonly #drawing = new DrawingText();
  /** The last ruler above a grid, and the number of the line after it. */
  #ruler: { text: string; nextLine: number } | undefined;

  /** Remembers the ruler in line `at`, for a grid that starts on the next line. */
  setRuler({ window }: TextContext, at: number): void {
    const text = window.string(window.start[at], window.end[at]);
    this.#ruler = { text, nextLine: window.number(at) + 1 };
  }

  /** The ruler directly above line `line` of the file, if any. */
  rulerAbove(line: number): string | undefined {
    return this.#ruler?.nextLine === line ? this.#ruler.text : undefined;
  }

  restoreRuler(text: string, line: number): void {
    this.#ruler = { text, nextLine: line };
  }

  /** The drawing of the grid in `context.grid`, which is in `lines` lines from `at`. */
  draw(context: TextContext, at: number, lines: number): string {
    const { window, grid } = context;
    const { bytes } = window;
    const drawing = this.#drawing.buffer;
    drawing.length = 0;
    const ruler = this.rulerAbove(window.number(at));
    if (ruler !== undefined) drawing.text(`${ruler}\n`);
    const numbers = grid.codes.subarray(0, grid.count).some((code) => code >= NUMBER);
    let cell = 0;
    for (let line = at; line < at + lines; line++) {
      const end = window.end[line];
      // A row may start like a comment, if # fills a gap between overlapping grids.
      if (context.isComment(line) && !(cell < grid.count && grid.offset[cell] < end)) continue;
      drawing.ensure(end - window.start[line] + 1);
      const into = drawing.bytes;
      for (let byte = window.start[line]; byte < end; byte++) {
        if (cell < grid.count && grid.offset[cell] === byte) {
          if (grid.codes[cell] >= NUMBER) byte++;
          // A digit aligned with the second digit of numbers has space for both.
          if (grid.codes[cell] >= NUMBER || (numbers && isAligned(bytes, byte, window.start[line]))) {
            if (grid.codes[cell] < NUMBER) drawing.length--;
            into[drawing.length++] = CELL_MARK;
            into[drawing.length++] = MORE_MARK;
          } else into[drawing.length++] = CELL_MARK;
          cell++;
        } else into[drawing.length++] = bytes[byte];
      }
      into[drawing.length++] = LF;
    }
    return this.#drawing.text();
  }
}

/** Whether two spaces precede a byte, a separator and one of the cell, or one that starts the line. */
function isAligned(bytes: Uint8Array, byte: number, start: number): boolean {
  if (byte === start || bytes[byte - 1] !== SPACE) return false;
  return byte - 1 === start || bytes[byte - 2] === SPACE;
}
