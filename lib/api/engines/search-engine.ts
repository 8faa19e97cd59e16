import type { EngineName } from '../../sudoku/engine.ts';

/**
 * A search engine, for {@link solveWith}.
 *
 * @example
 * ```ts
 * import { backtrack, bitboard, dlx, type SearchEngine } from 'dlx-batch';
 *
 * const engines: SearchEngine[] = [dlx, bitboard, backtrack];
 * engines.map(({ name }) => name); // => ['dlx', 'bitboard', 'backtrack']
 * ```
 */
export interface SearchEngine {
  /** Its name in the option `engine`. */
  readonly name: EngineName;
  /**
   * Creates an `Engine` of lib/sudoku, whose type the declarations of the library do not have.
   *
   * @internal
   */
  readonly create: () => unknown;
}
