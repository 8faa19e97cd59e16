/** Searches one subproblem of a frontier, for any joiner of answers (split-search.ts). */
import { type DancingLinks, SearchStop } from '../dancing-links.ts';
import { type Frontier, subproblemOptions } from './frontier.ts';
import type { SubproblemCounts } from './split-search.ts';

/** What is wanted of all subproblems together. */
export interface SubproblemLimits {
  /** Solutions wanted; may be Infinity. */
  readonly maxSolutions: number;
  /** Budget of nodes; may be Infinity. */
  readonly maxNodes: number;
  /** Whether each solution is wanted, or the first one of each subproblem and their number. */
  readonly each: boolean;
}

/** The counts of a subproblem whose search reached a limit: too many for every joiner. */
const BEYOND_LIMITS = Number.POSITIVE_INFINITY;

/** Nodes between two questions whether the search is still wanted: some milliseconds. */
const SLICE_NODES = 5000;

/**
 * Searches a subproblem.
 *
 * @param links of the problem of the frontier
 * @param onSolution called at a solution, whose options and counts `links` has
 * @param isWanted asked every few milliseconds
 * @returns its counts; undefined if the search is no longer wanted
 */
export function searchSubproblem(
  links: DancingLinks,
  frontier: Frontier,
  index: number,
  { maxSolutions, maxNodes, each }: SubproblemLimits,
  onSolution: () => void,
  isWanted: () => boolean,
): SubproblemCounts | undefined {
  links.reset(subproblemOptions(frontier, index));
  while (isWanted()) {
    const before = links.solutions;
    const pauseAtSolution = each || before === 0;
    const stop = links.run({ maxSolutions, maxNodes, sliceNodes: SLICE_NODES, pauseAtSolution });
    if (pauseAtSolution && links.solutions > before) onSolution();
    if (stop === SearchStop.slice || stop === SearchStop.solution) continue;
    const { solutions, guesses, updates } = links;
    const nodes = stop === SearchStop.exhausted ? links.nodes : BEYOND_LIMITS;
    return { solutions, nodes, guesses, updates };
  }
  return undefined;
}
