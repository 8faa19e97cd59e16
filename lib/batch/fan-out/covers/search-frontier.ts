/** Searches a problem up to its split: the same frontier in every function. */
import { openSearch } from '../../../exact-cover/open-search.ts';
import type { ExactCoverProblem } from '../../../exact-cover/problem.ts';
import { SearchStop } from '../../../exact-cover/search.ts';
import type { Frontier } from '../../../exact-cover/split/frontier.ts';
import type { SplitRule } from '../../../exact-cover/split/split-search.ts';
import type { SolveOptions } from '../../options.ts';

const WHOLE_SEARCH = { sliceNodes: Number.POSITIVE_INFINITY, pauseAtSolution: false };

/** Whether the search of a problem can be split. */
export function canSplit({ costs }: ExactCoverProblem): boolean {
  return costs === undefined;
}

/**
 * Searches until the search is split, about 0.2 s, or ends.
 *
 * @returns the number of nodes, and the frontier; without one, the search is short or cannot be split
 */
export function searchFrontier(
  problem: ExactCoverProblem,
  { solutions: maxSolutions, maxNodes }: SolveOptions,
  rule?: SplitRule,
): { readonly nodes: number; readonly frontier?: Frontier } {
  if (!canSplit(problem)) return { nodes: 0 };
  let frontier: Frontier | undefined;
  const unknown = { done: 0, take: () => undefined };
  const openAnswers = (found: Frontier) => {
    frontier = found;
    return unknown;
  };
  const search = openSearch(problem, false, maxSolutions, openAnswers, rule);
  for (;;) {
    const stop = search.run({ maxSolutions, maxNodes, ...WHOLE_SEARCH });
    const { nodes } = search;
    if (frontier !== undefined || stop !== SearchStop.slice) return { nodes, frontier };
  }
}
