/** Geometries other than rows, columns and boxes, built from units, not from the names of variants. */

import { type Geometry, standardGeometry, type Unit } from '../../lib/sudoku/geometry/geometry.ts';
import { overlappingGeometry } from '../../lib/sudoku/geometry/overlapping.ts';
import { diagonalGeometry, latinGeometry } from './odd-geometries.ts';

const nine = standardGeometry(9);

/** 9x9 without boxes. */
export const latin9: Geometry = latinGeometry(9);

/** 9x9 with both diagonals. */
export const diagonal9: Geometry = diagonalGeometry();

/** 9x9 with four more boxes, one row and one column from the edge. */
export const windoku9: Geometry = {
  ...nine,
  variant: 'windoku',
  units: [
    ...nine.units,
    ...[10, 14, 46, 50].map((corner, index) =>
      unit('window', index + 1, (k) => corner + Math.floor(k / 3) * 9 + (k % 3)),
    ),
  ],
};

/** 6x6 with regions of several shapes; AABBBB and so on, from the top. */
export const jigsaw6: Geometry = {
  ...standardGeometry(6),
  boxRows: 0,
  boxColumns: 0,
  variant: 'jigsaw',
  units: [
    ...standardGeometry(6).units.slice(0, 12),
    ...regions('AABBBB' + 'AACCBB' + 'ACCDDE' + 'ACCDDE' + 'FFFDEE' + 'FFFDEE'),
  ],
};

/**
 * Two 4x4 grids that share a 2x2 corner:
 *
 *     a a a a
 *     a a a a
 *     a a s s b b
 *     a a s s b b
 *         b b b b
 *         b b b b
 */
export const overlapping4: Geometry = overlappingGeometry('overlapping', 4, [
  { name: 'upper', row: 0, column: 0 },
  { name: 'lower', row: 2, column: 2 },
]);

function unit(kind: Unit['kind'], ordinal: number, cellAt: (k: number) => number): Unit {
  return { kind, ordinal, cells: Int32Array.from({ length: 9 }, (_, k) => cellAt(k)).sort() };
}

function regions(map: string): Unit[] {
  return [...new Set(map)].map((letter, index) => ({
    kind: 'region',
    ordinal: index + 1,
    cells: Int32Array.from([...map].flatMap((found, cell) => (found === letter ? [cell] : []))),
  }));
}
