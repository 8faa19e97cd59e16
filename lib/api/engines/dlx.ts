import { createDlxEngine } from '../../sudoku/engines/dlx.ts';
import type { SearchEngine } from './search-engine.ts';

/**
 * Dancing links: solves every puzzle. The default of `solve`.
 *
 * `solveAll`, `Solver` and the commands also learn from failures on grids from 16x16 on, which solves hard 36x36. It would be
 * 3 kB more for a page, so this engine does not; where both end, their answers differ only in which solution of several is first.
 *
 * @example
 * ```ts
 * import { dlx, solveWith } from 'dlx-batch';
 *
 * solveWith(dlx, '1.....3..4.....2').status; // => 'solved'
 * ```
 */
export const dlx: SearchEngine = { name: 'dlx', create: createDlxEngine };
