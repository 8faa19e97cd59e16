/**
 * Grids drawn with lines around their boxes. A drawing is a text with a mark for every cell, in order:
 *
 *     `CELL_MARK` for the cell's first character, `MORE_MARK` for each further one that it may take
 */

import type { Geometry } from '../sudoku/geometry.ts';
import type { ByteBuffer } from './byte-buffer.ts';
import type { Layout } from './layout.ts';

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
  const { size } = geometry;
  const { rows, columns } = boxOf(geometry);
  const boxes = size / columns;
  const row = Array(boxes).fill(Array(columns).fill(mark).join(' ')).join(' | ');
  const dashes = columns * (width + 1) - 1;
  const ruler = Array.from({ length: boxes }, (_, box) => {
    return '-'.repeat(dashes + (box === 0 ? 1 : 2) - (box === boxes - 1 ? 1 : 0));
  }).join('+');
  let text = '';
  for (let line = 0; line < size; line++) {
    if (line > 0 && line % rows === 0) text += `${ruler}\n`;
    text += `${row}\n`;
  }
  return text;
}

/** Where to draw lines; a grid without rectangular boxes has none inside. */
function boxOf({ size, boxRows, boxColumns }: Geometry): { rows: number; columns: number } {
  return boxRows === 0 ? { rows: size, columns: size } : { rows: boxRows, columns: boxColumns };
}
