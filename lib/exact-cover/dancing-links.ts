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
 *     N+1 ..          the entries of the options, option after option
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
 * All of this is one array of records, four words each, and links are addresses of records (4 * node). One array,
 * because code on many of them spends its time fetching their bounds: the same search on an array for each field
 * took 1.16 times as long.
 *
 *     links   | 0 root | heads of items | entries of options | end || 0 list of items: one record an item |
 *     head     UP  DOWN  ITEM (itself)  SIZE                        LEFT  RIGHT  ACTIVE  WEIGHT
 *     entry    UP  DOWN  ITEM (its head)  OPTION (its option's first entry)
 *
 * The entries of an option lie side by side and share their OPTION, so walking along one needs no links.
 *
 * *Covering* an item takes it out of the list of active items, and *hides* every option that has it: the option's
 * nodes leave the lists of all other items, its node in the covered item's own list stays. To *select* an option
 * is to cover its items. Selecting `a d f` above covers a (hides a d g), d (hides d e g), f (hides b c f); then e
 * has lost d e g and is down to `c e`, and b is down to `b g`. Both are forced, and the search is over.
 *
 * Beyond Algorithm D:
 * - What the preselected options force never gets links at all: see reduction.ts. Links are then made for what is
 *   left.
 * - Hiding watches sizes. An item that falls to 1 goes into a queue, which is drained before an item is chosen;
 *   an item that falls to 0 ends the selecting at once. So every choice is between two options or more.
 * - Hidden options are recorded on a trail. Uncovering reads the trail backwards instead of walking the lists
 *   again: the same nodes in the same reverse order, with no pointer to chase, and it can start midway.
 * - The last option of an item opens no level: if it fails, there is nothing to come back to.
 * - Items are chosen by size / weight, where weight grows with each failure of the item: see chooseItem.
 * - A search that finds nothing for long starts over with the weights that it has learnt: see restart. Of 40 random
 *   25x25 sudokus with 45% givens, 4 took over 5 s without restarts, and 1 takes as long with them.
 *
 * Invariants, whenever `run` is not running (sanity.ts checks them):
 * - up and down are inverse to each other, and so are left and right;
 * - size is the length of an item's list;
 * - an option has all its nodes in the lists of active items, or none;
 * - every active item has size 2 or more, unless the search stands behind a failure.
 *
 * Tried and dropped (all 375 puzzles of a file of hard sudokus; nodes a puzzle, where this file needs 286):
 * - the first item of least size, as in Algorithm D: 734; comparing ties by weight only: 371; by the sizes around
 *   them only: 517; weight as one summand among others: 341; weights that grow by 5% with each failure: 325;
 *   blaming the item that was branched on as well: 329;
 * - taking the last item that failed first: 461;
 * - unlinking a hidden option from the covered item's list too, so that all options are walked in the same way: the
 *   same nodes in 1.08 of the time.
 */

import type { LinkArrays } from './link-arrays.ts';
import type { ExactCoverProblem } from './problem.ts';
import { createReduction, type Reduction } from './reduction.ts';

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

/** Words of a record, and its fields. */
const RECORD = 4;
const UP = 0;
const DOWN = 1;
const ITEM = 2;
const OPTION = 3;
const SIZE = 3;
const LEFT = 0;
const RIGHT = 1;
const ACTIVE = 2;
const WEIGHT = 3;

/** How many items that are equally good are compared before one is chosen. */
const TIES = 8;

/** Nodes before the first restart; each one after it comes twice as late. */
const FIRST_RESTART = 3000;

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
  selectedCount = 0;

  /** Nodes of the search tree that were entered: the root, and one for each option tried. */
  nodes = 0;
  /** Options tried while another one was left to try instead. */
  guesses = 0;
  /** Nodes unlinked from an item's list, or spared that by the reduction: Knuth's measure of work. */
  updates = 0;
  solutions = 0;

  private readonly problem: ExactCoverProblem;
  private readonly reduction: Reduction;
  private readonly preselected: Int32Array;
  private preselectedCount = 0;
  private phase: number = Phase.root;

  /** All records: see the picture above. */
  private readonly links: Int32Array;
  /** Where the list of items begins in `links`; an item's record there is as far on as its head is from 0. */
  private readonly itemsAt: number;
  /** By record from the first entry on: its option. */
  private readonly optionOf: Int32Array;
  /** By item from 1: the first entry of the option that gave it its colour, or covered it; 0 for none. */
  private readonly settledBy: Int32Array;

  /** By level: the node whose option is being tried there. */
  private readonly levelNode: Int32Array;
  /** By level: how much was selected, and hidden, before. */
  private readonly levelSelected: Int32Array;
  private readonly levelHidden: Int32Array;
  private depth = 0;
  /** Nodes at which the search starts over if it has found nothing, and how many it was given this time. */
  private restartAt = 0;
  private restartNodes = 0;
  /** The trail: the nodes, each in the list of a covered item, through which options were hidden. */
  private readonly hidden: Int32Array;
  private hiddenCount = 0;
  /** First entries of the options selected in the search, oldest first. */
  private readonly path: Int32Array;
  private pathLength = 0;
  private readonly queue: Int32Array;
  /** Whether the links belong to this search: it may end before there are any. */
  private linked = false;
  /** Whether an item has failed since the root. */
  private weighted = false;

  /** @param problem as made or checked by createProblem and checkProblem: it is not checked again */
  constructor(problem: ExactCoverProblem) {
    const { optionCount, primaryCount } = problem;
    const itemCount = primaryCount + problem.secondaryCount;
    this.problem = problem;
    this.reduction = createReduction(problem);
    this.itemCount = itemCount;
    this.nodeCount = 1 + itemCount + problem.items.length;
    this.itemsAt = RECORD * (this.nodeCount + 1);
    this.links = new Int32Array(this.itemsAt + RECORD * (1 + itemCount));
    this.optionOf = new Int32Array(problem.items.length);
    this.settledBy = new Int32Array(itemCount + 1);
    this.nameNodes();
    this.selected = new Int32Array(optionCount);
    this.preselected = new Int32Array(optionCount);
    const mostLevels = Math.min(optionCount, primaryCount) + 1;
    this.levelNode = new Int32Array(mostLevels);
    this.levelSelected = new Int32Array(mostLevels);
    this.levelHidden = new Int32Array(mostLevels);
    this.path = new Int32Array(mostLevels);
    this.hidden = new Int32Array(optionCount);
    this.queue = new Int32Array(itemCount + 1);
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
    const { optionCount } = this.problem;
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
            this.openLevel(this.links[item + DOWN]);
            this.phase = Phase.enter;
            break;
          }
          this.solutions++;
          this.copySelected();
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
          this.levelNode[this.depth - 1] = this.links[this.levelNode[this.depth - 1] + DOWN];
          this.phase = Phase.enter;
          break;
        case Phase.enter: {
          if (this.nodes >= maxNodes) {
            return SearchStop.nodeLimit;
          }
          if (this.nodes >= sliceEnd) {
            return SearchStop.slice;
          }
          if (this.solutions === 0 && this.nodes >= this.restartAt) {
            this.restart();
            break;
          }
          this.nodes++;
          const node = this.levelNode[this.depth - 1];
          if (this.links[node + DOWN] === this.links[node + ITEM]) {
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
      this.undoTo(0, 0);
    }
    this.depth = 0;
    this.phase = Phase.done;
  }

  /** The links as the arrays of a textbook, one for each field: for checks, not for speed. */
  linkArrays(): LinkArrays {
    const { links, itemsAt, itemCount, nodeCount } = this;
    const nodes = (field: number) =>
      Int32Array.from({ length: nodeCount }, (_, k) => links[RECORD * k + field]);
    const items = (field: number) =>
      Int32Array.from({ length: itemCount + 1 }, (_, k) => links[itemsAt + RECORD * k + field]);
    return {
      up: nodes(UP).map((address) => address / RECORD),
      down: nodes(DOWN).map((address) => address / RECORD),
      itemOf: nodes(ITEM).map((address) => address / RECORD),
      size: nodes(SIZE).subarray(0, itemCount + 1),
      left: items(LEFT).map((address) => address / RECORD),
      right: items(RIGHT).map((address) => address / RECORD),
      active: items(ACTIVE),
      nodeStart: this.problem.optionStart.map((start) => 1 + itemCount + start),
    };
  }

  /** The root: what the preselected options force, then links for what is left. False: no solution. */
  private enterRoot(): boolean {
    const { reduction } = this;
    const consistent = reduction.reduce(this.preselected, this.preselectedCount);
    this.depth = 0;
    this.hiddenCount = 0;
    this.pathLength = 0;
    this.updates = reduction.updates;
    if (consistent) {
      this.link();
    }
    return consistent;
  }

  /** Links the items that are active and the options that are alive. */
  private link(): void {
    const { links, itemsAt, itemCount, reduction, settledBy } = this;
    const { optionStart, optionCount, colours } = this.problem;
    let last = itemsAt;
    for (let item = 1, head = RECORD; item <= itemCount; item++, head += RECORD) {
      const inList = itemsAt + head;
      links[head + UP] = head;
      links[head + DOWN] = head;
      links[head + SIZE] = 0;
      links[inList + WEIGHT] = 1;
      if (reduction.isActive(item)) {
        links[inList + ACTIVE] = 1;
        links[inList + LEFT] = last - itemsAt;
        links[last + RIGHT] = head;
        last = inList;
      } else {
        // Alone in a list of its own: covering a secondary item unlinks it from nothing.
        links[inList + ACTIVE] = 0;
        links[inList + LEFT] = head;
        links[inList + RIGHT] = head;
      }
      if (colours !== undefined) {
        settledBy[item] = reduction.isSettled(item) ? -1 : 0;
      }
    }
    links[itemsAt + LEFT] = last - itemsAt;
    links[last + RIGHT] = 0;
    this.weighted = false;
    this.restartNodes = FIRST_RESTART;
    this.restartAt = FIRST_RESTART;
    this.linked = true;
    if (last === itemsAt) {
      return;
    }
    const entriesAt = RECORD * (1 + itemCount);
    for (let option = 0; option < optionCount; option++) {
      if (!reduction.isAlive(option)) {
        continue;
      }
      const end = entriesAt + RECORD * optionStart[option + 1];
      for (let node = entriesAt + RECORD * optionStart[option]; node < end; node += RECORD) {
        const head = links[node + ITEM];
        const bottom = links[head + UP];
        links[node + UP] = bottom;
        links[node + DOWN] = head;
        links[bottom + DOWN] = node;
        links[head + UP] = node;
        links[head + SIZE]++;
      }
    }
  }

  /**
   * Back to the root, with the weights that the items have by now. A large problem may have hardly any tree for one
   * order of items and a hopeless one for another; restarts that come ever later cut off that heavy tail (Gomes,
   * Selman, Kautz 1998), and still end. Only while nothing is found, or solutions would be counted twice.
   */
  private restart(): void {
    this.undoTo(0, 0);
    this.depth = 0;
    this.restartNodes *= 2;
    this.restartAt = this.nodes + this.restartNodes;
    this.phase = Phase.choose;
  }

  private openLevel(node: number): void {
    this.levelNode[this.depth] = node;
    this.levelSelected[this.depth] = this.pathLength;
    this.levelHidden[this.depth] = this.hiddenCount;
    this.depth++;
  }

  /**
   * The item to branch on, as the address of its head; 0 where every primary item is covered.
   *
   * The least size / weight wins. A weight is 1 and grows by 1 whenever the item was the one with no option left:
   * items that failed are where the trouble is, and coming to them early fails early (dom/wdeg, Boussemart, Hemery,
   * Lecoutre, Sais 2004). Of items equally good, the first few are compared, and the one wins whose options share
   * their items with the most other options, which selecting one of them would hide.
   */
  private chooseItem(): number {
    const { links, itemsAt, weighted } = this;
    let best = 0;
    let bestSize = 0x7fff_ffff;
    let bestWeight = 1;
    let mostShared = 0;
    let ties = 0;
    for (let item = links[itemsAt + RIGHT]; item !== 0; item = links[itemsAt + item + RIGHT]) {
      const size = links[item + SIZE];
      const weight = links[itemsAt + item + WEIGHT];
      const difference = size * bestWeight - bestSize * weight;
      if (difference > 0) {
        continue;
      }
      if (difference === 0 && ++ties > TIES) {
        if (size === 2 && !weighted) {
          break;
        }
        continue;
      }
      let shared = 0;
      for (let node = links[item + DOWN]; node !== item; node = links[node + DOWN]) {
        const first = links[node + OPTION];
        for (let entry = first; links[entry + OPTION] === first; entry += RECORD) {
          shared += links[links[entry + ITEM] + SIZE];
        }
      }
      if (difference < 0) {
        ties = 1;
      } else if (shared <= mostShared) {
        continue;
      }
      best = item;
      bestSize = size;
      bestWeight = weight;
      mostShared = shared;
    }
    return best;
  }

  /**
   * Selects the option of a node, then all that this forces. Long, because every call in here would fetch the
   * state of the search again, for each of a dozen forced options.
   *
   * @returns false where an item has no option left; links are then half-way, for undoTo to put back
   */
  private select(first: number): boolean {
    const { links, itemsAt, path, hidden, queue } = this;
    const { colours } = this.problem;
    let { pathLength, hiddenCount, updates } = this;
    let queueStart = 0;
    let queueEnd = 0;
    let failed = 0;
    let option = links[first + OPTION];
    for (;;) {
      path[pathLength++] = option;
      for (let node = option; links[node + OPTION] === option; node += RECORD) {
        const item = itemsAt + links[node + ITEM];
        const before = links[item + LEFT];
        const after = links[item + RIGHT];
        links[item + ACTIVE] = 0;
        links[itemsAt + before + RIGHT] = after;
        links[itemsAt + after + LEFT] = before;
      }
      for (let node = option; failed === 0 && links[node + OPTION] === option; node += RECORD) {
        const item = links[node + ITEM];
        let colour = 0;
        if (colours !== undefined) {
          colour = this.colourAt(node);
          if (!this.settle(item, option, colour)) {
            continue;
          }
        }
        for (let across = links[item + DOWN]; across !== item; across = links[across + DOWN]) {
          if (across === node || (colour !== 0 && this.colourAt(across) === colour)) {
            continue;
          }
          const other = links[across + OPTION];
          hidden[hiddenCount++] = across;
          updates--;
          for (let gone = other; links[gone + OPTION] === other; gone += RECORD) {
            updates++;
            if (gone === across) {
              continue;
            }
            const above = links[gone + UP];
            const below = links[gone + DOWN];
            const lost = links[gone + ITEM];
            links[above + DOWN] = below;
            links[below + UP] = above;
            const left = links[lost + SIZE] - 1;
            links[lost + SIZE] = left;
            if (left <= 1 && links[itemsAt + lost + ACTIVE] === 1) {
              if (left === 1) {
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
      let forced = 0;
      while (failed === 0 && forced === 0 && queueStart < queueEnd) {
        const item = queue[queueStart++];
        forced = links[itemsAt + item + ACTIVE] === 1 ? item : 0;
      }
      if (forced === 0) {
        break;
      }
      option = links[links[forced + DOWN] + OPTION];
    }
    this.pathLength = pathLength;
    this.hiddenCount = hiddenCount;
    this.updates = updates;
    if (failed !== 0) {
      links[itemsAt + failed + WEIGHT]++;
      this.weighted = true;
    }
    return failed === 0;
  }

  /** Uncovers what was covered since: the trail backwards, then the selected options backwards. */
  private undoTo(pathLength: number, hiddenCount: number): void {
    const { links, itemsAt, path, hidden } = this;
    const { primaryCount, colours } = this.problem;
    for (let k = this.hiddenCount - 1; k >= hiddenCount; k--) {
      const across = hidden[k];
      const option = links[across + OPTION];
      let node = across + RECORD;
      while (links[node + OPTION] === option) {
        node += RECORD;
      }
      for (node -= RECORD; node >= option; node -= RECORD) {
        if (node !== across) {
          links[links[node + UP] + DOWN] = node;
          links[links[node + DOWN] + UP] = node;
          links[links[node + ITEM] + SIZE]++;
        }
      }
    }
    this.hiddenCount = hiddenCount;
    const lastPrimary = RECORD * primaryCount;
    for (let k = this.pathLength - 1; k >= pathLength; k--) {
      const option = path[k];
      let node = option + RECORD;
      while (links[node + OPTION] === option) {
        node += RECORD;
      }
      for (node -= RECORD; node >= option; node -= RECORD) {
        const item = links[node + ITEM];
        links[itemsAt + links[itemsAt + item + LEFT] + RIGHT] = item;
        links[itemsAt + links[itemsAt + item + RIGHT] + LEFT] = item;
        links[itemsAt + item + ACTIVE] = item <= lastPrimary ? 1 : 0;
        if (colours !== undefined && this.settledBy[item / RECORD] === option) {
          this.settledBy[item / RECORD] = 0;
        }
      }
    }
    this.pathLength = pathLength;
  }

  private colourAt(node: number): number {
    return this.problem.colours![node / RECORD - 1 - this.itemCount];
  }

  /** Notes that an option covers an item or gives it a colour; false where it has its colour already. */
  private settle(item: number, option: number, colour: number): boolean {
    const index = item / RECORD;
    if (colour !== 0 && this.settledBy[index] !== 0) {
      return false;
    }
    this.settledBy[index] = option;
    return true;
  }

  private copySelected(): void {
    const { selected, reduction, path, optionOf } = this;
    const forced = reduction.selectedCount;
    for (let k = 0; k < forced; k++) {
      selected[k] = reduction.selected[k];
    }
    for (let k = 0; k < this.pathLength; k++) {
      selected[forced + k] = optionOf[path[k] / RECORD - 1 - this.itemCount];
    }
    this.selectedCount = forced + this.pathLength;
  }

  private nameNodes(): void {
    const { links, itemCount, nodeCount, optionOf } = this;
    const { optionCount, optionStart, items } = this.problem;
    const entriesAt = RECORD * (1 + itemCount);
    for (let head = RECORD; head < entriesAt; head += RECORD) {
      links[head + ITEM] = head;
    }
    for (let option = 0; option < optionCount; option++) {
      for (let k = optionStart[option]; k < optionStart[option + 1]; k++) {
        links[entriesAt + RECORD * k + ITEM] = RECORD * (items[k] + 1);
        links[entriesAt + RECORD * k + OPTION] = entriesAt + RECORD * optionStart[option];
        optionOf[k] = option;
      }
    }
    // The record behind the last entry belongs to no option.
    links[RECORD * nodeCount + OPTION] = -1;
  }
}
