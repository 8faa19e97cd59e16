/**
 * Dancing links: finds every solution of an exact-cover problem, one by one (Knuth, TAOCP 7.2.2.1, Algorithms X, D
 * and C).
 *
 * README.md says which file to read first; kernel.ts has the dance.
 *
 * Invariants whenever `run` is not running:
 * - up and down are inverse to each other, and so are left and right;
 * - SPARE is the length of an item's list, less what it needs;
 * - either all nodes of an option are in the lists of active items, or none is;
 * - no active item is forced or failed, except after a failure.
 */

import { createFastestSearch } from './fastest-search.ts';
import type { ExactCoverProblem } from './problem.ts';
import { CountedSearch, FEW_SOLUTIONS, type RunLimits, type Search, type SearchStop } from './search.ts';
import { PRESELECTED_COUNT, SELECTED_COUNT, type SearchMemory, SOLUTIONS } from './search-memory.ts';

export { NO_LIMITS, type RunLimits, SearchStop } from './search.ts';

/**
 * A solver for one problem, which can be run many times with different preselected options.
 *
 * Deterministic: the same problem, preselected options and limits give the same solutions in the same order and the
 * same counts, with any slices. Only the constructor allocates.
 */
export class DancingLinks extends CountedSearch {
  readonly memory: SearchMemory;
  /** Whether one or two solutions are wanted: such a search learns weights from the start. */
  readonly few: boolean;
  readonly #search: Search;

  /**
   * @param problem it is not checked
   * @param solutionsWanted how many solutions the caller will ask for; it decides how items are chosen
   * @param createSearch creates the search; by default the one in WebAssembly if available, else the one in TypeScript.
   *   Both give the same solutions and counts.
   */
  constructor(
    problem: ExactCoverProblem,
    solutionsWanted: number = FEW_SOLUTIONS,
    createSearch: (problem: ExactCoverProblem) => Search = createFastestSearch,
  ) {
    super();
    this.few = solutionsWanted <= FEW_SOLUTIONS;
    this.#search = createSearch(problem);
    this.memory = this.#search.memory;
    this.reset();
  }

  /** Bytes of the memory of the search, and of the clauses that it has learnt. */
  get bytes(): number {
    return this.memory.words.byteLength + (this.#search.clauseBytes ?? 0);
  }

  get solutions(): number {
    return this.memory.counts[SOLUTIONS];
  }

  /**
   * Discards the previous search and prepares one in which some options are already selected, such as a sudoku's
   * givens. Options that clash are not an error: the search then ends exhausted.
   *
   * @param options option numbers from 0, and `~option` for each that no solution is to contain; none by default. They are
   *   not checked
   */
  reset(options: ArrayLike<number> = []): void {
    const { words, at, counts, problem } = this.memory;
    // More of them than the problem has options must clash; the first ones show it.
    const used = Math.min(options.length, problem.optionCount);
    for (let k = 0; k < used; k++) words[at.preselected + k] = options[k];
    words[PRESELECTED_COUNT] = used;
    words[SELECTED_COUNT] = 0;
    counts.fill(0);
    this.#search.begin(this.few);
  }

  /**
   * Searches until a limit is reached or the search is exhausted. Another call continues it; with any slices, a
   * search gives the same solutions and counts.
   *
   * A problem without primary items has exactly one solution, the empty one. A problem with primary items and no
   * options has none. If `maxSolutions` is 0, nothing is searched and the result is `solutionLimit`.
   */
  run(limits: RunLimits): SearchStop {
    return this.#search.run(limits);
  }

  /** Lets the next search have the memory; nothing of this one is read any more. */
  release(): void {
    this.#search.release?.();
  }
}
