import { createBitmaskEngine } from '../../sudoku/engines/bitmask.ts';
import type { SearchEngine } from './search-engine.ts';

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
