/**
 * What an engine needs of a search kernel: one puzzle at a time, resumable.
 *
 * Where an engine has several, one in TypeScript for everywhere and one in WebAssembly with SIMD, all of them give the
 * same answers and the same counts.
 */
import type { Answers, SearchLimits, SearchWatch, Stop } from '../engine.ts';

export interface Kernel {
  /** Of the puzzle begun last: search nodes entered, guesses made, solutions found. */
  readonly nodes: number;
  readonly guesses: number;
  readonly solutions: number;
  /**
   * Begins with the puzzle whose cells stand from `offset` on: 0 blank, 1 to the size a given.
   *
   * @returns false where another value is among them: then there is nothing to search
   */
  begin(cells: Uint8Array, offset: number): boolean;
  /** Searches on, at most `sliceNodes` nodes in this call. */
  search(limits: SearchLimits): Stop;
  /** Writes the first solution found, or with `pauseAtSolution` the latest, from `offset` on. */
  readSolution(cells: Uint8Array, offset: number): void;
  /**
   * Where a kernel is faster so: solves many puzzles in one go, without slices and pauses, and fills their
   * answers.
   *
   * @returns the first puzzle with a value above the size, where it stopped; else `to`
   */
  solveBlock?(
    cells: Uint8Array,
    from: number,
    to: number,
    limits: SearchLimits,
    answers: Answers,
    watch?: SearchWatch,
  ): number;
}
