/** Human-readable names of cells and units, counted from 1. */
import { type Geometry, placesOf, type Unit } from './geometry/geometry.ts';

/** Names a cell by its row and column in the drawing: `r1c5`; of a samurai up to `r21c21`. */
export function cellName(geometry: Geometry, cell: number): string {
  const { columns, placeOf } = placesOf(geometry);
  const place = placeOf[cell];
  return `r${Math.floor(place / columns) + 1}c${(place % columns) + 1}`;
}

/** Names a unit: `row 1`; in overlapping grids `row 1 of the top left grid`. */
export function unitName({ kind, ordinal, grid }: Unit): string {
  return grid === undefined ? `${kind} ${ordinal}` : `${kind} ${ordinal} of the ${grid} grid`;
}
