/**
 * Dancing links: every solution of an exact-cover problem, one after the other (Knuth, TAOCP 7.2.2.1,
 * Algorithms X, D and C).
 *
 * The idea in two lines. To take x out of a doubly linked list: `down[up[x]] = down[x]; up[down[x]] = up[x]`.
 * To put it back: `down[up[x]] = x; up[down[x]] = x`. What x remembers is enough, provided that all is put back
 * in exactly the reverse order; so a search can tear a sparse matrix down and build it up again with no copy.
 *
 *     node            what it is
 *     0               root of the list of active items (left, right)
 *     1 .. N          items: node i is the head of item i's list (up, down) and knows its length (size)
 *     N+1 ..          the entries of the options, option after option; those of one option form a ring (next)
 *
 * Knuth's small example (see problem.ts): items a-g, options c e, a d g, b c f, a d f, b g, d e g. A column here
 * is an item's list; `down` goes down, `up` goes up, and both close over the head at the top.
 *
 *     root 0 <-> a 1 <-> b 2 <-> c 3 <-> d 4 <-> e 5 <-> f 6 <-> g 7 <-> root       left, right
 *
 *     option 0                    8               9
 *     option 1   10                      11                     12
 *     option 2           13      14                      15                         up, down
 *     option 3   16                      17              18
 *     option 4           19                                     20
 *     option 5                           21      22             23
 *     size        2       2       2       3       2       2       3
 *
 * Read on in this order:
 *
 *     search-memory.ts   all of this in one array
 *     linking.ts         the root: links for what the preselected options leave
 *     covering.ts        an option and all that it forces go out of the links, and come back
 *     choice.ts          which item to branch on
 *     plain-search.ts    the search
 *     wasm-search.ts     the same in WebAssembly, from wasm/*.as, file by file; it takes half the time
 *
 * Beyond Algorithm D:
 * - Options that the preselected ones exclude never get links at all.
 * - Hiding watches sizes. An item that falls to 1 is forced, and all that is forced is selected before an item is
 *   chosen; an item that falls to 0 ends the selecting at once. So every choice is between two options or more.
 * - What is unlinked is recorded on a trail. Uncovering reads it backwards instead of walking the lists again.
 * - Items are chosen by size / weight, where weight grows with each failure of the item.
 * - A search that finds nothing for long starts over with the weights that it has learnt. Of 40 random 25x25 sudokus
 *   with 45% givens, the slowest takes 0.5 s; without restarts it took 1.8 s, and with the first after 1000 nodes, not
 *   3000, 2.4 s.
 *
 * Invariants, whenever `run` is not running (sanity.ts checks them):
 * - up and down are inverse to each other, and so are left and right;
 * - size is the length of an item's list;
 * - an option has all its nodes in the lists of active items, or none;
 * - every active item has size 2 or more, unless the search stands behind a failure.
 */

import { type LinkArrays, linkArraysOf } from './link-arrays.ts';
import type { ExactCoverProblem } from './problem.ts';
import type { Search, SearchStop } from './search.ts';
import {
  GUESSES,
  NODES,
  PRESELECTED_COUNT,
  SELECTED_COUNT,
  type SearchMemory,
  SOLUTIONS,
  UPDATES,
} from './search-memory.ts';
import { createFastestSearch } from './wasm-search.ts';

export { SearchStop } from './search.ts';

export interface RunLimits {
  /** Solutions in all, over every `run` since `reset`. At 0 nothing is searched; may be Infinity. */
  readonly maxSolutions: number;
  /** Nodes in all, over every `run` since `reset`. May be Infinity. */
  readonly maxNodes: number;
  /** Nodes in this call; at least 1, may be Infinity. */
  readonly sliceNodes: number;
  /** Come back at each solution, so that all of them can be read. */
  readonly pauseAtSolution: boolean;
}

const NOTHING_SELECTED = new Int32Array(0);

/**
 * A solver for one problem, to be run again and again with other preselected options.
 *
 * Deterministic: the same problem, preselected options and limits give the same solutions in the same order and
 * the same counts, however the search is cut into slices. Allocates in its constructor only.
 */
export class DancingLinks {
  readonly itemCount: number;
  /** Nodes with their heads and the root, as textbooks count them: 3,241 for a 9x9 sudoku. */
  readonly nodeCount: number;

  /**
   * After a solution, up to the next `run`: its options are the first `selectedCount` entries, the preselected
   * ones first, then in the order in which they were found.
   */
  readonly selected: Int32Array;

  private readonly optionCount: number;
  private readonly search: Search;
  private readonly memory: SearchMemory;
  private readonly preselected: Int32Array;

  /**
   * @param problem as made or checked by createProblem and checkProblem: it is not checked again
   * @param createSearch makes the search; by default the one in WebAssembly where there is such a thing, else the one
   *   in TypeScript. Both give the same solutions and counts.
   */
  constructor(
    problem: ExactCoverProblem,
    createSearch: (problem: ExactCoverProblem) => Search = createFastestSearch,
  ) {
    const { optionCount } = problem;
    this.optionCount = optionCount;
    this.itemCount = problem.primaryCount + problem.secondaryCount;
    this.nodeCount = 1 + this.itemCount + problem.items.length;
    this.search = createSearch(problem);
    this.memory = this.search.memory;
    const { words, at } = this.memory;
    this.selected = words.subarray(at.selected, at.selected + optionCount);
    this.preselected = words.subarray(at.preselected, at.preselected + optionCount);
    this.reset();
  }

  get selectedCount(): number {
    return this.memory.words[SELECTED_COUNT];
  }

  /** Nodes of the search tree that were entered: the root, and one for each option tried. */
  get nodes(): number {
    return this.memory.counts[NODES];
  }

  /** Options tried while another one was left to try instead. */
  get guesses(): number {
    return this.memory.counts[GUESSES];
  }

  /** Nodes unlinked from an item's list, or never linked because of what is preselected: Knuth's measure of work. */
  get updates(): number {
    return this.memory.counts[UPDATES];
  }

  get solutions(): number {
    return this.memory.counts[SOLUTIONS];
  }

  /**
   * Forgets the last search and gets ready for one in which some options are selected already, such as a
   * sudoku's givens. Options that clash with each other are no error: the search then ends exhausted.
   *
   * @param options option numbers from 0; none by default
   * @param count how many of them to use, so that one array can serve for every puzzle
   * @throws RangeError where an option is out of range
   */
  reset(options: ArrayLike<number> = NOTHING_SELECTED, count = options.length): void {
    const { optionCount, preselected } = this;
    let used = 0;
    for (let k = 0; k < count; k++) {
      const option = options[k];
      if (!(option >= 0 && option < optionCount)) {
        throw new RangeError(
          `preselected option ${option} is out of range: expected 0 to ${optionCount - 1}`,
        );
      }
      // More of them than there are options cannot all fit; the clash shows without the rest.
      if (used < optionCount) {
        preselected[used++] = option;
      }
    }
    this.memory.words[PRESELECTED_COUNT] = used;
    this.search.begin();
  }

  /**
   * Searches until a limit is reached or everything was seen. Call it again to go on: cut into slices in any
   * way, a search gives the same solutions and counts.
   *
   * A problem with no primary item has exactly one solution, the empty one. One with primary items and no
   * options has none. With `maxSolutions` 0 nothing is searched, and the answer is `solutionLimit`.
   */
  run({ maxSolutions, maxNodes, sliceNodes, pauseAtSolution }: RunLimits): SearchStop {
    return this.search.run(maxSolutions, maxNodes, sliceNodes, pauseAtSolution);
  }

  /** Ends the search, putting every link back to where it was when the root had been entered. */
  rewind(): void {
    this.search.rewind();
  }

  /** The links as the arrays of a textbook, one for each field: for checks, not for speed. */
  linkArrays(): LinkArrays {
    return linkArraysOf(this.memory);
  }
}
