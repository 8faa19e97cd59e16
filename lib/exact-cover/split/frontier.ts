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
import { type SearchCounts, SearchStop } from '../search.ts';
import { PRESELECTED_COUNT } from '../search-memory.ts';

/** The subproblems of a search, in the order of the search; plain data. */
export interface Subproblems {
  /** The decisions of all subproblems (open-branches.ts), one after the other. */
  readonly options: Int32Array;
  /** By subproblem, and one more: the index of its first option. */
  readonly start: Int32Array;
  /** By subproblem: 1 if its item has another option left, so that its root is a guess. */
  readonly guesses: Uint8Array;
  /** Counts of the nodes that were expanded. */
  readonly expanded: SearchCounts;
}

/** Subproblems, and how they are searched. */
export interface Frontier extends Subproblems {
  /** Whether one or two solutions are wanted, so that a search learns weights from the start. */
  readonly few: boolean;
  /** Whether it then learns clauses. */
  readonly learns: boolean;
}

/** Number of subproblems. */
export function frontierSize({ start }: Subproblems): number {
  return start.length - 1;
}

/** Bytes of the arrays of a frontier. */
export function frontierBytes({ options, start, guesses }: Subproblems): number {
  return options.byteLength + start.byteLength + guesses.byteLength;
}

/** The decisions of a subproblem. */
export function subproblemOptions({ options, start }: Subproblems, index: number): Int32Array {
  return options.subarray(start[index], start[index + 1]);
}

/** A subtree that is not searched yet. */
interface Subtree {
  readonly selected: readonly number[];
  readonly isGuess: boolean;
  /** Its part of the tree, as far as the numbers of branches show; 0 if it is a solution. */
  readonly share: number;
}

/** Expansions for each subproblem that is wanted, at most. */
const EXPANSIONS = 4;

/**
 * Bytes that the subproblems may take while they are found; packed, they take less than half. Most frontiers take less than
 * 1 MiB. Without a limit, two items with 100 and 100,000 options that have nothing in common would give 10 million.
 */
export const MAX_FRONTIER_BYTES = 16 * 2 ** 20;
/** Bytes of a subproblem while it is found, about, and of each of its options. */
const SUBPROBLEM_BYTES = 128;
const OPTION_BYTES = 8;

/**
 * Bytes of the subproblems of open branches while they are found.
 *
 * @param selected options that are selected before the first branch
 */
export function foundBytes(levels: readonly OpenBranch[], selected: number): number {
  let bytes = 0;
  let above = selected;
  for (const level of levels) {
    above += level.selected.length;
    bytes += level.untried.length * (SUBPROBLEM_BYTES + OPTION_BYTES * (above + 1));
  }
  return bytes;
}

/**
 * Splits the rest of a search. It ends at the first subproblem whose expansion would take too much memory.
 *
 * @param links a search that has entered its root and returned from `run`; afterwards, it has another state
 * @param size number of subproblems that is wanted; there may be a few times more, or fewer
 * @param maxNodes nodes that may be expanded
 * @param maxBytes bytes that the subproblems may take while they are found, if the open branches alone do not take more
 */
export function splitSearch(
  links: DancingLinks,
  size: number,
  maxNodes: number,
  maxBytes = MAX_FRONTIER_BYTES,
): Subproblems {
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
  return { ...packed(subtrees), expanded };

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
const ROOT_ONLY = {
  maxSolutions: 1,
  maxNodes: 1,
  sliceNodes: Number.POSITIVE_INFINITY,
  pauseAtSolution: false,
};

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

/** The subproblems of subtrees. */
function packed(subtrees: readonly Subtree[]): Pick<Subproblems, 'options' | 'start' | 'guesses'> {
  const start = new Int32Array(subtrees.length + 1);
  for (const [k, { selected }] of subtrees.entries()) start[k + 1] = start[k] + selected.length;
  const options = new Int32Array(start[subtrees.length]);
  for (const [k, { selected }] of subtrees.entries()) options.set(selected, start[k]);
  return { options, start, guesses: Uint8Array.from(subtrees, ({ isGuess }) => (isGuess ? 1 : 0)) };
}
