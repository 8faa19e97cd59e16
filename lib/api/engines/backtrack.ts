import { createBacktrackEngine } from '../../sudoku/engines/backtrack.ts';
import type { SearchEngine } from './search-engine.ts';

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
