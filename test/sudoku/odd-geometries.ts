/** Geometries that no variant has, made from units alone. */
import type { Geometry, Unit } from '../../lib/sudoku/geometry/geometry.ts';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';

/** Rows and columns, no boxes. */
export function latinGeometry(size: number): Geometry {
  const { units } = standardGeometry(size, 1, size);
  return {
    size,
    boxRows: 0,
    boxColumns: 0,
    variant: 'latin',
    cellCount: size * size,
    units: units.filter(({ kind }) => kind !== 'box'),
  };
}

/** A 9x9 whose two diagonals also have each digit once. */
export function diagonalGeometry(): Geometry {
  const { units, ...rest } = standardGeometry(9);
  const diagonal = (ordinal: number, cellAt: (k: number) => number): Unit => ({
    kind: 'diagonal',
    ordinal,
    cells: Int32Array.from({ length: 9 }, (_, k) => cellAt(k)),
  });
  return {
    ...rest,
    variant: 'x',
    units: [...units, diagonal(1, (k) => k * 10), diagonal(2, (k) => 8 + k * 8)],
  };
}

/** Two 2x2 Latin squares that share nothing, on a line of five cells with a gap: cells 0 1 _ 3 4. */
export function gappedGeometry(): Geometry {
  const pair = (ordinal: number, ...cells: number[]): Unit => ({
    kind: 'region',
    ordinal,
    cells: Int32Array.from(cells),
  });
  return {
    size: 2,
    boxRows: 0,
    boxColumns: 0,
    variant: 'gapped',
    cellCount: 5,
    units: [pair(1, 0, 1), pair(2, 3, 4), pair(3, 0, 3), pair(4, 1, 4)],
  };
}
