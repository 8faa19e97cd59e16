/**
 * Sudoku as exact cover: converts any geometry to a problem of lib/exact-cover.
 *
 * An option writes a digit into a cell. It covers the item of the cell (one digit in each cell) and, for each unit of
 * the cell, the item of the digit in this unit (each digit once). All items are primary. Numbered from 0, with n
 * digits, C cells and U units:
 *
 *     items     0 .. C-1             cells, in the order of the grid
 *               C + u*n + d-1        unit u has digit d, units in the order of the geometry
 *     options   c*n + d-1            digit d in cell c
 *
 * A 9x9 has 81 cells, 81 row-digits, 81 column-digits and 81 box-digits. A 7 in row 4, column 2 is option 28*9 + 6 =
 * 258 and covers items 28, 114, 177, 276 (29, 115, 178 and 277 when counting from 1).
 *
 * A cell with candidates has options for these only.
 *
 * A jigsaw has other units and a windoku more of them; this module does not know variants by name.
 */
import type { ExactCoverProblem } from '../exact-cover/problem.ts';
import { isCandidate } from './candidates.ts';
import { type Geometry, unitsByCell } from './geometry/geometry.ts';

export interface SudokuCover {
  readonly geometry: Geometry;
  readonly problem: ExactCoverProblem;
  /** By option: its cell in the grid. */
  readonly cellOf: Int32Array;
  /** By option: its digit, 1 to size. */
  readonly digitOf: Uint8Array;
  /** By cell and digit, at `cell * size + digit - 1`: the option; -1 for a digit that is no candidate. */
  readonly optionOf: Int32Array;
}

/**
 * The options of the givens of a puzzle.
 *
 * @param cells `cellCount` values from `offset`: 0 for a blank, 1 to `size` for a given
 * @returns undefined if a cell has another value, or one that is not among its candidates
 */
export function givenOptions(
  { geometry, optionOf }: SudokuCover,
  cells: Uint8Array,
  offset: number,
): number[] | undefined {
  const { size, cellCount } = geometry;
  const selected: number[] = [];
  for (let cell = 0; cell < cellCount; cell++) {
    const digit = cells[offset + cell];
    if (digit === 0) continue;
    if (digit > size || !isCandidate(geometry, cell, digit)) return undefined;
    selected.push(optionOf[cell * size + digit - 1]);
  }
  return selected;
}

/** Builds the exact-cover problem of an empty grid; for a 9x9 729 options over 324 items, 2,916 entries. */
export function sudokuCover(geometry: Geometry): SudokuCover {
  const { size, cellCount, units } = geometry;
  const unitsOf = unitsByCell(geometry);
  const optionCount = cellCount * size;
  const optionStart = new Int32Array(optionCount + 1);
  const cellOf = new Int32Array(optionCount);
  const digitOf = new Uint8Array(optionCount);
  const optionOf = new Int32Array(optionCount).fill(-1);
  const items = new Int32Array(optionCount + size * size * units.length);
  let option = 0;
  let entry = 0;
  for (let cell = 0; cell < cellCount; cell++) {
    for (let digit = 1; digit <= size; digit++) {
      if (!isCandidate(geometry, cell, digit)) continue;
      items[entry++] = cell;
      for (const unit of unitsOf[cell]) items[entry++] = cellCount + unit * size + digit - 1;
      optionOf[cell * size + digit - 1] = option;
      cellOf[option] = cell;
      digitOf[option] = digit;
      optionStart[++option] = entry;
    }
  }
  return {
    geometry,
    problem: {
      primaryCount: cellCount + units.length * size,
      secondaryCount: 0,
      optionCount: option,
      optionStart: optionStart.subarray(0, option + 1),
      items: items.subarray(0, entry),
    },
    cellOf: cellOf.subarray(0, option),
    digitOf: digitOf.subarray(0, option),
    optionOf,
  };
}
