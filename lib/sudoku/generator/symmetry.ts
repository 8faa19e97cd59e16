/**
 * Symmetries of a puzzle's givens: cells that are images of each other are all givens or all blank.
 *
 *     rotational      half a turn            horizontal     upper half and lower half
 *     rotational-90   a quarter turn         vertical       left half and right half
 *     diagonal        across r1c1 - r9c9     full           all of these
 *     antidiagonal    across r1c9 - r9c1     none           every cell by itself
 *
 * An orbit is a cell with all its images. Half a turn of a 4x4 has eight orbits of two cells:
 *
 *     a b c d
 *     e f g h
 *     h g f e
 *     d c b a
 */
import { type Geometry, placesOf } from '../geometry/geometry.ts';
import { cellName } from '../names.ts';

/** Maps a row and a column, from 0, to those of the image; `last` is the last row and column of the square. */
type Turn = (row: number, column: number, last: number) => readonly [row: number, column: number];

const halfTurn: Turn = (row, column, last) => [last - row, last - column];
const quarterTurn: Turn = (row, column, last) => [column, last - row];
const flipRows: Turn = (row, column, last) => [last - row, column];
const flipColumns: Turn = (row, column, last) => [row, last - column];
const transpose: Turn = (row, column) => [column, row];
const antitranspose: Turn = (row, column, last) => [last - column, last - row];

/** By symmetry: turns whose combinations in any order give all images of a cell. */
const TURNS = {
  none: [],
  rotational: [halfTurn],
  'rotational-90': [quarterTurn],
  horizontal: [flipRows],
  vertical: [flipColumns],
  diagonal: [transpose],
  antidiagonal: [antitranspose],
  full: [quarterTurn, flipRows],
} as const satisfies Record<string, readonly Turn[]>;

export type SymmetryName = keyof typeof TURNS;

export const SYMMETRY_NAMES = Object.keys(TURNS) as [SymmetryName, ...SymmetryName[]];

/**
 * Returns the orbits of the cells: each ascending, in the order of their first cells. Orbits
 * have 1, 2, 4 or 8 cells.
 *
 * @throws RangeError if the geometry is not drawn as a square, or the image of a cell is not a cell
 */
export function orbitsOf(geometry: Geometry, symmetry: SymmetryName): readonly Int32Array[] {
  const { rows, columns, placeOf } = placesOf(geometry);
  if (symmetry !== 'none' && rows !== columns) {
    throw new RangeError(`symmetry ${symmetry} needs a square: the puzzle has ${rows} rows of ${columns}`);
  }
  const cellAt = new Map(Array.from(placeOf, (place, cell) => [place, cell]));
  const found = new Set<number>();
  const orbits: Int32Array[] = [];
  for (let first = 0; first < geometry.cellCount; first++) {
    if (found.has(first)) continue;
    const orbit = [first];
    for (const cell of orbit) {
      found.add(cell);
      for (const turn of TURNS[symmetry] as readonly Turn[]) {
        const place = placeOf[cell];
        const [row, column] = turn(Math.floor(place / columns), place % columns, rows - 1);
        const image = cellAt.get(row * columns + column);
        if (image === undefined) {
          throw new RangeError(
            `symmetry ${symmetry}: the image of ${cellName(geometry, cell)} is not a cell`,
          );
        }
        if (!orbit.includes(image)) orbit.push(image);
      }
    }
    orbits.push(Int32Array.from(orbit).sort());
  }
  return orbits;
}
