/** Opens the search that a problem needs: dancing links, split if they take long, or a search by cost. */
import { CheapestSearch } from './costs/cheapest-search.ts';
import { openLinks } from './open-links.ts';
import type { ExactCoverProblem } from './problem.ts';
import { ResumableSearch, type SearchPlace } from './resumable-search.ts';
import type { RunLimits, SearchCounts, SearchStop } from './search.ts';
import type { SolutionCount } from './solution-count.ts';
import { type OpenAnswers, type SplitRule, SplitSearch } from './split/split-search.ts';
import { estimateTree } from './tree-estimate.ts';

/** A search that can be stored at any place, and continued. */
export interface StoredSearch extends SearchCounts<SolutionCount> {
  /** The options of the latest solution, in any order; valid until the next `run`. */
  readonly selected: Int32Array;
  run(limits: RunLimits): SearchStop;
  /** The place after the latest `run`. */
  place(): SearchPlace;
  release(): void;
}

/** A search for solutions; its counts are totals over every `run`. */
export interface SolutionSearch extends SearchCounts {
  /** The options of the latest solution, in any order; valid until the next `run`. */
  readonly selected: Int32Array;
  /** Most bytes of all arrays so far, without those of subproblems that are searched elsewhere. */
  readonly bytes: number;
  /** Whether the latest `run` returned because an answer of `openAnswers` is not known yet. */
  readonly isWaiting?: boolean;
  /** Subproblems that are done, and all of them; undefined if the search is not split. */
  readonly subproblems?: { readonly done: number; readonly all: number } | undefined;
  run(limits: RunLimits): SearchStop;
  /** Lets the next search have the memory; nothing of this one is read any more. */
  release?(): void;
}

/**
 * Opens a search for solutions, in the order of their costs if the problem has costs.
 *
 * @param anyOrder whether the order does not matter, as when solutions are only counted
 * @param wanted how many solutions may be requested
 * @param openAnswers has the subproblems of a long search searched elsewhere; by default, they are searched here
 * @param rule when a search is split: for tests
 */
export function openSearch(
  problem: ExactCoverProblem,
  anyOrder: boolean,
  wanted: number,
  openAnswers?: OpenAnswers,
  rule?: SplitRule,
): SolutionSearch {
  if (problem.costs !== undefined && !anyOrder) return new CheapestSearch(problem);
  const search = new SplitSearch(problem, wanted, { estimate: estimateTree, rule });
  search.openAnswers = openAnswers;
  return search;
}

/**
 * Opens a search that can be stored, in the order of costs if the problem has costs.
 *
 * @param place where to continue; its options must be options of the problem
 * @param order `any` if the order of solutions does not matter, else how many are likely to be requested
 * @param wanted how many may be requested
 * @returns undefined if the place belongs to another kind of search
 */
export function openStoredSearch(
  problem: ExactCoverProblem,
  place: SearchPlace | undefined,
  order: 'any' | number,
  wanted: number,
): StoredSearch | undefined {
  if (problem.costs === undefined || order === 'any') {
    if (place?.cost !== undefined) return undefined;
    return new ResumableSearch(openLinks(problem, wanted), place);
  }
  const search = new CheapestSearch(problem, order);
  return place === undefined || search.resumeAt(place) ? search : undefined;
}
