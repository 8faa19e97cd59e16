/**
 * Overlapping grids, all rows of their drawing on one line: 441 characters for a samurai, with anything but digits in
 * the gaps; see samurai.ts. A label may follow the puzzle.
 */

import { placesOf } from '../../../sudoku/geometry/geometry.ts';
import { LF } from '../../bytes/ascii.ts';
import { CELL_MARK, writeDrawn } from '../../writing/grid-drawing.ts';
import { DrawingText } from '../drawings/drawing-text.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';
import { ALL_ROWS, gapFault, isDigit, isPlace, type OverlappingRows } from './samurai-rows.ts';

export class SamuraiLine implements Recogniser {
  readonly name = 'samurai-line';
  readonly minBytes = 369;
  readonly writer = { multiLine: false, write: writeDrawn };
  readonly #drawing = new DrawingText();

  match(context: TextContext, at: number): number {
    const { window, sink } = context;
    const length = window.tokenEnd[at] - window.text[at];
    for (const rows of ALL_ROWS) {
      if (length !== rows.columns * rows.isCell.length || sink.book.sizeOfCells(length) !== undefined)
        continue;
      if (!arePlaces(context, at)) continue;
      this.#enterLine(context, at, rows);
      return 1;
    }
    return NO;
  }

  /** Enters the puzzle of line `at`, or an error if a gap has a digit. */
  #enterLine(context: TextContext, at: number, rows: OverlappingRows): void {
    const { geometry } = rows;
    const { window, grid } = context;
    const { bytes, text, tokenEnd, end } = window;
    const { placeOf } = placesOf(geometry);
    const from = text[at];
    grid.clear();
    // Adds all places; the cells then move up over the gaps.
    grid.addBytes(bytes, from, tokenEnd[at]);
    const { codes, offset } = grid;
    let gap = -1;
    for (let cell = 0, next = 0; cell < placeOf.length; cell++, next++) {
      const place = placeOf[cell];
      for (; next < place; next++) if (isDigit(codes[next])) gap = next;
      codes[cell] = codes[place];
      offset[cell] = from + place;
    }
    grid.count = placeOf.length;
    if (gap >= 0) {
      const row = Math.floor(gap / rows.columns);
      context.enterError(at, 1, gapFault(context, rows, row, gap % rows.columns, from + gap));
      return;
    }
    const arrangement = this.#draw(context, from, tokenEnd[at] - from, placeOf);
    const label = tokenEnd[at] === end[at] ? '' : window.string(tokenEnd[at], end[at]).trim();
    const form = { format: 'samurai-line', geometry, arrangement };
    context.enterGrid(form, at, 1, label === '' ? undefined : { id: label });
  }

  /** The `length` bytes from `from` and a line end, with the cells replaced by marks. */
  #draw(context: TextContext, from: number, length: number, placeOf: Int32Array): string {
    const drawing = this.#drawing.buffer;
    drawing.length = 0;
    drawing.ensure(length + 1);
    const { bytes } = drawing;
    bytes.set(context.window.bytes.subarray(from, from + length));
    for (let cell = 0; cell < placeOf.length; cell++) bytes[placeOf[cell]] = CELL_MARK;
    bytes[length] = LF;
    drawing.length = length + 1;
    return this.#drawing.text();
  }
}

function arePlaces({ window }: TextContext, at: number): boolean {
  const { bytes, text, tokenEnd } = window;
  for (let byte = text[at]; byte < tokenEnd[at]; byte++) if (!isPlace(bytes[byte])) return false;
  return true;
}
