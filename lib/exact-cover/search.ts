import type { SearchMemory } from './search-memory.ts';

/** Why `run` came back. */
export const SearchStop = {
  /** Every possibility was seen: the number of solutions is exact. */
  exhausted: 0,
  /** `maxSolutions` were found. `run` with a higher limit goes on. */
  solutionLimit: 1,
  /** `maxNodes` were entered: what was not found may still exist. `run` with a higher limit goes on. */
  nodeLimit: 2,
  /** `sliceNodes` were entered in this call. `run` goes on. */
  slice: 3,
  /** A solution was found and `pauseAtSolution` is set. `run` goes on. */
  solution: 4,
} as const;
export type SearchStop = (typeof SearchStop)[keyof typeof SearchStop];

/** What the search does next; kept between calls of `run`. */
export const Phase = { root: 0, choose: 1, enter: 2, backtrack: 3, done: 4 } as const;

/** Nodes before the first restart; each one after it comes twice as late. */
export const FIRST_RESTART = 3000;

/**
 * The search of one problem, in the memory that it shares with its caller: see search-memory.ts.
 *
 * There are two, plain-search.ts and wasm-search.ts, which give the same solutions in the same order, and the same
 * counts.
 */
export interface Search {
  readonly memory: SearchMemory;
  /** Forgets the last search and gets ready for one with the options that stand in the memory as preselected. */
  begin(): void;
  /** Searches until a limit is reached; the limits are those of `RunLimits`. */
  run(maxSolutions: number, maxNodes: number, sliceNodes: number, pauseAtSolution: boolean): SearchStop;
  /** Ends the search, putting every link back to where it was when the root had been entered. */
  rewind(): void;
}
