/**
 * Grids drawn with lines around their boxes, or with gaps where no grid is. A drawing is a text with a mark for every
 * cell, in order:
 *
 *     `CELL_MARK` for the cell's first character, `MORE_MARK` for each further one that it may take
 */
import { type CellPlaces, type Geometry, placesOf } from '../../sudoku/geometry/geometry.ts';
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import type { Layout } from '../records/layout.ts';

export const CELL_MARK = 1;
export const MORE_MARK = 2;

const SPACE = 32;

const drawings = new WeakMap<Layout, Uint8Array>();

/** Writes a grid into the drawing that its layout has as arrangement, or the usual one. */
export function writeDrawn(out: ByteBuffer, layout: Layout, cells: Uint8Array, offset: number): void {
  let drawing = drawings.get(layout);
  if (drawing === undefined) {
    drawing = new TextEncoder().encode(layout.arrangement ?? usualDrawing(layout));
    drawings.set(layout, drawing);
  }
  fillDrawing(out, drawing, layout, cells, offset);
}

/** Writes a grid with the usual lines, whatever its layout. */
export function writeUsualDrawing(out: ByteBuffer, layout: Layout, cells: Uint8Array, offset: number): void {
  let drawing = usual.get(layout);
  if (drawing === undefined) {
    drawing = new TextEncoder().encode(usualDrawing(layout));
    usual.set(layout, drawing);
  }
  fillDrawing(out, drawing, layout, cells, offset);
}

const usual = new WeakMap<Layout, Uint8Array>();

/** How the rows of a grid without lines are written. */
export interface RowStyle {
  /** What stands in a place that is no cell. */
  readonly gap: string;
  readonly between: string;
  /** What stands behind the last place of a row. */
  readonly after: string;
}

const unruled = new WeakMap<RowStyle, WeakMap<Geometry, Uint8Array>>();

/** Writes a grid row by row without lines, as its geometry places the cells. */
export function writeUnruled(
  out: ByteBuffer,
  layout: Layout,
  style: RowStyle,
  cells: Uint8Array,
  offset: number,
): void {
  let drawings = unruled.get(style);
  if (drawings === undefined) {
    drawings = new WeakMap();
    unruled.set(style, drawings);
  }
  let drawing = drawings.get(layout.geometry);
  if (drawing === undefined) {
    drawing = new TextEncoder().encode(unruledDrawing(placesOf(layout.geometry), style));
    drawings.set(layout.geometry, drawing);
  }
  fillDrawing(out, drawing, layout, cells, offset);
}

/** Spaces at the end of a row are left out, unless the style wants them. */
function unruledDrawing({ rows, columns, placeOf }: CellPlaces, { gap, between, after }: RowStyle): string {
  const marks = Array<string>(rows * columns).fill(gap);
  for (const place of placeOf) marks[place] = String.fromCharCode(CELL_MARK);
  let text = '';
  for (let at = 0; at < marks.length; at += columns) {
    text += `${marks
      .slice(at, at + columns)
      .join(between)
      .trimEnd()}${after}\n`;
  }
  return text;
}

function fillDrawing(
  out: ByteBuffer,
  drawing: Uint8Array,
  layout: Layout,
  cells: Uint8Array,
  offset: number,
): void {
  const { symbols } = layout.alphabet;
  out.ensure(drawing.length + layout.geometry.cellCount * 4);
  const { bytes } = out;
  let length = out.length;
  let cell = offset;
  for (let at = 0; at < drawing.length; at++) {
    if (drawing[at] !== CELL_MARK) {
      bytes[length++] = drawing[at];
      continue;
    }
    const symbol = symbols[cells[cell++]];
    let width = 1;
    while (drawing[at + 1] === MORE_MARK) {
      width++;
      at++;
    }
    for (let k = symbol.length; k < width; k++) bytes[length++] = SPACE;
    for (let k = 0; k < symbol.length; k++) bytes[length++] = symbol.charCodeAt(k);
  }
  out.length = length;
}

/** Cells parted by spaces, bars between boxes and a ruler between bands of boxes. */
function usualDrawing({ geometry, alphabet }: Layout): string {
  const width = Math.max(...alphabet.symbols.map((symbol) => symbol.length));
  const mark = String.fromCharCode(CELL_MARK) + String.fromCharCode(MORE_MARK).repeat(width - 1);
  const places = placesOf(geometry);
  const box = boxOf(geometry);
  const marks = Array<string>(places.rows * places.columns).fill(' '.repeat(width));
  for (const place of places.placeOf) marks[place] = mark;
  const boxes = places.columns / box.columns;
  const dashes = box.columns * (width + 1) - 1;
  const ruler = Array.from({ length: boxes }, (_, k) => {
    return '-'.repeat(dashes + (k === 0 ? 1 : 2) - (k === boxes - 1 ? 1 : 0));
  }).join('+');
  let text = '';
  for (let row = 0; row < places.rows; row++) {
    if (row > 0 && row % box.rows === 0) text += `${ruler}\n`;
    const groups = Array.from({ length: boxes }, (_, k) => {
      const from = row * places.columns + k * box.columns;
      return marks.slice(from, from + box.columns).join(' ');
    });
    text += `${groups.join(' | ').trimEnd()}\n`;
  }
  return text;
}

/** Where to draw lines; a grid without rectangular boxes has none inside. */
function boxOf({ size, boxRows, boxColumns }: Geometry): { rows: number; columns: number } {
  return boxRows === 0 ? { rows: size, columns: size } : { rows: boxRows, columns: boxColumns };
}
