/**
 * Geometries of variants that are only other units.
 *
 * A jigsaw has regions of any shape where an ordinary sudoku has boxes:
 *
 *     regions   1 1 1 2        units   4 rows, 4 columns, and for each region
 *               1 2 2 2                the cells that carry its number
 *               3 3 4 4
 *               3 3 4 4
 */
import { type Geometry, standardGeometry, type Unit } from './geometry.ts';

/** Geometries of jigsaws by their regions; a file rarely has more than a few maps, but may have one a puzzle. */
const cache = new Map<string, Geometry>();
const MAX_CACHED = 1000;

/**
 * A jigsaw: rows, columns, and regions instead of boxes. The same regions give the same object.
 *
 * @param regions for each cell the number of its region, `size * size` of them, each of 1 to `size` occurring `size` times
 * @throws RangeError where the numbers are no such map
 */
export function jigsawGeometry(regions: Uint8Array): Geometry {
  const key = regions.join();
  const known = cache.get(key);
  if (known !== undefined) return known;
  const size = Math.sqrt(regions.length);
  const cells = Array.from({ length: size }, (): number[] => []);
  for (const [cell, region] of regions.entries()) {
    const list = cells[region - 1];
    if (list === undefined)
      throw new RangeError(`region ${region} of cell ${cell} is not one of 1 to ${size}`);
    list.push(cell);
  }
  const units = cells.map((list, index): Unit => {
    if (list.length !== size) {
      throw new RangeError(`region ${index + 1} has ${list.length} cells, and ${size} are expected`);
    }
    return { kind: 'region', ordinal: index + 1, cells: Int32Array.from(list) };
  });
  const lines = standardGeometry(size, 1, size).units.slice(0, 2 * size);
  const geometry: Geometry = {
    size,
    boxRows: 0,
    boxColumns: 0,
    variant: 'jigsaw',
    cellCount: regions.length,
    units: [...lines, ...units],
  };
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, geometry);
  return geometry;
}
