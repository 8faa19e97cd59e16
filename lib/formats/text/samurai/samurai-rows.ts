/** Rows of overlapping grids: how a line of such a puzzle is written, and which row it may be. */

import { type Geometry, placesOf } from '../../../sudoku/geometry/geometry.ts';
import { overlappingVariants } from '../../../sudoku/geometry/variants.ts';
import { DASH, NINE, ZERO } from '../../bytes/ascii.ts';
import { type GridBuffer, MINUS_ONE } from '../../cells/grid-buffer.ts';
import type { TextContext } from '../text-context.ts';

/** The rows of a geometry. */
export interface OverlappingRows {
  readonly geometry: Geometry;
  readonly columns: number;
  /** By row: whether a place is a cell. */
  readonly isCell: readonly (readonly boolean[])[];
  /** By row: how many cells it has. */
  readonly cells: readonly number[];
  /** Widths of rows, except the width of a row of a single grid. */
  readonly widths: readonly number[];
}

/** The rows of all geometries whose grids overlap. */
export const ALL_ROWS: readonly OverlappingRows[] = overlappingVariants().map((geometry) => {
  const { rows, columns, placeOf } = placesOf(geometry);
  const places = new Set(placeOf);
  const isCell = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => places.has(row * columns + column)),
  );
  const cells = isCell.map((row) => row.filter(Boolean).length);
  const widths = [...new Set([...cells, columns])].filter((width) => width !== geometry.size);
  return { geometry, columns, isCell, cells, widths };
});

/** Kinds of a row's characters: a place (a cell or a gap), or part of the drawing; no row has any other. */
const PLACE = 1;
const DRAWN = 2;
const characters = new Uint8Array(256);
for (const character of '0123456789.*_-?xX#~') characters[character.charCodeAt(0)] = PLACE;
for (const character of ' \t|!') characters[character.charCodeAt(0)] = DRAWN;

/** Longer lines are not rows. */
const MAX_ROW_BYTES = 256;

/** Whether a code may be in a cell or a gap. */
export function isPlace(code: number): boolean {
  return characters[code] === PLACE;
}

/** Appends the places of line `at` to `into`, which is empty; false if the line has anything else, or more than `max`. */
export function addPlaces(context: TextContext, at: number, into: GridBuffer, max = MAX_ROW_BYTES): boolean {
  const { bytes, text, end } = context.window;
  const last = end[at];
  if (last - text[at] > MAX_ROW_BYTES) return false;
  for (let byte = text[at]; byte < last; byte++) {
    const kind = characters[bytes[byte]];
    if (kind === DRAWN) continue;
    if (kind !== PLACE || into.count === max) return false;
    const minusOne = bytes[byte] === DASH && byte + 1 < last && bytes[byte + 1] === ZERO + 1;
    if (minusOne && isToken(context, at, byte, byte + 2)) into.add(MINUS_ONE, byte++);
    else into.add(bytes[byte], byte);
  }
  return true;
}

/** Whether white space or the end of the line is on both sides. */
function isToken({ window }: TextContext, at: number, from: number, to: number): boolean {
  const { bytes, text, end } = window;
  return (from === text[at] || bytes[from - 1] <= 32) && (to === end[at] || bytes[to] <= 32);
}

/** Whether line `at` has as many places as row `row`, and its gaps hold no digits. */
export function isRow(context: TextContext, at: number, rows: OverlappingRows, row: number): boolean {
  const { cells } = context;
  cells.clear();
  const { text, end } = context.window;
  // Any line of the file may be checked, and most are too short or too long.
  if (end[at] - text[at] < rows.cells[row] || !addPlaces(context, at, cells, rows.columns)) return false;
  if (cells.count === rows.cells[row]) return true;
  return (
    cells.count === rows.columns && rows.isCell[row].every((isCell, k) => isCell || !isDigit(cells.codes[k]))
  );
}

/** Whether a code is a digit from 1 to 9. */
export function isDigit(code: number): boolean {
  return code > ZERO && code <= NINE;
}

/** Whether line `at` has as many places as some row. */
export function mayBeRow(context: TextContext, at: number, rows: OverlappingRows): boolean {
  const { cells } = context;
  cells.clear();
  return (
    addPlaces(context, at, cells, rows.columns) &&
    (cells.count === rows.columns || rows.cells.includes(cells.count))
  );
}

/** Whether such rows are looked for: not if they are as wide as rows of a square, unless the user named the format. */
export function mayBeThere({ only, sink }: TextContext, { widths }: OverlappingRows): boolean {
  return only !== undefined || !widths.some((width) => sink.book.isSize(width));
}

/** Whether line `at` is the number of rows and columns alone. */
export function isSize(context: TextContext, at: number, { columns, isCell }: OverlappingRows): boolean {
  const { tokens, text, end } = context.window;
  if (tokens[at] !== 2 || end[at] - text[at] > MAX_ROW_BYTES) return false;
  return context.window.string(text[at], end[at]).split(/\s+/).join(' ') === `${isCell.length} ${columns}`;
}

/**
 * Whether enough rows of a square could be rows of overlapping grids, whose recogniser is tried first.
 *
 * @param widths by row: characters of the row; -1 counts as one
 * @param rows of the square
 * @param ends whether a blank line follows; otherwise the lines that follow could be rows too
 */
export function mayOverlap(widths: ArrayLike<number>, rows: number, ends: boolean): boolean {
  return ALL_ROWS.some(({ cells, columns }) => {
    if (widths[0] !== cells[0] && widths[0] !== columns) return false;
    const height = cells.length;
    let fitting = 0;
    for (let row = 0; row < rows && row < height; row++) {
      if (widths[row] === columns || widths[row] === cells[row]) fitting++;
    }
    // With less than two thirds of its rows it is not a samurai; see samurai.ts.
    const missing = Math.ceil((height * 2) / 3) - (ends ? 0 : Math.max(0, height - rows));
    return fitting === rows || fitting >= missing;
  });
}
