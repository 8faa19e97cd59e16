/**
 * Splits the rest of a search into subproblems: lists of decisions (open-branches.ts), which can be searched on their own.
 *
 *     search, for some nodes      its open branches            expanded, the largest shares first
 *
 *          root                   a d e g h     1/8            a d e g h
 *         /  |  \                 a d e g i     1/8            a d e g i
 *        x  a d   j k             a d f         1/4            a d f m   a d f n   a d f o
 *          /  \                   j             1/3            j p       j q r     j s
 *        e g   f                  k             1/3            k t       k u
 *        / \
 *       h   i                     Their order is that of the search.
 *
 * The share of a branch is 1 / the product of the numbers of branches above it; an option that is out has the share of all other ways. A subproblem is expanded by one step of the
 * search until its share is small. So the frontier depends on the problem alone, neither on time nor on the number of
 * threads; and a search without weights that visits subproblem after subproblem visits the nodes of the search that was not
 * split, and finds the same solutions in the same order.
 */
import type { DancingLinks } from '../dancing-links.ts';
import { type CountedBranch, type OpenBranch, openBranches } from '../open-branches.ts';
import { NO_LIMITS, type SearchCounts, SearchStop } from '../search.ts';
import { PRESELECTED_COUNT } from '../search-memory.ts';

/** A subtree that is searched on its own; plain data. */
export interface Subproblem {
  /** Its decisions (open-branches.ts). */
  readonly selected: readonly number[];
  /** Whether its item has another option left, so that its root is a guess. */
  readonly isGuess: boolean;
}

/** The subproblems of a search, in the order of the search, and how they are searched; plain data. */
export interface Frontier {
  readonly subproblems: readonly Subproblem[];
  /** Whether one or two solutions are wanted, so that a search learns weights from the start. */
  readonly few: boolean;
  /** Whether it then learns clauses. */
  readonly learns: boolean;
}

/** Bytes of a frontier, about. */
export function frontierBytes({ subproblems }: Frontier): number {
  return subproblems.reduce((bytes, { selected }) => bytes + subproblemBytes(selected.length), 0);
}

/** Bytes of a subproblem with so many decisions, about. */
function subproblemBytes(decisions: number): number {
  return 128 + 8 * decisions;
}

interface Subtree extends Subproblem {
  /** Its part of the tree, as far as the numbers of branches show; 0 if it is a solution. */
  readonly share: number;
}

/** Expansions for each subproblem that is wanted, at most. */
const EXPANSIONS = 4;

/**
 * Bytes that the subproblems may take. Most frontiers take less than 1 MiB. Without a limit, two items with 100 and 100,000 options that have nothing in common would give 10 million.
 */
export const MAX_FRONTIER_BYTES = 16 * 2 ** 20;

/**
 * Bytes of the subproblems of open branches.
 *
 * @param selected options that are selected before the first branch
 */
export function foundBytes(levels: readonly OpenBranch[], selected: number): number {
  let bytes = 0;
  let above = selected;
  for (const level of levels) {
    above += level.selected.length;
    bytes += level.untried.length * subproblemBytes(above + 1);
  }
  return bytes;
}

/**
 * Splits the rest of a search. It ends at the first subproblem whose expansion would take too much memory.
 *
 * @param links a search that has entered its root and returned from `run`; afterwards, it has another state
 * @param size number of subproblems that is wanted; there may be a few times more, or fewer
 * @param maxNodes nodes that may be expanded
 * @param maxBytes bytes that the subproblems may take, if the open branches alone do not take more
 * @returns them, and counts of the nodes that were expanded
 */
export function splitSearch(
  links: DancingLinks,
  size: number,
  maxNodes: number,
  maxBytes = MAX_FRONTIER_BYTES,
): { subproblems: Subproblem[]; expanded: SearchCounts } {
  const { words, at } = links.memory;
  const preselected = Array.from(words.subarray(at.preselected, at.preselected + words[PRESELECTED_COUNT]));
  const expanded = { solutions: 0, nodes: 0, guesses: 0, updates: 0 };
  let expansions = Math.min(EXPANSIONS * size, maxNodes);
  const whole = { selected: preselected, isGuess: false, share: 1 };
  const levels = openBranches(links.memory);
  let bytes = foundBytes(levels ?? [], preselected.length);
  let subtrees = levels === undefined ? [whole] : openSubtrees(levels, whole);
  for (let share = 1 / size; expansions > 0; share /= EXPANSIONS) {
    const before = expansions;
    subtrees = subtrees.flatMap((subtree) => expand(subtree, share));
    if (subtrees.length >= size / 2 || (before === expansions && share < Number.EPSILON)) break;
  }
  return { subproblems: subtrees, expanded };

  /** The subtrees below one, each with at most this share; none if it has no solution. */
  function expand(subtree: Subtree, share: number): Subtree[] {
    if (subtree.share <= share || expansions === 0) return [subtree];
    expansions--;
    links.reset(subtree.selected);
    const stop = links.run(ROOT_ONLY);
    if (stop === SearchStop.solutionLimit) return [{ ...subtree, share: 0 }];
    const below = stop === SearchStop.exhausted ? [] : openBranches(links.memory)!;
    bytes += foundBytes(below, subtree.selected.length);
    if (bytes > maxBytes) {
      expansions = 0;
      return [subtree];
    }
    expanded.nodes += links.nodes;
    expanded.guesses += subtree.isGuess ? 1 : 0;
    expanded.updates += links.updates;
    return openSubtrees(below, subtree).flatMap((each) => expand(each, share));
  }
}

/** Enters the root and chooses an item, whose options are then open. */
const ROOT_ONLY = { ...NO_LIMITS, maxSolutions: 1, maxNodes: 1 };

/** The subtrees of open branches, in the order of the search: from the deepest level to the root. */
function openSubtrees(levels: readonly CountedBranch[], { selected, share }: Subtree): Subtree[] {
  const subtrees: Subtree[][] = [];
  let above = selected;
  let left = share;
  for (const level of levels) {
    const { untried, ways } = level;
    const prefix = [...above, ...level.selected];
    const part = left / ways;
    const rest = left - part;
    subtrees.push(
      untried.map((decision, k) => ({
        selected: [...prefix, decision],
        isGuess: decision >= 0 && k < untried.length - 1,
        share: decision < 0 ? rest : part,
      })),
    );
    left = part;
    above = prefix;
  }
  return subtrees.reverse().flat();
}
