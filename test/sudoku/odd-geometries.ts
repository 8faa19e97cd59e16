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
