/**
 * Draws grids: a drawing is a text with marks for every cell, in order. It is made once for a layout, by a format that has
 * seen one in the file, or in one of the usual styles.
 *
 *     `CELL_MARK` for the cell's first character, `MORE_MARK` for each further character
 *
 *     line     534678912672...        tokens   5 3 4 6 ...        ruled   5 3 4 | 6 7 8 | 9 1 2
 *     rows     534678912                       6 7 2 1 ...                ------+-------+------
 */

import { type Geometry, placesOf } from '../../sudoku/geometry/geometry.ts';
import { SPACE } from '../bytes/ascii.ts';
import { ByteBuffer } from '../bytes/byte-buffer.ts';
import { kept } from '../bytes/kept.ts';
import type { Alphabet, Layout } from '../records/layout.ts';

export const CELL_MARK = 1;
export const MORE_MARK = 2;

/** Writes the values of a grid, from an offset on. */
export type WriteGrid = (out: ByteBuffer, layout: Layout, cells: Uint8Array, offset: number) => void;

/** With the drawing in its layout's arrangement, or with the usual one. */
export const writeDrawn = drawnAs(ownDrawing);
/** The same, if it is one line. */
export const writeDrawnLine = drawnAs(ownDrawing);
/** With the usual lines, independent of its layout. */
export const writeUsualDrawing = drawnAs(usualDrawing);
/** One line per row without separators; gaps between overlapping grids are spaces. */
export const writeRows = drawnAs((layout) => drawing(layout, ' ', ''));
/** One line per row with single spaces between symbols; gaps between overlapping grids are dots. */
export const writeTokens = drawnAs((layout) => drawing(layout, '.', ' '));
/** `writeTokens` with a space after every symbol, also the last one of a line. */
export const writeTerminatedTokens = drawnAs((layout) => drawing(layout, '.', ' ', ' '));
/** The whole grid on one line. */
export const writeLine = drawnAs((layout) => `${lineDrawing(layout)}\n`);

/** Some cells without separators, all of them by default, or with single spaces if a symbol has several digits. */
export function lineDrawing({ geometry, alphabet }: Layout, count = geometry.cellCount): string {
  return Array(count)
    .fill(String.fromCharCode(CELL_MARK))
    .join(alphabet.singleCharacter ? '' : ' ');
}

/** A puzzle with the usual lines, and dots for blanks. */
export function puzzleDrawing(layout: Layout, cells: Uint8Array, offset: number): string {
  const symbols = ['.', ...layout.alphabet.symbols.slice(1)];
  const out = new ByteBuffer();
  writeUsualDrawing(out, { ...layout, alphabet: { ...layout.alphabet, symbols } }, cells, offset);
  return new TextDecoder().decode(out.take());
}

const encoder = new TextEncoder();
/** The bytes of each digit's symbol; a space for a blank. */
const symbolBytes = new WeakMap<Alphabet, readonly Uint8Array[]>();

/** @param draw the drawing of a layout, which is kept */
export function drawnAs(draw: (layout: Layout) => string): WriteGrid {
  const drawings = new WeakMap<Layout, Uint8Array>();
  return (out, layout, cells, offset) => {
    const { alphabet, geometry } = layout;
    const drawing = kept(drawings, layout, () => encoder.encode(draw(layout)));
    const symbols = kept(symbolBytes, alphabet, () =>
      alphabet.symbols.map((symbol) => encoder.encode(symbol || ' ')),
    );
    out.ensure(drawing.length + geometry.cellCount * 4);
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
      for (let k = 0; k < symbol.length; k++) bytes[length++] = symbol[k];
    }
    out.length = length;
  };
}

/**
 * Rows with cells at the places of the geometry; a row ends with its last symbol and `after`.
 *
 * @param hasLines whether bars are between boxes, and a ruler between bands of boxes
 */
function drawing(
  { geometry, alphabet }: Layout,
  gap: string,
  between: string,
  after = '',
  hasLines = false,
): string {
  const { rows, columns, placeOf } = placesOf(geometry);
  const width = hasLines ? Math.max(...alphabet.symbols.map((symbol) => symbol.length)) : 1;
  // Adjacent numbers of several digits would be one.
  const separator = alphabet.singleCharacter ? between : ' ';
  const mark = String.fromCharCode(CELL_MARK) + String.fromCharCode(MORE_MARK).repeat(width - 1);
  const marks = Array<string>(rows * columns).fill(gap.repeat(width));
  for (const place of placeOf) marks[place] = mark;
  const box = hasLines ? boxOf(geometry) : { rows, columns };
  const groups = Array.from({ length: columns / box.columns }, (_, k) => k * box.columns);
  const dashes = '-'.repeat(box.columns * (width + 1) + 1);
  // Nothing is left of the first box, nor right of the last one.
  const ruler = groups
    .map(() => dashes)
    .join('+')
    .slice(1, -1);
  let text = '';
  for (let row = 0; row < rows; row++) {
    if (row > 0 && row % box.rows === 0) text += `${ruler}\n`;
    const line = groups.map((group) => {
      const from = row * columns + group;
      return marks.slice(from, from + box.columns).join(separator);
    });
    text += `${line.join(' | ').trimEnd()}${after}\n`;
  }
  return text;
}

function ownDrawing(layout: Layout): string {
  return layout.arrangement ?? usualDrawing(layout);
}

/** Spaces between cells, and lines around boxes. */
function usualDrawing(layout: Layout): string {
  return drawing(layout, ' ', ' ', '', true);
}

/** The box to draw lines around: the whole grid if it has no rectangular boxes. */
function boxOf({ size, boxRows, boxColumns }: Geometry): { rows: number; columns: number } {
  return boxRows === 0 ? { rows: size, columns: size } : { rows: boxRows, columns: boxColumns };
}
