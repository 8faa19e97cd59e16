/**
 * Overlapping ordinary grids of one size: a shared cell is in the units of both grids.
 *
 *     samurai: five 9x9 on 21x21, 369 cells      corners of the grids, row and column
 *
 *         A A A . B B B                           A top left       0, 0
 *         A A A . B B B                           B top right      0, 12
 *         A A * E * B B                           C bottom left   12, 0
 *         . . E E E . .                           D bottom right  12, 12
 *         C C * E * D D                           E centre         6, 6
 *         C C C . D D D
 *         C C C . D D D       (a letter is a box, * a box of two grids)
 *
 * Cells are numbered along the rows of the whole drawing; places in no grid are not cells. A box that two grids share
 * is one unit, named after the first of them; so a samurai has 45 rows, 45 columns and 41 boxes.
 */
import { type Geometry, standardGeometry, type Unit } from './geometry.ts';

/** One of the grids: its name for messages, and the row and column of its upper left cell, from 0. */
export interface GridCorner {
  readonly name: string;
  readonly row: number;
  readonly column: number;
}

/**
 * Returns the geometry of overlapping grids of `size`, with boxes of the usual shape.
 *
 * @throws RangeError if the size has no usual box
 */
export function overlappingGeometry(variant: string, size: number, corners: readonly GridCorner[]): Geometry {
  const grid = standardGeometry(size);
  const rows = Math.max(...corners.map(({ row }) => row)) + size;
  const columns = Math.max(...corners.map(({ column }) => column)) + size;
  const placeIn = ({ row, column }: GridCorner, cell: number) =>
    (row + Math.floor(cell / size)) * columns + column + (cell % size);
  const covered = corners.flatMap((corner) =>
    Array.from({ length: size * size }, (_, k) => placeIn(corner, k)),
  );
  const placeOf = Int32Array.from(new Set(covered)).sort();
  const cellAt = new Map(Array.from(placeOf, (place, cell) => [place, cell]));
  const units = new Map<string, Unit>();
  // All rows of all grids first, then all columns, then all boxes.
  for (let from = 0; from < grid.units.length; from += size) {
    for (const corner of corners) {
      for (const { kind, ordinal, cells } of grid.units.slice(from, from + size)) {
        const ours = cells.map((cell) => cellAt.get(placeIn(corner, cell))!);
        const key = ours.join();
        if (!units.has(key)) units.set(key, { kind, ordinal, grid: corner.name, cells: ours });
      }
    }
  }
  const { boxRows, boxColumns } = grid;
  return {
    size,
    boxRows,
    boxColumns,
    variant,
    cellCount: placeOf.length,
    places: { rows, columns, placeOf },
    units: [...units.values()],
  };
}
