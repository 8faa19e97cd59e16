/**
 * Overlapping grids, all rows of their drawing on one line: 441 characters for a samurai, with anything but digits in
 * the gaps; see samurai.ts. A label may follow the puzzle.
 */

import { writeDrawn } from '../../writing/grid-drawing.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';
import { ALL_ROWS, gapFault, isDigit, isPlace, type OverlappingRows } from './samurai-rows.ts';

export const samuraiLine: Recogniser = {
  name: 'samurai-line',
  minBytes: 369,
  writer: { multiLine: false, write: writeDrawn },
  match(context, at) {
    const { bytes, text, tokenEnd } = context.window;
    const length = tokenEnd[at] - text[at];
    for (const rows of ALL_ROWS) {
      if (length !== rows.places.length || context.sink.book.sizeOfCells(length) !== undefined) continue;
      let byte = text[at];
      while (byte < tokenEnd[at] && isPlace(bytes[byte])) byte++;
      if (byte === tokenEnd[at]) return enterLine(context, at, rows);
    }
    return NO;
  },
};

/** Enters the puzzle of line `at`, or an error if a gap has a digit. */
function enterLine(context: TextContext, at: number, rows: OverlappingRows): number {
  const { window, grid, drawings } = context;
  const { bytes, tokenEnd, end } = window;
  const from = window.text[at];
  const { columns, geometry, places } = rows;
  let gap = -1;
  grid.clear();
  drawings.begin();
  drawings.line(window, from, tokenEnd[at]);
  for (let place = 0; place < places.length; ) {
    const first = place;
    while (places[place]) place++;
    if (place > first) {
      grid.addBytes(bytes, from + first, from + place);
      drawings.cells(from + first, from + place);
    } else if (isDigit(bytes[from + place++])) gap = first;
  }
  drawings.endLine();
  if (gap >= 0) {
    const row = Math.floor(gap / columns);
    return context.enterError(at, 1, gapFault(context, rows, row, gap % columns, from + gap));
  }
  const label = window.string(tokenEnd[at], end[at]).trim();
  const form = { format: 'samurai-line', geometry, arrangement: drawings.text() };
  context.enterGrid(form, at, 1, label === '' ? undefined : { id: label });
  return 1;
}
