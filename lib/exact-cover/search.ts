import { GUESSES, NODES, SELECTED_COUNT, type SearchMemory, UPDATES } from './search-memory.ts';

/** Why `run` returned. */
export const SearchStop = {
  /** The whole search space was searched: the number of solutions is exact. */
  exhausted: 0,
  /** `maxSolutions` were found. `run` with a higher limit continues. */
  solutionLimit: 1,
  /** `maxNodes` were entered; more solutions may exist. `run` with a higher limit continues. */
  nodeLimit: 2,
  /** `sliceNodes` were entered in this call. `run` continues. */
  slice: 3,
  /** A solution was found and `pauseAtSolution` is set. `run` continues. */
  solution: 4,
} as const;
export type SearchStop = (typeof SearchStop)[keyof typeof SearchStop];

export interface RunLimits {
  /** Total of solutions over every `run` of a search. 0 means no search; may be Infinity. */
  readonly maxSolutions: number;
  /** Total of nodes over every `run`. May be Infinity. */
  readonly maxNodes: number;
  /** Nodes in this call; at least 1, may be Infinity. */
  readonly sliceNodes: number;
  /** Return at each solution, so that the caller can read all of them. */
  readonly pauseAtSolution: boolean;
}

/** A search to its end. */
export const NO_LIMITS: RunLimits = {
  maxSolutions: Number.POSITIVE_INFINITY,
  maxNodes: Number.POSITIVE_INFINITY,
  sliceNodes: Number.POSITIVE_INFINITY,
  pauseAtSolution: false,
};

/** The counts of a search. */
export interface SearchCounts<Solutions = number> {
  readonly solutions: Solutions;
  /** Nodes of the search tree that were entered: the root, and one for each option tried. */
  readonly nodes: number;
  /** Options tried while their item had another option left. */
  readonly guesses: number;
  /** Nodes unlinked from an item's list, or not linked because of the preselected options: Knuth's measure of work. */
  readonly updates: number;
}

/** A search whose counts and latest solution are in its memory. */
export abstract class CountedSearch {
  abstract readonly memory: SearchMemory;

  get nodes(): number {
    return this.memory.counts[NODES];
  }

  get guesses(): number {
    return this.memory.counts[GUESSES];
  }

  get updates(): number {
    return this.memory.counts[UPDATES];
  }

  /**
   * The options of the solution at which `run` paused or reached its limit, the preselected ones too, in any order; valid until
   * the next `run`. If it did neither, those of an earlier solution, at most 1,024 before the latest.
   */
  get selected(): Int32Array {
    const { words, at } = this.memory;
    return words.subarray(at.selected, at.selected + words[SELECTED_COUNT]);
  }
}

/** The next step of the search; kept between calls of `run`. */
export const Phase = { root: 0, choose: 1, enter: 2, backtrack: 3, done: 4, learning: 5 } as const;

/** Nodes before the first restart; each later interval is twice as long. */
export const FIRST_RESTART = 3000;

/** Up to this number of solutions wanted, a search learns weights and restarts; beyond, only if it must (plain-search.ts). */
export const FEW_SOLUTIONS = 2;

/** Number of branches beyond which a search for all solutions would not finish. */
export const MAX_BRANCHES = 2 ** 30;

/** If the search does not pause at solutions, it copies each solution whose number is 1 more than a multiple of this. */
export const COPY_INTERVAL = 1024;

/**
 * The search of one problem, in the memory that it shares with its caller (search-memory.ts).
 *
 * The two implementations, plain-search.ts and wasm-search.ts, find the same solutions in the same order, with the
 * same counts.
 */
export interface Search {
  readonly memory: SearchMemory;
  /** Bytes of learned clauses and their tables. @default 0: it learns none */
  readonly clauseBytes?: number;
  /**
   * Discards the previous search and prepares one with the preselected decisions in the memory; its counts are added to those
   * in the memory.
   *
   * @param few whether at most `FEW_SOLUTIONS` solutions are wanted
   */
  begin(few: boolean): void;
  /** Searches until a limit is reached. */
  run(limits: RunLimits): SearchStop;
  /** Ends a search by cost. @returns no solution that it has not found costs less; by default, nothing is known */
  leastCostLeft?(): number;
  /** Gives the memory to the next search: this one, and its memory, are not used any more. */
  release?(): void;
}
