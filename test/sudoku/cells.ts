/** Grids in tests: as text, one character for each cell, `.` or `0` for a blank, spaces ignored; or a few givens. */
import type { Geometry } from '../../lib/sudoku/geometry/geometry.ts';

/** Parses `'5.. .3.'` to cell values; letters follow 9 (`A` is 10). */
export function cellsOf(text: string): Uint8Array {
  return Uint8Array.from(text.replaceAll(/\s/g, ''), (symbol) =>
    symbol === '.' ? 0 : Number.parseInt(symbol, 36),
  );
}

/** Returns cell values as text, the inverse of `cellsOf`. */
export function textOf(cells: Uint8Array): string {
  return Array.from(cells, (value) => (value === 0 ? '.' : value.toString(36).toUpperCase())).join('');
}

/** Returns a grid with these givens, by cell from 0. */
export function gridWith(geometry: Geometry, givens: Readonly<Record<number, number>>): Uint8Array {
  const cells = new Uint8Array(geometry.cellCount);
  for (const [cell, digit] of Object.entries(givens)) cells[Number(cell)] = digit;
  return cells;
}
