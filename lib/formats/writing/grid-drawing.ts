/**
 * Draws grids with lines around their boxes, or with gaps between overlapping grids. A drawing is a text with marks for
 * every cell, in order:
 *
 *     `CELL_MARK` for the cell's first character, `MORE_MARK` for each further character
 */

import { type CellPlaces, type Geometry, placesOf } from '../../sudoku/geometry/geometry.ts';
import { SPACE } from '../bytes/ascii.ts';
import { ByteBuffer } from '../bytes/byte-buffer.ts';
import type { Layout } from '../records/layout.ts';

export const CELL_MARK = 1;
export const MORE_MARK = 2;

/** Writes a grid with the drawing in its layout's arrangement, or with the usual one. */
export function writeDrawn(out: ByteBuffer, layout: Layout, cells: Uint8Array, offset: number): void {
  fillDrawing(out, cachedDrawing(arranged, layout, arrangedDrawing), layout, cells, offset);
}

/** Writes a grid with the usual lines, independent of its layout. */
export function writeUsualDrawing(out: ByteBuffer, layout: Layout, cells: Uint8Array, offset: number): void {
  fillDrawing(out, cachedDrawing(usual, layout, usualDrawing), layout, cells, offset);
}

/** A puzzle with the usual lines, and dots for blanks. */
export function puzzleDrawing(layout: Layout, cells: Uint8Array, offset: number): string {
  const symbols = ['.', ...layout.alphabet.symbols.slice(1)];
  const out = new ByteBuffer();
  writeUsualDrawing(out, { ...layout, alphabet: { ...layout.alphabet, symbols } }, cells, offset);
  return new TextDecoder().decode(out.take());
}

const arranged = new WeakMap<Layout, Uint8Array>();
const usual = new WeakMap<Layout, Uint8Array>();

function cachedDrawing(
  cache: WeakMap<Layout, Uint8Array>,
  layout: Layout,
  draw: (layout: Layout) => string,
): Uint8Array {
  let drawing = cache.get(layout);
  if (drawing === undefined) {
    drawing = new TextEncoder().encode(draw(layout));
    cache.set(layout, drawing);
  }
  return drawing;
}

function arrangedDrawing(layout: Layout): string {
  return layout.arrangement ?? usualDrawing(layout);
}

/** Style of the rows of a grid without lines. */
export interface RowStyle {
  /** Text of a place without a cell. */
  readonly gap: string;
  readonly between: string;
  /** Text after the last place of a row. */
  readonly after: string;
}

const unruled = new WeakMap<RowStyle, WeakMap<Geometry, Uint8Array>>();

/** Writes a grid row by row without lines, with cells at the places of its geometry. */
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

/** Trims spaces at the end of a row before it appends `after`. */
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

/** Spaces between cells, bars between boxes, and a ruler between bands of boxes. */
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

/** The box to draw lines around: the whole grid if it has no rectangular boxes. */
function boxOf({ size, boxRows, boxColumns }: Geometry): { rows: number; columns: number } {
  return boxRows === 0 ? { rows: size, columns: size } : { rows: boxRows, columns: boxColumns };
}
