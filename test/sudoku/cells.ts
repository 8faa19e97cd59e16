/** Grids in tests: as text, one character a cell, `.` or `0` for a blank, spaces for the eye; or a few givens. */
import type { Geometry } from '../../lib/sudoku/geometry/geometry.ts';

/** `'5.. .3.'` as cell values; letters go on after 9 (`A` is 10). */
export function cellsOf(text: string): Uint8Array {
  return Uint8Array.from(text.replaceAll(/\s/g, ''), (symbol) =>
    symbol === '.' ? 0 : Number.parseInt(symbol, 36),
  );
}

/** Cell values as text, the other way round. */
export function textOf(cells: Uint8Array): string {
  return Array.from(cells, (value) => (value === 0 ? '.' : value.toString(36).toUpperCase())).join('');
}

/** A grid with just these givens, by cell from 0. */
export function gridWith(geometry: Geometry, givens: Readonly<Record<number, number>>): Uint8Array {
  const cells = new Uint8Array(geometry.cellCount);
  for (const [cell, digit] of Object.entries(givens)) cells[Number(cell)] = digit;
  return cells;
}
