/** Solves one puzzle in this thread. */
import { limitAdvice } from '../batch/results/limit-advice.ts';
import type { EngineName } from '../sudoku/engine.ts';
import { backtrack } from './engines/backtrack.ts';
import { bitboard } from './engines/bitboard.ts';
import { dlx } from './engines/dlx.ts';
import type { SearchEngine } from './engines/search-engine.ts';
import { ENGINE_OPTION, type PuzzleInput, type PuzzleOptions, type SearchOptions } from './puzzle.ts';
import type { PuzzleResult } from './puzzle-result.ts';
import { readOptions } from './read-options.ts';
import { SOLVE_WITH_OPTIONS, solveRead } from './solve-with.ts';

/**
 * Options of `solve`; all are optional.
 *
 * @example
 * ```ts
 * import { type SolveOptions, solve } from 'dlx-batch';
 *
 * const options: SolveOptions = { engine: 'backtrack', solutions: Infinity };
 * solve('................', options).solutions; // => 288
 * ```
 */
export interface SolveOptions extends PuzzleOptions, SearchOptions {}

/** Readers of {@link SolveOptions}. */
export const SOLVE_OPTIONS = { engine: ENGINE_OPTION, ...SOLVE_WITH_OPTIONS };

const ENGINES: Readonly<Record<EngineName, SearchEngine>> = { dlx, bitboard, backtrack };

/**
 * Solves one puzzle in this thread: an ordinary 9x9 takes microseconds. For a search that must not block the thread, or
 * must be abortable, use `createSolver`; for files, `solveAll`.
 *
 * @param puzzle a string or an array of cells, see {@link PuzzleInput}
 * @returns always a result: a puzzle that is malformed, contradictory or too hard has another status than `solved`
 * @throws DlxBatchError `bad_argument` if the puzzle is neither a string nor an array, `bad_option` for an unknown option
 *   or a bad value
 *
 * @example
 * ```ts
 * import { solve } from 'dlx-batch';
 *
 * const puzzle = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
 * const { status, solution, exact, givens } = solve(puzzle);
 * status; // => 'solved'
 * solution?.slice(0, 9); // => '534678912'
 * exact; // => true
 * givens; // => 30
 * solve('1...'.repeat(4)).status; // => 'invalid'
 * solve('.'.repeat(36), { solutions: 1 }).status; // => 'solved'
 * solve('.'.repeat(81), { maxNodes: 5 }).error?.code; // => 'limit'
 * ```
 */
export function solve(puzzle: PuzzleInput, options: SolveOptions = {}): PuzzleResult {
  const { engine, ...settings } = readOptions(options, SOLVE_OPTIONS);
  return solveRead(ENGINES[engine], puzzle, settings, limitAdvice);
}
