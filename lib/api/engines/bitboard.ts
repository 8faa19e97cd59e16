import { createBitboardEngine } from '../../sudoku/engines/bitboard.ts';
import type { SearchEngine } from './search-engine.ts';

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
