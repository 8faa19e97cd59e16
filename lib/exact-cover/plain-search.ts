/**
 * The search in TypeScript: depth first, without recursion, so that it can stop and continue anywhere.
 *
 *     root -> choose -> enter ----> choose ...     an option is selected, and every option that it forces
 *               ^         |
 *               |         v
 *               |     backtrack -> enter the item's next option, or the level above
 *               +--- restart
 *
 * A level is an item that was branched on: the node of the option being tried, and the lengths of path and trail
 * before it. The last option of an item opens no level: if it fails, its item has no other option to try.
 *
 * Weights and restarts (choice.ts) are for searches for one or two solutions. A search for more begins without them. At the
 * nodes where it would restart, it multiplies the numbers of options of its levels:
 *
 *     root   3 options, in the first one
 *              2 options, in the second one       one of 6 branches: continue without weights
 *
 * Beyond 2^30 branches, it would not finish, and learns weights from then on. (Langford pairs of 15, with over 10^8 nodes, have
 * 2^28; random 25x25 sudokus with 45% of their cells given have 2^31 to 2^42.) Million nodes of searches for 1,000 solutions of 36
 * such sudokus, 400,000 at most for each: 5.8 this way, 5.4 with weights from the start, over 9 if the decision is made only once
 * at 3,000 nodes; without any weights, 9 of the first 12 do not end.
 */
import { chooseItem } from './choice.ts';
import { Covering } from './covering.ts';
import { linkOptions } from './linking.ts';
import type { ExactCoverProblem } from './problem.ts';
import { COPY_INTERVAL, FIRST_RESTART, MAX_BRANCHES, Phase, type Search, SearchStop } from './search.ts';
import {
  COVERED,
  createSearchMemory,
  DEPTH,
  DOWN,
  GUESSES,
  ITEM,
  NODES,
  PHASE,
  SELECTED_COUNT,
  type SearchMemory,
  SIZE,
  SOLUTIONS,
  searchBytes,
} from './search-memory.ts';

/** Creates the search in TypeScript, which runs everywhere. */
export function createPlainSearch(problem: ExactCoverProblem): Search {
  return new PlainSearch(createSearchMemory(problem, new ArrayBuffer(searchBytes(problem)), 1));
}

class PlainSearch implements Search {
  readonly memory: SearchMemory;
  readonly #covering: Covering;
  #phase: number = Phase.done;
  #depth = 0;
  /** Lengths of path and trail after the root was entered. */
  #rootPath = 0;
  #rootTrail = 0;
  /** The node count of the next restart if no solution is found, and the length of the current interval. */
  #restartAt = 0;
  #restartNodes = 0;

  constructor(memory: SearchMemory) {
    this.memory = memory;
    this.#covering = new Covering(memory);
  }

  begin(few: boolean): void {
    this.memory.counts.fill(0);
    this.memory.words[SELECTED_COUNT] = 0;
    this.#covering.begin(few);
    this.#rootPath = 0;
    this.#rootTrail = 0;
    this.#depth = 0;
    this.#phase = Phase.root;
  }

  run(maxSolutions: number, maxNodes: number, sliceNodes: number, pauseAtSolution: boolean): SearchStop {
    const stop = this.#search(maxSolutions, maxNodes, sliceNodes, pauseAtSolution);
    const { words } = this.memory;
    words[PHASE] = this.#phase;
    words[DEPTH] = this.#depth;
    return stop;
  }

  #search(maxSolutions: number, maxNodes: number, sliceNodes: number, pauseAtSolution: boolean): SearchStop {
    const covering = this.#covering;
    const { counts, words } = this.memory;
    const sliceEnd = counts[NODES] + sliceNodes;
    if (counts[SOLUTIONS] >= maxSolutions) {
      return SearchStop.solutionLimit;
    }
    for (;;) {
      switch (this.#phase) {
        case Phase.choose: {
          const item = chooseItem(this.memory, covering.weighted);
          if (item !== 0) {
            this.#openLevel(words[item + DOWN]);
            this.#phase = Phase.enter;
            break;
          }
          this.#phase = Phase.backtrack;
          const solutions = ++counts[SOLUTIONS];
          const isLast = solutions >= maxSolutions;
          if (isLast || pauseAtSolution || solutions % COPY_INTERVAL === 1) {
            covering.copySelected();
          }
          if (isLast) {
            return SearchStop.solutionLimit;
          }
          if (pauseAtSolution) {
            return SearchStop.solution;
          }
          break;
        }
        case Phase.backtrack: {
          if (this.#depth === 0) {
            this.#phase = Phase.done;
            break;
          }
          const level = this.#levelAt(this.#depth);
          covering.undoTo(words[level + 1], words[level + 2]);
          words[level] = words[words[level] + DOWN];
          this.#phase = Phase.enter;
          break;
        }
        case Phase.enter: {
          if (counts[NODES] >= maxNodes) {
            return SearchStop.nodeLimit;
          }
          if (counts[NODES] >= sliceEnd) {
            return SearchStop.slice;
          }
          if (counts[NODES] >= this.#restartAt && this.#restarts()) {
            break;
          }
          counts[NODES]++;
          const node = words[this.#levelAt(this.#depth)];
          if (words[node + DOWN] === words[node + ITEM]) {
            this.#depth--;
          } else {
            counts[GUESSES]++;
          }
          this.#phase = covering.select(node) ? Phase.choose : Phase.backtrack;
          break;
        }
        case Phase.root:
          if (counts[NODES] >= maxNodes) {
            return SearchStop.nodeLimit;
          }
          this.#phase = this.#enterRoot() ? Phase.choose : Phase.done;
          counts[NODES]++;
          break;
        default:
          return SearchStop.exhausted;
      }
    }
  }

  rewind(): void {
    this.#covering.undoTo(this.#rootPath, this.#rootTrail);
    this.#depth = 0;
    this.#phase = Phase.done;
  }

  /** Links what the preselected options leave, then selects every forced item; false if there is no solution. */
  #enterRoot(): boolean {
    const covering = this.#covering;
    this.#depth = 0;
    this.#restartNodes = FIRST_RESTART;
    this.#restartAt = FIRST_RESTART;
    const consistent = linkOptions(this.memory) && covering.settleRoot();
    this.#rootPath = covering.pathLength;
    this.#rootTrail = covering.trailLength;
    return consistent;
  }

  /**
   * Returns to the root, if that is of use, and keeps the weights of the items. A large problem may have a tiny tree for one
   * order of items and a hopeless one for another; restarts at growing intervals cut off this heavy tail (Gomes, Selman,
   * Kautz 1998), and the search still ends. Only while no solution is found, or solutions would be counted twice.
   */
  #restarts(): boolean {
    const covering = this.#covering;
    covering.learning ||= !this.#isFeasible();
    this.#restartNodes *= 2;
    this.#restartAt = this.memory.counts[NODES] + this.#restartNodes;
    if (!covering.learning || this.memory.counts[SOLUTIONS] > 0) {
      return false;
    }
    this.rewind();
    this.#phase = Phase.choose;
    return true;
  }

  /** Whether the current branch is one of at most `MAX_BRANCHES`. */
  #isFeasible(): boolean {
    const { words } = this.memory;
    let branches = 1;
    for (let depth = 1; depth <= this.#depth; depth++) {
      const size = words[words[words[this.#levelAt(depth)] + ITEM] + SIZE];
      // The node of a covered item is not in its list.
      branches *= size < COVERED ? size : size - COVERED + 1;
    }
    return branches <= MAX_BRANCHES;
  }

  #levelAt(depth: number): number {
    return this.memory.at.levels + 3 * (depth - 1);
  }

  #openLevel(node: number): void {
    const { words } = this.memory;
    this.#depth++;
    const level = this.#levelAt(this.#depth);
    words[level] = node;
    words[level + 1] = this.#covering.pathLength;
    words[level + 2] = this.#covering.trailLength;
  }
}
