/** Grids in tests are written as text: one character a cell, `.` or `0` for a blank, spaces for the eye. */

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
