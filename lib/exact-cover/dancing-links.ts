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
 *     1 .. N          items: node i is the head of item i's list (up, down); size[i] is its length
 *     N+1 ..          the entries of the options: option o has the nodes nodeStart[o] .. nodeStart[o+1]-1
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
 * The nodes of an option lie side by side, so walking along an option needs no links (where all options have
 * four items, node N+1+4*o+k is entry k of option o).
 *
 * *Covering* an item takes it out of the list of active items, and *hides* every option that has it: the option's
 * nodes leave the lists of all other items, its node in the covered item's own list stays. To *select* an option
 * is to cover its items. Selecting `a d f` above covers a (hides a d g), d (hides d e g), f (hides b c f); then e
 * has lost d e g and is down to `c e`, and b is down to `b g`. Both are forced, and the search is over.
 *
 * Beyond Algorithm D:
 * - What is forced by the preselected options never gets links at all: see reduction.ts. Links are then made for
 *   what is left.
 * - Hiding watches sizes. An item that falls to 1 goes into a queue, which is drained before an item is chosen;
 *   an item that falls to 0 ends the selecting at once. So every choice is between two options or more.
 * - Hidden options are recorded on a trail. Uncovering reads the trail backwards instead of walking the lists
 *   again: the same nodes in the same reverse order, with no pointer to chase, and it can start midway.
 * - The last option of an item opens no level: if it fails, there is nothing to come back to.
 * - Items are chosen by size; once a problem has shown itself hard, by size / failures: see chooseItem.
 *
 * Invariants, whenever `run` is not running (`sanity` in sanity.ts checks them):
 * - up and down are inverse to each other, and so are left and right;
 * - size[i] is the length of item i's list;
 * - an option has all its nodes in the lists of active items, or none;
 * - every active primary item has size 2 or more, unless the search stands behind a failure.
 *
 * Tried and dropped, so that nobody need try again: see the end of this file.
 */
import type { ExactCoverProblem } from './problem.ts';
import { Reduction } from './reduction.ts';

/** Why `run` came back. */
export const SearchStop = {
  /** Every possibility was seen: the number of solutions is exact. */
  exhausted: 0,
  /** `maxSolutions` were found. `run` with a higher limit goes on. */
  solutionLimit: 1,
  /** `maxNodes` were entered: what was not found may still exist. `run` with a higher limit goes on. */
  nodeLimit: 2,
  /** `sliceNodes` were entered in this call. `run` goes on. */
  slice: 3,
  /** A solution was found and `pauseAtSolution` is set. `run` goes on. */
  solution: 4,
} as const;
export type SearchStop = (typeof SearchStop)[keyof typeof SearchStop];

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

/** What the search does next; kept between calls of `run`. */
const Phase = { root: 0, choose: 1, enter: 2, backtrack: 3, done: 4 } as const;

const NOTHING_SELECTED = new Int32Array(0);

/**
 * A solver for one problem, to be run again and again with other preselected options.
 *
 * Deterministic: the same problem, preselected options and limits give the same solutions in the same order and
 * the same counts, however the search is cut into slices. Allocates in its constructor only.
 */
export class DancingLinks {
  readonly itemCount: number;
  readonly primaryCount: number;
  /** Nodes with their heads and the root, as textbooks count them: 3,241 for a 9x9 sudoku. */
  readonly nodeCount: number;

  readonly up: Int32Array;
  readonly down: Int32Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** By node: the item in whose list it is, from 1. */
  readonly itemOf: Int32Array;
  /** By node: its option, from 0; -1 for the root and the heads. */
  readonly optionOf: Int32Array;
  /** By option, and one more: its first node. */
  readonly nodeStart: Int32Array;
  /** By node: its colour, 0 for none; undefined where the problem has no colours. */
  readonly colours: Int32Array | undefined;
  /** By item from 1: length of its list. */
  readonly size: Int32Array;
  /** By item from 1: 1 for the primary items that are not covered. */
  readonly active: Uint8Array;
  /** By item from 1: one more than the option that covered it or gave it its colour; 0 for none. */
  readonly settledBy: Int32Array;

  /**
   * After a solution, up to the next `run`: its options are the first `selectedCount` entries, the preselected
   * ones first, then in the order in which they were found.
   */
  readonly selected: Int32Array;
  selectedCount = 0;

  /** Nodes of the search tree that were entered: the root, and one for each option tried. */
  nodes = 0;
  /** Options tried while another one was left to try instead. */
  guesses = 0;
  /** Nodes unlinked from an item's list, or spared that by the reduction: Knuth's measure of work. */
  updates = 0;
  solutions = 0;

  private readonly reduction: Reduction;
  private readonly preselected: Int32Array;
  private preselectedCount = 0;
  private phase: number = Phase.root;

  /** By level: the node whose option is being tried there. */
  private readonly levelNode: Int32Array;
  /** By level: how much was selected, and hidden, before. */
  private readonly levelSelected: Int32Array;
  private readonly levelHidden: Int32Array;
  private depth = 0;
  /** The trail: the nodes, each in the list of a covered item, through which options were hidden. */
  private readonly hidden: Int32Array;
  private hiddenCount = 0;
  private rootSelected = 0;
  /** Whether up, down, left and right belong to this search: its root may end before there are links. */
  private linked = false;
  private readonly queue: Int32Array;

  /** By item from 1: how often it was the one with no option left; raises its turn. */
  private readonly failures: Int32Array;

  /** @param problem as made or checked by createProblem and checkProblem: it is not checked again */
  constructor(problem: ExactCoverProblem) {
    const reduction = new Reduction(problem);
    const { itemCount, optionCount } = reduction;
    const nodeCount = 1 + itemCount + problem.items.length;
    this.reduction = reduction;
    this.itemCount = itemCount;
    this.primaryCount = problem.primaryCount;
    this.nodeCount = nodeCount;
    this.up = new Int32Array(nodeCount);
    this.down = new Int32Array(nodeCount);
    this.left = new Int32Array(itemCount + 1);
    this.right = new Int32Array(itemCount + 1);
    this.itemOf = new Int32Array(nodeCount);
    this.optionOf = new Int32Array(nodeCount).fill(-1);
    this.nodeStart = problem.optionStart.map((start) => start + itemCount + 1);
    this.colours = problem.colours === undefined ? undefined : new Int32Array(nodeCount);
    this.nameNodes();
    this.size = reduction.size;
    this.active = reduction.active;
    this.settledBy = reduction.settledBy;
    this.selected = reduction.selected;
    this.preselected = new Int32Array(optionCount);
    const mostLevels = Math.min(optionCount, problem.primaryCount) + 1;
    this.levelNode = new Int32Array(mostLevels);
    this.levelSelected = new Int32Array(mostLevels);
    this.levelHidden = new Int32Array(mostLevels);
    this.hidden = new Int32Array(optionCount);
    this.queue = new Int32Array(itemCount + 1);
    this.failures = new Int32Array(itemCount + 1);
    this.reset();
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
    const { optionCount } = this.reduction;
    this.preselectedCount = 0;
    this.phase = Phase.root;
    this.linked = false;
    this.selectedCount = 0;
    this.nodes = 0;
    this.guesses = 0;
    this.updates = 0;
    this.solutions = 0;
    for (let k = 0; k < count; k++) {
      const option = options[k];
      if (!(option >= 0 && option < optionCount)) {
        throw new RangeError(
          `preselected option ${option} is out of range: expected 0 to ${optionCount - 1}`,
        );
      }
      // More of them than there are options cannot all fit; the clash shows without the rest.
      if (this.preselectedCount < optionCount) {
        this.preselected[this.preselectedCount++] = option;
      }
    }
  }

  /**
   * Searches until a limit is reached or everything was seen. Call it again to go on: cut into slices in any
   * way, a search gives the same solutions and counts.
   *
   * A problem with no primary item has exactly one solution, the empty one. One with primary items and no
   * options has none. With `maxSolutions` 0 nothing is searched, and the answer is `solutionLimit`.
   */
  run(limits: RunLimits): SearchStop {
    const { maxSolutions, maxNodes, pauseAtSolution } = limits;
    const sliceEnd = this.nodes + limits.sliceNodes;
    if (this.solutions >= maxSolutions) {
      return SearchStop.solutionLimit;
    }
    for (;;) {
      switch (this.phase) {
        case Phase.choose: {
          const item = this.chooseItem();
          if (item !== 0) {
            this.openLevel(this.down[item]);
            this.phase = Phase.enter;
            break;
          }
          this.solutions++;
          this.phase = Phase.backtrack;
          if (this.solutions >= maxSolutions) {
            return SearchStop.solutionLimit;
          }
          if (pauseAtSolution) {
            return SearchStop.solution;
          }
          break;
        }
        case Phase.backtrack:
          if (this.depth === 0) {
            this.phase = Phase.done;
            break;
          }
          this.undoTo(this.levelSelected[this.depth - 1], this.levelHidden[this.depth - 1]);
          this.levelNode[this.depth - 1] = this.down[this.levelNode[this.depth - 1]];
          this.phase = Phase.enter;
          break;
        case Phase.enter: {
          if (this.nodes >= maxNodes) {
            return SearchStop.nodeLimit;
          }
          if (this.nodes >= sliceEnd) {
            return SearchStop.slice;
          }
          this.nodes++;
          const node = this.levelNode[this.depth - 1];
          if (this.down[node] === this.itemOf[node]) {
            this.depth--;
          } else {
            this.guesses++;
          }
          this.phase = this.select(node) ? Phase.choose : Phase.backtrack;
          break;
        }
        case Phase.root:
          if (this.nodes >= maxNodes) {
            return SearchStop.nodeLimit;
          }
          this.nodes++;
          this.phase = this.enterRoot() ? Phase.choose : Phase.done;
          break;
        default:
          return SearchStop.exhausted;
      }
    }
  }

  /** Ends the search, putting every link back to where it was when the search began. */
  rewind(): void {
    if (this.linked) {
      this.undoTo(this.rootSelected, 0);
    }
    this.depth = 0;
    this.phase = Phase.done;
  }

  /** The root: what the preselected options force, then links for what is left. False: no solution. */
  private enterRoot(): boolean {
    const { reduction } = this;
    this.depth = 0;
    this.hiddenCount = 0;
    reduction.restore();
    let consistent = true;
    for (let k = 0; consistent && k < this.preselectedCount; k++) {
      consistent = reduction.select(this.preselected[k]);
    }
    consistent = consistent && reduction.queueSingles() && reduction.drain();
    this.updates = reduction.updates;
    this.selectedCount = reduction.selectedCount;
    this.rootSelected = reduction.selectedCount;
    if (consistent) {
      this.link();
    }
    return consistent;
  }

  /** Links the items that are active and the options that are alive. */
  private link(): void {
    const { up, down, left, right, itemOf, nodeStart, itemCount, active } = this;
    const { alive } = this.reduction;
    let last = 0;
    for (let item = 1; item <= itemCount; item++) {
      up[item] = item;
      down[item] = item;
      if (active[item] === 1) {
        left[item] = last;
        right[last] = item;
        last = item;
      } else {
        // Alone in a list of its own: covering a secondary item unlinks it from nothing.
        left[item] = item;
        right[item] = item;
      }
    }
    left[0] = last;
    right[last] = 0;
    for (let option = 0; option < alive.length; option++) {
      if (alive[option] === 0) {
        continue;
      }
      for (let node = nodeStart[option], end = nodeStart[option + 1]; node < end; node++) {
        const item = itemOf[node];
        const bottom = up[item];
        up[node] = bottom;
        down[bottom] = node;
        down[node] = item;
        up[item] = node;
      }
    }
    this.linked = true;
  }

  private openLevel(node: number): void {
    this.levelNode[this.depth] = node;
    this.levelSelected[this.depth] = this.selectedCount;
    this.levelHidden[this.depth] = this.hiddenCount;
    this.depth++;
  }

  /** The item to branch on; 0 where every primary item is covered. */
  private chooseItem(): number {
    const { right, size } = this;
    let best = 0;
    let least = 0x7fff_ffff;
    for (let item = right[0]; item !== 0; item = right[item]) {
      if (size[item] < least) {
        least = size[item];
        best = item;
        if (least <= 2) {
          break;
        }
      }
    }
    return best;
  }

  /**
   * Selects the option of a node, then all that this forces.
   *
   * @returns false where an item has no option left; links are then half-way, for undoTo to put back
   */
  private select(first: number): boolean {
    const { up, down, left, right, itemOf, optionOf, nodeStart, size, active, settledBy } = this;
    const { selected, hidden, queue, colours } = this;
    let selectedCount = this.selectedCount;
    let hiddenCount = this.hiddenCount;
    let updates = this.updates;
    let queueStart = 0;
    let queueEnd = 0;
    let failed = 0;
    let option = optionOf[first];
    for (;;) {
      const begin = nodeStart[option];
      const end = nodeStart[option + 1];
      selected[selectedCount++] = option;
      for (let node = begin; node < end; node++) {
        const item = itemOf[node];
        active[item] = 0;
        right[left[item]] = right[item];
        left[right[item]] = left[item];
      }
      for (let node = begin; node < end && failed === 0; node++) {
        const item = itemOf[node];
        let colour = 0;
        if (colours !== undefined) {
          colour = colours[node];
          if (colour !== 0 && settledBy[item] !== 0) {
            continue;
          }
        }
        settledBy[item] = option + 1;
        for (let across = down[item]; across !== item; across = down[across]) {
          if (across === node || (colour !== 0 && colours![across] === colour)) {
            continue;
          }
          const other = optionOf[across];
          const otherBegin = nodeStart[other];
          const otherEnd = nodeStart[other + 1];
          hidden[hiddenCount++] = across;
          updates += otherEnd - otherBegin - 1;
          for (let gone = otherBegin; gone < otherEnd; gone++) {
            if (gone === across) {
              continue;
            }
            const above = up[gone];
            const below = down[gone];
            down[above] = below;
            up[below] = above;
            const lost = itemOf[gone];
            const remaining = --size[lost];
            if (remaining <= 1 && active[lost] === 1) {
              if (remaining === 1) {
                queue[queueEnd++] = lost;
              } else {
                failed = lost;
              }
            }
          }
          if (failed !== 0) {
            break;
          }
        }
      }
      if (failed !== 0) {
        this.failures[failed]++;
        break;
      }
      let forced = 0;
      while (queueStart < queueEnd && forced === 0) {
        const item = queue[queueStart++];
        forced = active[item] === 1 ? item : 0;
      }
      if (forced === 0) {
        break;
      }
      option = optionOf[down[forced]];
    }
    this.selectedCount = selectedCount;
    this.hiddenCount = hiddenCount;
    this.updates = updates;
    return failed === 0;
  }

  /** Uncovers what was covered since: the trail backwards, then the selected options backwards. */
  private undoTo(selectedCount: number, hiddenCount: number): void {
    const { up, down, left, right, itemOf, optionOf, nodeStart, size, active, settledBy } = this;
    const { selected, hidden, primaryCount } = this;
    for (let k = this.hiddenCount - 1; k >= hiddenCount; k--) {
      const across = hidden[k];
      const other = optionOf[across];
      const begin = nodeStart[other];
      for (let node = nodeStart[other + 1] - 1; node >= begin; node--) {
        if (node !== across) {
          down[up[node]] = node;
          up[down[node]] = node;
          size[itemOf[node]]++;
        }
      }
    }
    this.hiddenCount = hiddenCount;
    for (let k = this.selectedCount - 1; k >= selectedCount; k--) {
      const option = selected[k];
      const begin = nodeStart[option];
      for (let node = nodeStart[option + 1] - 1; node >= begin; node--) {
        const item = itemOf[node];
        right[left[item]] = item;
        left[right[item]] = item;
        active[item] = item <= primaryCount ? 1 : 0;
        if (settledBy[item] === option + 1) {
          settledBy[item] = 0;
        }
      }
    }
    this.selectedCount = selectedCount;
  }

  private nameNodes(): void {
    const { reduction, itemCount, itemOf, optionOf, nodeStart } = this;
    for (let item = 1; item <= itemCount; item++) {
      itemOf[item] = item;
    }
    itemOf.set(reduction.optionItems, itemCount + 1);
    this.colours?.set(reduction.colours!, itemCount + 1);
    for (let option = 0; option < reduction.optionCount; option++) {
      optionOf.fill(option, nodeStart[option], nodeStart[option + 1]);
    }
  }
}
