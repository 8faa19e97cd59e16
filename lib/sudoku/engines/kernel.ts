/** The interface between an engine and its search kernel: one puzzle at a time, resumable. Each geometry has one. */
import type { SolutionSearch } from '../../exact-cover/open-search.ts';
import type { Answers, OnSearched, SearchLimits, Stop } from '../engine.ts';

/** What is known of the search of the current puzzle: nodes entered, guesses made, solutions found, bytes taken. */
export type KernelCounts = Pick<SolutionSearch, 'nodes' | 'guesses' | 'solutions' | 'bytes' | 'isWaiting'>;

export interface Kernel {
  readonly counts: KernelCounts;
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
    onSearched?: OnSearched,
  ): number;
}
