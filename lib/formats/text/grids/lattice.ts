/** Columns of the cells in an interval of text: cell k takes `width` columns from `first + k * step` on. */
export interface Lattice {
  readonly first: number;
  readonly step: number;
  readonly width: number;
}

/** A token in an interval. */
export interface PlacedToken {
  /** Column of its first character in the interval. */
  readonly column: number;
  readonly length: number;
}

/**
 * The ways to place `count` cells in an interval of `columns` so that each token is in one cell, with margins of at most
 * one step.
 */
export function latticesOf(columns: number, count: number, tokens: readonly PlacedToken[]): Lattice[] {
  const width = tokens.reduce((widest, { length }) => Math.max(widest, length), 1);
  // A cell that is alone between two bars may be anywhere.
  if (count === 1) return columns >= width ? [{ first: 0, step: columns, width: columns }] : [];
  const found: Lattice[] = [];
  for (let step = width; step * (count - 1) + width <= columns; step++) {
    for (let first = 0; first <= step; first++) {
      const margin = columns - first - step * (count - 1) - width;
      const lattice = { first, step, width };
      if (margin < 0 || margin > step) continue;
      if (tokens.every((token) => cellOf(lattice, token, count) >= 0)) found.push(lattice);
    }
  }
  return found;
}

/** The cell of a token; -1 if it is not within one. */
export function cellOf(
  { first, step, width }: Lattice,
  { column, length }: PlacedToken,
  count: number,
): number {
  const cell = Math.floor((column - first) / step);
  if (cell < 0 || cell >= count) return -1;
  return column + length <= first + cell * step + width ? cell : -1;
}
