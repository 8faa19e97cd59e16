/**
 * Forced moves before any search: what is left of a problem once some options are selected, and every item that
 * is down to a single option has had it selected too.
 *
 *     select an option --> its items are covered --> every other option that has one of them dies
 *           ^                                                   |
 *           +---- queue of items that are down to one <---------+        down to none: no solution, stop
 *
 * Nothing done here is ever undone, so it needs no links: a restored template and a few numbers an item will do.
 * Many problems that have one solution end here; for the others, the links are made for what is left.
 *
 * There are two of them, which give the same answers: narrow-reduction.ts, where each item's options fit into one
 * word of bits, and wide-reduction.ts for all others. On the givens of 17-clue sudokus the narrow one takes 0.4 of the time.
 */
import { NarrowReduction, WORD_OPTIONS } from './narrow-reduction.ts';
import type { ExactCoverProblem } from './problem.ts';
import { WideReduction } from './wide-reduction.ts';

/** Options are numbered from 0; items from 1, as in the links, whose number 0 is the root. */
export interface Reduction {
  /** Options selected, in order: first the caller's, then the forced ones. */
  readonly selected: Int32Array;
  readonly selectedCount: number;
  /** Links that the same work would have unlinked: Knuth's measure of effort. */
  readonly updates: number;
  /**
   * Starts over, selects the options and all that is forced. An option that clashes with an earlier one, or is
   * the same, is no error.
   *
   * @returns false where there is no solution: what the other members say then is of no use
   */
  reduce(options: Int32Array, count: number): boolean;
  /** Whether an option is neither selected nor excluded. */
  isAlive(option: number): boolean;
  /** Whether an item is primary and not covered. */
  isActive(item: number): boolean;
  /** Whether an item is covered or has its colour. */
  isSettled(item: number): boolean;
}

/** The reduction that suits a problem. */
export function createReduction(problem: ExactCoverProblem): Reduction {
  const size = new Int32Array(problem.primaryCount + problem.secondaryCount);
  for (const item of problem.items) {
    size[item]++;
  }
  return size.every((options) => options <= WORD_OPTIONS)
    ? new NarrowReduction(problem)
    : new WideReduction(problem);
}
