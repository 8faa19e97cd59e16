/**
 * What the bitboard engine needs of a search kernel: one puzzle at a time, resumable.
 *
 * There are two, which give the same answers and the same counts: one in TypeScript, for everywhere, and one
 * in WebAssembly with SIMD.
 */
import type { SearchLimits, Stop } from '../../engine.ts';

export interface Kernel {
  /** Of the puzzle begun last: search nodes entered, guesses made, solutions found. */
  readonly nodes: number;
  readonly guesses: number;
  readonly solutions: number;
  /** The first solution found, or with `pauseAtSolution` the latest: 81 bytes 1..9, row by row. */
  readonly solution: Uint8Array;
  /**
   * Begins with the 81 cells from `offset` on: 0 blank, 1..9 a given.
   *
   * @returns false where another value is among them: then there is nothing to search
   */
  begin(cells: Uint8Array, offset: number): boolean;
  /** Searches on, at most `sliceNodes` nodes in this call. */
  search(limits: SearchLimits): Stop;
}
