/**
 * Overlapping grids, all rows of their drawing on one line: 441 characters for a samurai, with anything but digits in
 * the gaps; see samurai.ts. A label may follow the puzzle.
 */

import { placesOf } from '../../../sudoku/geometry/geometry.ts';
import { writeDrawn } from '../../writing/grid-drawing.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';
import { ALL_ROWS, gapFault, isDigit, isPlace, type OverlappingRows } from './samurai-rows.ts';

export const samuraiLine: Recogniser = {
  name: 'samurai-line',
  minBytes: 369,
  writer: { multiLine: false, write: writeDrawn },
  match(context, at) {
    const { window, sink } = context;
    const length = window.tokenEnd[at] - window.text[at];
    for (const rows of ALL_ROWS) {
      if (length !== rows.columns * rows.isCell.length || sink.book.sizeOfCells(length) !== undefined)
        continue;
      if (!arePlaces(context, at)) continue;
      enterLine(context, at, rows);
      return 1;
    }
    return NO;
  },
};

/** Enters the puzzle of line `at`, or an error if a gap has a digit. */
function enterLine(context: TextContext, at: number, rows: OverlappingRows): void {
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
  const { drawings } = context;
  drawings.begin();
  drawings.line(window, from, tokenEnd[at]);
  for (const place of placeOf) drawings.cell(from + place, from + place + 1);
  drawings.endLine();
  const arrangement = drawings.text();
  const label = tokenEnd[at] === end[at] ? '' : window.string(tokenEnd[at], end[at]).trim();
  const form = { format: 'samurai-line', geometry, arrangement };
  context.enterGrid(form, at, 1, label === '' ? undefined : { id: label });
}

function arePlaces({ window }: TextContext, at: number): boolean {
  const { bytes, text, tokenEnd } = window;
  for (let byte = text[at]; byte < tokenEnd[at]; byte++) if (!isPlace(bytes[byte])) return false;
  return true;
}
