/** Searches one subproblem of a frontier; split-search.ts joins the answers. */

import type { DancingLinks } from '../dancing-links.ts';
import { type SearchCounts, SearchStop } from '../search.ts';
import type { Frontier } from './frontier.ts';

/** What is wanted of all subproblems together. */
export interface SubproblemLimits {
  /** Solutions wanted; may be Infinity. */
  readonly maxSolutions: number;
  /** Budget of nodes; may be Infinity. */
  readonly maxNodes: number;
  /** Whether each solution is wanted, or the first one of each subproblem and their number. */
  readonly each: boolean;
}

/** The counts of a subproblem whose search reached a limit: more than is left of any budget. */
const BEYOND_LIMITS = Number.POSITIVE_INFINITY;

/** Nodes between two questions whether the search is still wanted: some milliseconds. */
const SLICE_NODES = 5000;

/**
 * Searches a subproblem step by step: to a solution, whose options and counts `links` then has, or for some milliseconds.
 *
 * @param links of the problem of the frontier
 * @returns its counts
 */
export function* subproblemSteps(
  links: DancingLinks,
  frontier: Frontier,
  index: number,
  { maxSolutions, maxNodes, each }: SubproblemLimits,
): Generator<'solution' | 'slice', SearchCounts, void> {
  links.reset(frontier.subproblems[index].selected);
  for (;;) {
    const before = links.solutions;
    const pauseAtSolution = each || before === 0;
    const stop = links.run({ maxSolutions, maxNodes, sliceNodes: SLICE_NODES, pauseAtSolution });
    const isFound = pauseAtSolution && links.solutions > before;
    if (isFound) yield 'solution';
    if (stop === SearchStop.slice || stop === SearchStop.solution) {
      if (!isFound) yield 'slice';
      continue;
    }
    const { solutions, guesses, updates } = links;
    const nodes = stop === SearchStop.exhausted ? links.nodes : BEYOND_LIMITS;
    return { solutions, nodes, guesses, updates };
  }
}
