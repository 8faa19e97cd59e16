import { createDlxEngine } from '../../sudoku/engines/dlx.ts';
import type { SearchEngine } from './search-engine.ts';

/**
 * Dancing links: solves every puzzle. The default of `solve`.
 *
 * On grids from 16x16 on, it also learns from failures, which solves hard 36x36; not in bundles for browsers, which are smaller.
 *
 * @example
 * ```ts
 * import { dlx, solveWith } from 'dlx-batch';
 *
 * solveWith(dlx, '1.....3..4.....2').status; // => 'solved'
 * ```
 */
export const dlx: SearchEngine = { name: 'dlx', create: createDlxEngine };
