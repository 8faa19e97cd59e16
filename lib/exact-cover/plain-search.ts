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
 * With multiplicities and costs, options are decided one by one: when everything with an option is found, it goes out, and an item is
 * chosen anew. So a set of options is found once, and a node of the tree is a decision.
 *
 * Weights and restarts (choice.ts) are for searches for one or two solutions. A search for more begins without them. At the
 * nodes where it would restart, it multiplies the numbers of options of its levels:
 *
 *     root   3 options, in the first one
 *              2 options, in the second one       one of 6 branches: continue without weights
 *
 * Beyond 2^30 branches, it would not finish, and learns weights from then on (docs/explanation/search.md).
 */
import { Kernel } from './kernel.ts';
import type { ExactCoverProblem } from './problem.ts';
import {
  COPY_INTERVAL,
  FIRST_RESTART,
  MAX_BRANCHES,
  Phase,
  type RunLimits,
  type Search,
  SearchStop,
} from './search.ts';
import {
  DEPTH,
  DOWN,
  GUESSES,
  ITEM,
  NODES,
  PHASE,
  type SearchMemory,
  SOLUTIONS,
  waysOf,
} from './search-memory.ts';

/** Creates the search in TypeScript, which runs everywhere. */
export function createPlainSearch(problem: ExactCoverProblem): Search {
  return new PlainSearch(new Kernel(problem));
}

export class PlainSearch implements Search {
  readonly memory: SearchMemory;
  readonly #kernel: Kernel;
  readonly #isUseless: (() => boolean) | undefined;
  #phase: number = Phase.done;
  #depth = 0;
  /** Lengths of path and trail after the root was entered. */
  #rootPath = 0;
  #rootTrail = 0;
  /** The node count of the next restart if no solution is found, and the length of the current interval. */
  #restartAt = 0;
  #restartNodes = 0;

  /** @param isUseless whether what is below the options that are in need not be searched */
  constructor(kernel: Kernel, isUseless?: () => boolean) {
    this.memory = kernel.memory;
    this.#kernel = kernel;
    this.#isUseless = isUseless;
  }

  begin(few: boolean): void {
    this.#kernel.begin(few);
    this.#depth = 0;
    this.#phase = Phase.root;
  }

  run(limits: RunLimits): SearchStop {
    const stop = this.#search(limits);
    const { words } = this.memory;
    words[PHASE] = this.#phase;
    words[DEPTH] = this.#depth;
    return stop;
  }

  #search({ maxSolutions, maxNodes, sliceNodes, pauseAtSolution }: RunLimits): SearchStop {
    const kernel = this.#kernel;
    const { decides } = kernel;
    const { counts, words } = this.memory;
    const sliceEnd = counts[NODES] + sliceNodes;
    if (counts[SOLUTIONS] >= maxSolutions) return SearchStop.solutionLimit;
    for (;;) {
      switch (this.#phase) {
        case Phase.choose: {
          this.#phase = Phase.backtrack;
          if (this.#isUseless?.() === true) break;
          const item = kernel.choose();
          if (item > 0) {
            kernel.openLevel(++this.#depth, item);
            this.#phase = Phase.enter;
            break;
          }
          const solutions = ++counts[SOLUTIONS];
          const isLast = solutions >= maxSolutions;
          if (isLast || pauseAtSolution || solutions % COPY_INTERVAL === 1) kernel.copySelected();
          if (isLast) return SearchStop.solutionLimit;
          if (pauseAtSolution) return SearchStop.solution;
          break;
        }
        case Phase.backtrack: {
          if (this.#depth === 0) {
            this.#phase = Phase.done;
            break;
          }
          const level = kernel.levelAt(this.#depth);
          kernel.undoTo(words[level + 1], words[level + 2]);
          words[level] = decides ? ~words[level] : words[words[level] + DOWN];
          this.#phase = Phase.enter;
          break;
        }
        case Phase.enter: {
          if (counts[NODES] >= maxNodes) return SearchStop.nodeLimit;
          if (counts[NODES] >= sliceEnd) return SearchStop.slice;
          if (counts[NODES] >= this.#restartAt && this.#restarts()) break;
          counts[NODES]++;
          const node = words[kernel.levelAt(this.#depth)];
          const isOut = node < 0;
          const isLast = !decides && words[node + DOWN] === words[node + ITEM];
          if (!isOut && !isLast) counts[GUESSES]++;
          if (isOut || isLast) this.#depth--;
          const isConsistent = isOut ? kernel.remove(~node) : kernel.select(node);
          this.#phase = isConsistent ? Phase.choose : Phase.backtrack;
          break;
        }
        case Phase.root:
          if (counts[NODES] >= maxNodes) return SearchStop.nodeLimit;
          this.#phase = this.#enterRoot() ? Phase.choose : Phase.done;
          counts[NODES]++;
          break;
        default:
          return SearchStop.exhausted;
      }
    }
  }

  /** Links what the preselected options leave, then selects every forced item; false if there is no solution. */
  #enterRoot(): boolean {
    const kernel = this.#kernel;
    this.#restartNodes = FIRST_RESTART;
    this.#restartAt = FIRST_RESTART;
    const isConsistent = kernel.link() && kernel.settleRoot();
    this.#rootPath = kernel.pathLength;
    this.#rootTrail = kernel.trailLength;
    return isConsistent;
  }

  /**
   * Returns to the root, if that is of use, and keeps the weights of the items. A large problem may have a tiny tree for one
   * order of items and a hopeless one for another; restarts at growing intervals cut off this heavy tail (Gomes, Selman,
   * Kautz 1998), and the search still ends. Only while no solution is found, or solutions would be counted twice.
   */
  #restarts(): boolean {
    const kernel = this.#kernel;
    if (!kernel.decides) kernel.learning ||= !this.#isFeasible();
    this.#restartNodes *= 2;
    this.#restartAt = this.memory.counts[NODES] + this.#restartNodes;
    if (!kernel.learning || this.memory.counts[SOLUTIONS] > 0) return false;
    kernel.undoTo(this.#rootPath, this.#rootTrail);
    this.#depth = 0;
    this.#phase = Phase.choose;
    return true;
  }

  /** Whether the current branch is one of at most `MAX_BRANCHES`. */
  #isFeasible(): boolean {
    const { words } = this.memory;
    let branches = 1;
    for (let depth = 1; depth <= this.#depth; depth++) {
      branches *= waysOf(words, words[words[this.#kernel.levelAt(depth)] + ITEM]);
    }
    return branches <= MAX_BRANCHES;
  }
}
