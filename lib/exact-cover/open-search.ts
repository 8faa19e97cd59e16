/** Opens the search that a problem needs: dancing links, or the one of its multiplicities or costs (family/). */
import { DancingLinks, type RunLimits } from './dancing-links.ts';
import { CheapestSearch } from './family/cheapest-search.ts';
import { DecisionSearch } from './family/decision-search.ts';
import type { ExactCoverProblem } from './problem.ts';
import type { SearchStop } from './search.ts';

/** A search for solutions; its counts are totals over every `run`. */
export interface SolutionSearch {
  readonly solutions: number;
  readonly nodes: number;
  readonly guesses: number;
  readonly updates: number;
  /** The options of the latest solution, until the next `run`: the first `selectedCount`. */
  readonly selected: Int32Array;
  readonly selectedCount: number;
  /** Entries, heads and the root. */
  readonly nodeCount: number;
  /** Bytes of all arrays. */
  readonly bytes: number;
  run(limits: RunLimits): SearchStop;
}

/**
 * Opens a search for solutions, in the order of their costs if the problem has costs.
 *
 * @param anyOrder whether the order does not matter, as when solutions are only counted
 */
export function openSearch(problem: ExactCoverProblem, anyOrder: boolean): SolutionSearch {
  if (problem.costs !== undefined && !anyOrder) return new CheapestSearch(problem);
  return problem.multiplicities === undefined ? new DancingLinks(problem) : new DecisionSearch(problem);
}
