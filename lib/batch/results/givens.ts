/** The givens of a puzzle: their number, and the error of those that clash. */
import { clashingGivens, clashSentence } from '../../sudoku/checks/givens.ts';
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { unitName } from '../../sudoku/names.ts';
import type { RecordError } from './record-error.ts';

/**
 * The error of a puzzle whose givens clash.
 *
 * @param cells `cellCount` values from `offset`
 * @param symbols by digit: its symbol in the puzzle
 */
export function clashError(
  geometry: Geometry,
  cells: Uint8Array,
  offset: number,
  symbols: readonly string[],
): RecordError {
  const clashes = clashingGivens(geometry, cells, offset) ?? [];
  const symbol = (digit: number) => symbols[digit] ?? String(digit);
  return {
    code: 'clashing_givens',
    message: clashes.map((clash) => clashSentence(clash, symbol)).join('; '),
    clashes: clashes.map((clash) => ({
      unit: unitName(clash.unit),
      digit: symbol(clash.digit),
      cells: clash.cellNames,
    })),
  };
}

/** Number of cells that are not blank. */
export function countGivens(cells: Uint8Array, offset: number, cellCount: number): number {
  let givens = 0;
  for (let cell = offset; cell < offset + cellCount; cell++) if (cells[cell] !== 0) givens++;
  return givens;
}
