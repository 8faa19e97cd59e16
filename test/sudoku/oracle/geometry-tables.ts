/**
 * A geometry as flat arrays, for inner loops.
 *
 *     unitsOf[unitStart[cell] .. unitStart[cell + 1]]     the units of a cell
 *     unitCells[unit * size .. (unit + 1) * size]         the cells of a unit
 *     usedCells                                           cells that are in some unit, ascending
 */
import { type Geometry, unitsByCell } from '../../../lib/sudoku/geometry/geometry.ts';

export interface UnitTables {
  readonly unitStart: Int32Array;
  readonly unitsOf: Int32Array;
  readonly unitCells: Int32Array;
  readonly usedCells: Int32Array;
}

/** Builds the tables of units and cells. They are not cached; each engine builds them once. */
export function unitTables(geometry: Geometry): UnitTables {
  const lists = unitsByCell(geometry);
  return {
    unitStart: startsOf(lists),
    unitsOf: Int32Array.from(lists.flat()),
    unitCells: Int32Array.from(geometry.units.flatMap(({ cells }) => Array.from(cells))),
    usedCells: Int32Array.from(lists.flatMap((list, cell) => (list.length === 0 ? [] : [cell]))),
  };
}

/** Returns the start of each list in their concatenation, and the end of the last one. */
function startsOf(lists: readonly (readonly number[])[]): Int32Array {
  const start = new Int32Array(lists.length + 1);
  for (const [index, list] of lists.entries()) start[index + 1] = start[index] + list.length;
  return start;
}

/** Returns a word with its lowest `count` bits set; `count` is 1 to 32, or more for all bits. */
export function lowestBits(count: number): number {
  // Not (1 << count) - 1: for 31 the result is not a 32-bit integer, so it equals no mask.
  return count >= 32 ? -1 : -1 >>> (32 - count);
}
