/** The engines as values, so that a page contains only those that it names. */
import type { Engine, EngineName } from '../sudoku/engine.ts';
import { createBacktrackEngine } from '../sudoku/engines/backtrack.ts';
import { createBitboardEngine } from '../sudoku/engines/bitboard.ts';
import { createBitmaskEngine } from '../sudoku/engines/bitmask.ts';
import { createDlxEngine } from '../sudoku/engines/dlx.ts';

/**
 * A search engine, for {@link solveWith}.
 *
 * @example
 * ```ts
 * import { backtrack, bitboard, bitmask, dlx, type SearchEngine } from 'dlx-batch';
 *
 * const engines: SearchEngine[] = [dlx, bitboard, bitmask, backtrack];
 * engines.map(({ name }) => name); // => ['dlx', 'bitboard', 'bitmask', 'backtrack']
 * ```
 */
export interface SearchEngine {
  /** Its name in the option `engine`. */
  readonly name: EngineName;
  /** @internal */
  readonly create: () => Engine;
}

/**
 * Dancing links: solves every puzzle. The default of `solve`.
 *
 * @example
 * ```ts
 * import { dlx, solveWith } from 'dlx-batch';
 *
 * solveWith(dlx, '1.....3..4.....2').status; // => 'solved'
 * ```
 */
export const dlx: SearchEngine = { name: 'dlx', create: createDlxEngine };

/**
 * Bit-parallel exact cover: the fastest engine for ordinary 9x9, refuses every other puzzle.
 *
 * @example
 * ```ts
 * import { bitboard, solveWith } from 'dlx-batch';
 *
 * solveWith(bitboard, '1.....3..4.....2').error?.code; // => 'unsupported_variant'
 * ```
 */
export const bitboard: SearchEngine = { name: 'bitboard', create: createBitboardEngine };

/**
 * Candidate masks, naked and hidden singles, then the cell with the fewest candidates: solves every puzzle.
 *
 * @example
 * ```ts
 * import { bitmask, solveWith } from 'dlx-batch';
 *
 * solveWith(bitmask, '1.....3..4.....2').status; // => 'solved'
 * ```
 */
export const bitmask: SearchEngine = { name: 'bitmask', create: createBitmaskEngine };

/**
 * Plain depth-first search: solves every puzzle, slowly.
 *
 * @example
 * ```ts
 * import { backtrack, solveWith } from 'dlx-batch';
 *
 * solveWith(backtrack, '1.....3..4.....2').status; // => 'solved'
 * ```
 */
export const backtrack: SearchEngine = { name: 'backtrack', create: createBacktrackEngine };
