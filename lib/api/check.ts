/** Checks the givens of one puzzle. */
import { clashError, countGivens } from '../batch/results/givens.ts';
import type { RecordError } from '../batch/results/record-error.ts';
import { givensClash } from '../sudoku/checks/givens.ts';
import { PUZZLE_OPTIONS, type PuzzleInput, type PuzzleOptions, readPuzzle } from './puzzle.ts';
import { readOptions } from './read-options.ts';

/**
 * The verdict on the givens of a puzzle.
 *
 * @example
 * ```ts
 * import { type CheckResult, check } from 'dlx-batch';
 *
 * const result: CheckResult = check('1..1............');
 * result.error?.clashes; // => [{ unit: 'row 1', digit: '1', cells: ['r1c1', 'r1c4'] }]
 * ```
 */
export interface CheckResult {
  /** `valid`: no two givens clash; it need not have a solution. `invalid`: givens clash. `unreadable`: it is no puzzle. */
  readonly status: 'valid' | 'invalid' | 'unreadable';
  /** Number of cells that are not blank. */
  readonly givens: number;
  /** The clashing cells, or why the puzzle cannot be read; undefined if it is valid. */
  readonly error?: RecordError;
}

/**
 * Checks the givens of a puzzle without solving it. A full grid that is valid is a solution.
 *
 * @param puzzle a string or an array of cells, see {@link PuzzleInput}
 * @throws DlxBatchError `bad_argument` if the puzzle is neither a string nor an array, `bad_option` for an unknown option
 *   or a bad value
 *
 * @example
 * ```ts
 * import { check } from 'dlx-batch';
 *
 * check('1324423124133142').status; // => 'valid'
 * check('11..............').error?.code; // => 'clashing_givens'
 * check('1'.repeat(17)).status; // => 'unreadable'
 * ```
 */
export function check(puzzle: PuzzleInput, options: PuzzleOptions = {}): CheckResult {
  const read = readPuzzle(puzzle, readOptions(options, PUZZLE_OPTIONS));
  if (read.error !== undefined) return { status: 'unreadable', givens: 0, error: read.error };
  const { geometry, cells, layout } = read.block;
  const givens = countGivens(cells, 0, geometry.cellCount);
  if (!givensClash(geometry, cells, 0)) return { status: 'valid', givens };
  return { status: 'invalid', givens, error: clashError(geometry, cells, 0, layout.alphabet.symbols) };
}
