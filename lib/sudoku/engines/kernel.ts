/** The interface between an engine and its search kernel: one puzzle at a time, resumable. Each geometry has one. */
import type { Answers, SearchLimits, SearchWatch, Stop } from '../engine.ts';

export interface Kernel {
  /** Search nodes entered, guesses made and solutions found for the current puzzle. */
  readonly nodes: number;
  readonly guesses: number;
  readonly solutions: number;
  /** Most bytes that the search of the current puzzle has taken. */
  readonly bytes: number;
  /** Bytes of searches of its parts by other threads of this process. @default 0 */
  readonly elsewhereBytes?: number | undefined;
  /** Whether the search is paused because an answer of `openAnswers` is not known yet. */
  readonly isWaiting?: boolean | undefined;
  /**
   * Begins the puzzle whose cells start at `offset`: 0 for a blank, 1 to the size for a given.
   *
   * @returns false if a cell has another value: then nothing can be searched
   */
  begin(cells: Uint8Array, offset: number): boolean;
  /** Continues the search. */
  search(limits: SearchLimits): Stop;
  /** Writes the solution at which the search has just paused or reached its limit, from `offset` on. */
  readSolution(cells: Uint8Array, offset: number): void;
  /**
   * Solves many puzzles in one call, without slices and pauses, and fills their answers. Only kernels for which this is
   * faster have it.
   *
   * @returns the first puzzle with a value above the size, at which it stopped; else `to`
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
