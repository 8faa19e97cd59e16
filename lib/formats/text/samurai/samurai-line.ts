/**
 * Grids that overlap, all rows of their drawing on one line: 441 characters for a samurai, with anything but digits in
 * the gaps; see samurai.ts. Behind the puzzle, if anything, stands its label.
 */
import { type Geometry, placesOf } from '../../../sudoku/geometry/geometry.ts';
import { placesOf as cellPlaces, standsAt } from '../../cells/straight-cells.ts';
import { CELL_MARK, writeDrawn } from '../../writing/grid-drawing.ts';
import { NO, type TextFormat } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';
import { ALL_ROWS, isDigit, isPlace, type OverlappingRows } from './samurai-rows.ts';

const LF = 10;

export const samuraiLine: TextFormat = {
  name: 'samurai-line',
  leastBytes: 369,
  match(context, at) {
    const { window, sink } = context;
    const length = window.tokenEnd[at] - window.text[at];
    for (const rows of ALL_ROWS) {
      if (length !== rows.columns * rows.isCell.length || sink.book.sizeOfCells(length) !== undefined)
        continue;
      if (takeLike(context, at, rows.geometry)) return 1;
      if (!arePlaces(context, at)) continue;
      enterLine(context, at, rows);
      return 1;
    }
    return NO;
  },
  writer: { multiLine: false, write: writeDrawn },
};

/** Takes line `at` if nothing but its cells differs from the one before; whether it did. */
function takeLike(context: TextContext, at: number, geometry: Geometry): boolean {
  const { window, sink, linePlaces: places } = context;
  const from = window.text[at];
  const layout = sink.current?.layout;
  if (places === undefined || layout?.format !== 'samurai-line' || window.tokens[at] > 1) return false;
  if (window.tokenEnd[at] - from !== places.bytes || !standsAt(places, window.bytes, from)) return false;
  if (context.nextId !== undefined) return false;
  const line = window.number(at);
  const { format, arrangement } = layout;
  const place = { format, geometry, spaced: false, arrangement, line, lineEnd: line };
  return sink.straight(window.bytes, from, place, undefined, places);
}

function arePlaces({ window }: TextContext, at: number): boolean {
  const { bytes, text, tokenEnd } = window;
  for (let byte = text[at]; byte < tokenEnd[at]; byte++) if (!isPlace(bytes[byte])) return false;
  return true;
}

/** Enters the puzzle of line `at`, or the digit in a gap that makes it none. */
function enterLine(context: TextContext, at: number, { geometry, columns }: OverlappingRows): void {
  const { window, grid } = context;
  const { bytes, text, tokenEnd, end } = window;
  const { placeOf } = placesOf(geometry);
  const from = text[at];
  grid.clear();
  // Makes room for all places; the cells then move up over the gaps.
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
    const found = context.characterAt(from + gap);
    const expected = 'no digit, as no grid is there';
    const where = `row ${Math.floor(gap / columns) + 1}, column ${(gap % columns) + 1} of a ${geometry.variant}`;
    const problem = `found "${found}" in ${where}: expected ${expected}`;
    context.enterError(at, 1, {
      code: 'bad_character',
      line: at,
      offset: from + gap,
      found,
      expected,
      problem,
    });
    return;
  }
  const line = window.number(at);
  // Before the grid is entered, which may take the offsets.
  const places = cellPlaces(bytes, from, tokenEnd[at] - from, offset, grid.count);
  const arrangement = drawLine(context, from, tokenEnd[at] - from, placeOf);
  const place = { format: 'samurai-line', geometry, spaced: false, arrangement, line, lineEnd: line };
  const label = tokenEnd[at] === end[at] ? '' : window.string(tokenEnd[at], end[at]).trim();
  context.enterGrid(place, at, 1, label === '' ? undefined : { id: label });
  // A line with faults has left the drawing of the one before in the block: none may be taken for that one.
  const isEntered = context.sink.current?.layout.arrangement === arrangement;
  context.linePlaces = isEntered ? places : undefined;
}

/** The `length` bytes from `from`, the line's end behind them, with the cells replaced by marks. */
function drawLine(context: TextContext, from: number, length: number, placeOf: Int32Array): string {
  const { window, drawing } = context;
  drawing.length = 0;
  drawing.ensure(length + 1);
  const { bytes } = drawing;
  bytes.set(window.bytes.subarray(from, from + length));
  for (let cell = 0; cell < placeOf.length; cell++) bytes[placeOf[cell]] = CELL_MARK;
  bytes[length] = LF;
  drawing.length = length + 1;
  return context.drawingText();
}
