/** Rows of overlapping grids: how a line of such a puzzle is written, and which row it may be. */

import { type Geometry, placesOf } from '../../../sudoku/geometry/geometry.ts';
import { overlappingVariants } from '../../../sudoku/geometry/variants.ts';
import { DASH, NINE, ONE, TILDE, ZERO } from '../../bytes/ascii.ts';
import { BARS, BLANKS, DIGIT, DRAWN, KINDS, LETTER, SPACES, TABULATOR } from '../../bytes/byte-kinds.ts';
import type { LineWindow } from '../../bytes/line-window.ts';
import { type GridBuffer, MINUS_ONE } from '../../cells/grid-buffer.ts';

/** The rows of a geometry. */
export interface OverlappingRows {
  readonly geometry: Geometry;
  readonly columns: number;
  /** Whether a place is a cell, row by row, and by row. */
  readonly places: readonly boolean[];
  readonly isCell: readonly (readonly boolean[])[];
  /** By row: how many cells it has. */
  readonly cells: readonly number[];
  /** Widths of rows, except the width of a row of a single grid. */
  readonly widths: readonly number[];
}

/** The rows of all geometries whose grids overlap. */
export const ALL_ROWS: readonly OverlappingRows[] = overlappingVariants().map((geometry) => {
  const { rows, columns, placeOf } = placesOf(geometry);
  const cellPlaces = new Set(placeOf);
  const places = Array.from({ length: rows * columns }, (_, place) => cellPlaces.has(place));
  const isCell = Array.from({ length: rows }, (_, row) => places.slice(row * columns, (row + 1) * columns));
  const cells = isCell.map((row) => row.filter(Boolean).length);
  const widths = [...new Set([...cells, columns])].filter((width) => width !== geometry.size);
  return { geometry, columns, places, isCell, cells, widths };
});

/** The kinds of characters in places (cells or gaps), and of those that are drawn; `x` alone of the letters is a place. */
const PLACES = DIGIT | BLANKS;
const DRAWN_KINDS = SPACES | TABULATOR | BARS;
/** No row has any other. */
export const ROW_KINDS = PLACES | LETTER | DRAWN | DRAWN_KINDS;

/** Longer lines are not rows. */
const MAX_ROW_BYTES = 256;

/** Whether a code may be in a cell or a gap. */
export function isPlace(code: number): boolean {
  return (KINDS[code] & PLACES) !== 0 || code === TILDE || (code | 32) === LETTER_X;
}

const LETTER_X = 120;

/** Appends the places of line `at` to `into`; false if the line has anything else, or more than `max`. */
export function addPlaces(
  { bytes, text, end, kinds }: LineWindow,
  at: number,
  into: GridBuffer,
  max = MAX_ROW_BYTES,
): boolean {
  const [first, last] = [text[at], end[at]];
  const most = into.count + max;
  if (last - first > MAX_ROW_BYTES || kinds[at] & ~ROW_KINDS) return false;
  for (let byte = first; byte < last; byte++) {
    if (KINDS[bytes[byte]] & DRAWN_KINDS) continue;
    if (!isPlace(bytes[byte]) || into.count === most) return false;
    // A token -1 is one place.
    const isMinusOne =
      bytes[byte] === DASH &&
      bytes[byte + 1] === ONE &&
      byte + 1 < last &&
      (byte === first || bytes[byte - 1] <= 32) &&
      (byte + 2 === last || bytes[byte + 2] <= 32);
    if (isMinusOne) into.add(MINUS_ONE, byte++);
    else into.add(bytes[byte], byte);
  }
  return true;
}

/** Whether a code is a digit from 1 to 9. */
export function isDigit(code: number): boolean {
  return code > ZERO && code <= NINE;
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
    // With less than two thirds of its rows it is not a samurai; see `row-grids.ts`.
    const missing = Math.ceil((height * 2) / 3) - (ends ? 0 : Math.max(0, height - rows));
    return fitting === rows || fitting >= missing;
  });
}
