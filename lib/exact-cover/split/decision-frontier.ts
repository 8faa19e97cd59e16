/**
 * Splits the rest of a search with multiplicities into subproblems, as frontier.ts does without: lists of decisions.
 *
 *     decided      3 in, 5 in, 8 in       open subtrees:   3 in, 5 in, 8 in, and its next option in or out
 *                                                          3 in, 5 in, 8 out
 *                                                          3 in, 5 out
 *                                                          3 out
 *
 * A subproblem is expanded into two, its next option in and out, until its share is small. The share of an option that is in is
 * the geometric mean of its part of the ways to decide its item, and of 1 / the number of options. Largest part of all nodes in
 * one subproblem, with that, with the first number, with the second: motley dissections of 6x7 0.10, 0.51, 0.07; reduced ones of
 * 4x5 0.03, 0.12, 0.05; 9 of 20 options 0.07, 0.01, 0.16. Dropped: shares from random probes, which take 0.15 s.
 *
 * The search has neither weights nor restarts; so subproblem after subproblem, it visits the nodes of the search that was
 * not split, and finds the same solutions in the same order.
 */
import { partWithFirst } from '../family/decision-estimate.ts';
import type { DecisionSearch } from '../family/decision-search.ts';
import { fewestToSpare } from '../family/item-choice.ts';
import { SearchStop } from '../search.ts';
import {
  EXPANSIONS,
  MAX_FRONTIER_BYTES,
  packed,
  ROOT_ONLY,
  type Subproblems,
  type Subtree,
  subtreeBytes,
} from './frontier.ts';

/**
 * Splits the rest of a search.
 *
 * @param search has entered its root and returned from `run`; afterwards, it has another state
 * @param size number of subproblems that is wanted; there may be a few times more, or fewer
 * @param maxNodes nodes that may be expanded
 * @returns subproblems whose options are decisions: 1 + an option that is in, the negative of it if the option is out
 */
export function splitDecisions(search: DecisionSearch, size: number, maxNodes: number): Subproblems {
  const expanded = { nodes: 0, guesses: 0, updates: 0 };
  let expansions = Math.min(EXPANSIONS * size, maxNodes);
  let subtrees = openSubtrees(search);
  let bytes = subtrees.reduce((sum, { selected }) => sum + subtreeBytes(selected.length), 0);
  for (let share = 1 / size; expansions > 0; share /= EXPANSIONS) {
    const before = expansions;
    let last: number;
    do {
      last = expansions;
      subtrees = subtrees.flatMap((subtree) => (subtree.share > share ? expand(subtree) : [subtree]));
    } while (expansions < last && expansions > 0);
    if (subtrees.length >= size / 2 || (before === expansions && share < Number.EPSILON)) break;
  }
  return { ...packed(subtrees), expanded };

  /** The two subtrees below one; none if it has no solution. */
  function expand(subtree: Subtree): Subtree[] {
    if (expansions === 0) return [subtree];
    const { selected } = subtree;
    bytes += 2 * subtreeBytes(selected.length + 1);
    if (bytes > MAX_FRONTIER_BYTES) {
      expansions = 0;
      return [subtree];
    }
    expansions--;
    search.reset(selected);
    const stop = search.run(ROOT_ONLY);
    if (stop === SearchStop.solutionLimit) return [{ ...subtree, share: 0 }];
    expanded.nodes += search.nodes;
    expanded.guesses += subtree.isGuess ? 1 : 0;
    expanded.updates += search.updates;
    return stop === SearchStop.exhausted ? [] : below(search, subtree);
  }
}

/** The subtrees with the next option in and out. */
function below({ decisions }: DecisionSearch, { selected, share }: Subtree): Subtree[] {
  const item = fewestToSpare(decisions);
  const part = Math.sqrt(partWithFirst(decisions, item) / decisions.size(item));
  const decision = decisions.firstOption(item) + 1;
  return [
    { selected: [...selected, decision], isGuess: true, share: share * part },
    { selected: [...selected, -decision], isGuess: false, share: share * (1 - part) },
  ];
}

/** The subtrees that are not entered yet, in the order of the search. */
function openSubtrees(search: DecisionSearch): Subtree[] {
  const { decided, levels, isOpen } = search.openDecisions;
  const { decisions } = search;
  search.restart();
  let isConsistent = decisions.settleRoot();
  let subtree: Subtree = { selected: [], isGuess: false, share: 1 };
  const above: Subtree[] = [];
  for (const [k, decision] of decided.entries()) {
    if (levels.includes(k)) {
      const [included, excluded] = below(search, subtree);
      above.push(excluded!);
      subtree = included!;
    } else subtree = { ...subtree, selected: [...subtree.selected, decision] };
    isConsistent = decisions.decide(Math.abs(decision) - 1, decision > 0);
  }
  return [...(isOpen && isConsistent ? below(search, subtree) : []), ...above.reverse()];
}
