/**
 * Counts solutions without finding each of them: a residual problem that was counted before is not searched again
 * (Nishino, Yasuda, Minato, Nagata: Dancing with Decision Diagrams, AAAI 2017, without the diagrams).
 *
 * What is left after some options are selected does not depend on the order, nor on all of the choices:
 *
 *     a a . .        a b . .
 *     b b . .        a b . .        dominoes: both begin with four cells, and leave the same twelve
 *     . . . .        . . . .
 *     . . . .        . . . .
 *
 * So the 8x8 board, with 12,988,816 tilings, has 689 residual problems to branch on.
 *
 * The search is that of plain-search.ts, with three differences:
 * - It returns the number of solutions below each node, and stores it with the residual problem (residual-state.ts) in a
 *   cache (count-cache.ts).
 * - It branches on the first item with the fewest options. The choice depends on the residual problem alone, and keeps to
 *   one part of it, so that the same ones occur again. There are neither weights nor restarts.
 * - If a residual problem falls apart (components.ts), each component is counted on its own, as the whole list of active
 *   items. That is checked at the root, and whenever three quarters of the active items are covered since.
 *
 *     frame, a branch     an item, whose options are tried     sum of the counts below its options
 *     frame, a split      components                           product of their counts
 *
 * The branches are also the levels of plain-search.ts, so that open-branches.ts can store the rest of a search, up to the
 * first split: half of a product is no count.
 *
 * `isWorthwhile` becomes false if the cache saves little (savings.ts); a search that is faster at each node then continues
 * (counting-search.ts). What matters is not the rate of hits, but the nodes that they save, as most hits are near the
 * leaves. Saved nodes for each node entered, after 4,096 of them: dominoes 12x12 over 200, the empty 6x6 sudoku 1.1, Latin
 * squares of order 6 1.0, pentominoes 6x10 0.16, Langford pairs of 11 0.06, queens of order 10 0.01.
 *
 * Measured (nodes, processor time; with the search that finds each solution, nodes and time):
 *
 *     dominoes 8x8           12,988,816 solutions       1,400   0.01 s      25 million    6.2 s
 *     dominoes 16x16         2.4 * 10^30            1,151,000   1.2 s
 *     empty 6x6 sudoku       28,200,960             2,418,000   2.7 s       56 million   about 16 s
 *     Latin squares of 6     812,851,200           23,100,000   19 s
 *
 * Out of reach: Latin squares of order 7 and the empty 9x9 sudoku. The search is in TypeScript only.
 *
 * Tried and dropped: branching as choice.ts does, on the item whose options share most, 4.6 times the nodes on dominoes 8x8
 * and 2.6 on pentominoes 3x20; on the first active item of any size, half the nodes on the empty 6x6 and over 35 times
 * those on pentominoes 3x20; looking for components after half of the active items, 1.1 times the time on the empty 6x6.
 */
import { Components } from './components.ts';
import { CountCache } from './count-cache.ts';
import type { RunLimits } from './dancing-links.ts';
import { Kernel } from './kernel.ts';
import type { ExactCoverProblem } from './problem.ts';
import { ResidualState } from './residual-state.ts';
import { Savings } from './savings.ts';
import { Phase, SearchStop } from './search.ts';
import {
  createSearchMemory,
  DEPTH,
  DOWN,
  GUESSES,
  ITEM,
  isCovered,
  LEFT,
  NODES,
  PHASE,
  PRESELECTED_COUNT,
  RIGHT,
  ROOT,
  type SearchMemory,
  SPARE,
  searchBytes,
  UPDATES,
} from './search-memory.ts';
import { productOf, type SolutionCount, sumOf } from './solution-count.ts';

/** Bytes of the cache, unless the caller chooses others. */
const CACHE_BYTES = 128 * 2 ** 20;

/** The part of the active items that is covered between two searches for components. */
const CHECKED_PART = 3 / 4;

/** A bound for sums and products of nodes, far above any budget. */
const MAX_NODES = 1e30;

/** An item that was branched on, or components that are counted one after the other. */
type Frame = Branch | Split;

interface Branch {
  readonly item: number;
  /** Solutions found below its options so far. */
  count: SolutionCount;
  /** Nodes entered below it, with those that the cache saved. */
  nodes: number;
  /** Length of the path at which components are looked for. */
  readonly splitAt: number;
}

interface Split {
  readonly components: readonly (readonly number[])[];
  /** The component that is being counted. */
  current: number;
  /** Product of the counts of the components before it. */
  count: SolutionCount;
  nodes: number;
  /** The state of the search outside of this split: list of active items, mask of the keys, next check. */
  readonly active: readonly number[];
  readonly mask: Int32Array;
  readonly splitAt: number;
}

export class MemoSearch {
  readonly memory: SearchMemory;
  readonly #kernel: Kernel;
  readonly #state: ResidualState;
  readonly #components: Components;
  /** The counts of residual problems: of whole ones, and of components. */
  readonly cache: CountCache;
  readonly #frames: Frame[] = [];
  /** Number of frames that are branches: the number of levels. */
  #depth = 0;
  #phase: number = Phase.done;
  /** The count of the whole search once it is done. */
  #count: SolutionCount = 0;
  /** Number of frames that are splits. */
  #splits = 0;
  /** Selects the fields of the current component from the state. */
  #mask: Int32Array;
  readonly #key: Int32Array;
  #splitAt = 0;
  /** Of all searches with this cache. */
  readonly #savings: Savings;

  /**
   * @param cacheBytes bytes that the cache may take
   * @param mayAbandon whether `isWorthwhile` may become false
   */
  constructor(problem: ExactCoverProblem, cacheBytes = CACHE_BYTES, mayAbandon = true) {
    this.#savings = new Savings(mayAbandon);
    this.memory = createSearchMemory(problem, new ArrayBuffer(searchBytes(problem)), 1);
    this.#kernel = new Kernel(this.memory);
    this.#state = new ResidualState(this.memory);
    this.#components = new Components(this.memory);
    const keyWords = this.#state.words.length;
    this.cache = new CountCache(keyWords, cacheBytes);
    this.#key = new Int32Array(keyWords);
    this.#mask = new Int32Array(keyWords);
    this.reset([]);
  }

  /** False once the cache has saved too little; `run` then returns `slice` and searches nothing. */
  get isWorthwhile(): boolean {
    return this.#savings.isWorthwhile;
  }

  get nodes(): number {
    return this.memory.counts[NODES];
  }

  get guesses(): number {
    return this.memory.counts[GUESSES];
  }

  get updates(): number {
    return this.memory.counts[UPDATES];
  }

  /** Bytes of the search and its cache. */
  get bytes(): number {
    return this.memory.words.byteLength + this.cache.bytes;
  }

  /** Solutions found so far; after the search, all of them. Those below a split count when all its components are. */
  get solutions(): SolutionCount {
    if (this.#phase === Phase.done) return this.#count;
    let count: SolutionCount = 0;
    for (const frame of this.#frames) {
      if ('components' in frame) break;
      count = sumOf(count, frame.count);
    }
    return count;
  }

  /** Prepares a search with some options preselected, as `DancingLinks.reset` does. The cache stays. */
  reset(options: readonly number[]): void {
    const { words, at, counts } = this.memory;
    words.set(options, at.preselected);
    words[PRESELECTED_COUNT] = options.length;
    counts.fill(0);
    this.#kernel.begin(false);
    this.#frames.length = 0;
    this.#splits = 0;
    this.#depth = 0;
    this.#count = 0;
    this.#mask.fill(-1);
    this.#phase = Phase.root;
    this.#storePlace();
  }

  /** Searches until a limit is reached; the limits are those of `DancingLinks.run`, without pauses at solutions. */
  run({ maxSolutions, maxNodes, sliceNodes }: RunLimits): SearchStop {
    const stop = this.#search(maxSolutions, maxNodes, sliceNodes);
    this.#storePlace();
    return stop;
  }

  #search(maxSolutions: number, maxNodes: number, sliceNodes: number): SearchStop {
    const { counts, words } = this.memory;
    const sliceEnd = counts[NODES] + sliceNodes;
    const isLimited = Number.isFinite(maxSolutions);
    for (;;) {
      switch (this.#phase) {
        case Phase.choose:
          this.#choose();
          break;
        case Phase.enter: {
          if (isLimited && this.solutions >= maxSolutions) return SearchStop.solutionLimit;
          if (counts[NODES] >= maxNodes) return SearchStop.nodeLimit;
          if (counts[NODES] >= sliceEnd || !this.#isWorthANode()) return SearchStop.slice;
          const level = this.#levelAt(this.#depth);
          const node = words[level];
          counts[NODES]++;
          this.#savings.enter();
          if (words[node + DOWN] !== words[node + ITEM]) counts[GUESSES]++;
          const path = this.#kernel.pathLength;
          this.#phase = this.#kernel.select(node) ? Phase.choose : Phase.backtrack;
          this.#state.toggle(path, this.#kernel.pathLength);
          break;
        }
        case Phase.backtrack: {
          const branch = this.#frames[this.#frames.length - 1] as Branch;
          const level = this.#levelAt(this.#depth);
          this.#state.toggle(words[level + 1], this.#kernel.pathLength);
          this.#kernel.undoTo(words[level + 1], words[level + 2]);
          branch.nodes++;
          words[level] = words[words[level] + DOWN];
          if (words[level] === branch.item) {
            this.#frames.pop();
            this.#depth--;
            this.#splitAt = branch.splitAt;
            branch.nodes = Math.min(branch.nodes, MAX_NODES);
            this.cache.add(this.#readKey(), branch.count, branch.nodes);
            this.#return(branch.count, branch.nodes);
          } else this.#phase = Phase.enter;
          break;
        }
        case Phase.root:
          if (counts[NODES] >= maxNodes) return SearchStop.nodeLimit;
          counts[NODES]++;
          this.#phase = this.#enterRoot() ? Phase.choose : Phase.done;
          break;
        default:
          return this.#count >= maxSolutions ? SearchStop.solutionLimit : SearchStop.exhausted;
      }
    }
  }

  #enterRoot(): boolean {
    if (!this.#kernel.link()) return false;
    this.#state.begin();
    const isConsistent = this.#kernel.settleRoot();
    this.#state.toggle(0, this.#kernel.pathLength);
    this.#splitAt = 0;
    return isConsistent;
  }

  /** Counts the residual problem if that takes no search, else opens a frame for it. */
  #choose(): void {
    const { words } = this.memory;
    if (words[ROOT + RIGHT] === ROOT) {
      this.#return(1, 0);
      return;
    }
    const slot = this.cache.slotOf(this.#readKey());
    if (slot >= 0) {
      const nodes = this.cache.nodesAt(slot);
      this.#savings.save(nodes);
      this.#return(this.cache.countAt(slot), nodes);
      return;
    }
    const splitAt = this.#splitAt;
    if (this.#kernel.pathLength >= splitAt) {
      const active = this.#activeItems();
      const components = this.#components.split(active.length);
      if (components !== undefined) {
        this.#openSplit(components, active);
        return;
      }
      this.#splitAt = this.#kernel.pathLength + CHECKED_PART * active.length;
    }
    this.#openBranch(firstShortest(this.memory.words), splitAt);
  }

  #openBranch(item: number, splitAt: number): void {
    const { words } = this.memory;
    this.#frames.push({ item, count: 0, nodes: 0, splitAt });
    const level = this.#levelAt(++this.#depth);
    words[level] = words[item + DOWN];
    words[level + 1] = this.#kernel.pathLength;
    words[level + 2] = this.#kernel.trailLength;
    this.#phase = Phase.enter;
  }

  #openSplit(components: readonly (readonly number[])[], active: readonly number[]): void {
    this.#splits++;
    this.#frames.push({
      components,
      current: 0,
      count: 1,
      nodes: 0,
      active,
      mask: this.#mask,
      splitAt: this.#splitAt,
    });
    this.#separate(components[0]);
  }

  /** Makes a component the whole residual problem. */
  #separate(component: readonly number[]): void {
    const { words } = this.memory;
    this.#mask = this.#state.maskOf(component);
    this.#linkActive(component.filter((item) => !isCovered(words, item)));
    this.#splitAt = this.#kernel.pathLength + CHECKED_PART * component.length;
    this.#phase = Phase.choose;
  }

  /** Passes the count of a residual problem to the frame that it belongs to. */
  #return(count: SolutionCount, nodes: number): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) {
      this.#count = count;
      this.#phase = Phase.done;
    } else if ('components' in frame) {
      // Without the split, this component would be searched for each solution of those before it.
      const repeated = Math.min(Number(frame.count) * nodes, MAX_NODES);
      frame.count = productOf(frame.count, count);
      frame.nodes += repeated;
      this.#savings.save(repeated - nodes);
      this.#endComponent(frame);
    } else {
      frame.count = sumOf(frame.count, count);
      frame.nodes += nodes;
      this.#phase = Phase.backtrack;
    }
  }

  #endComponent(split: Split): void {
    split.current++;
    if (split.count !== 0 && split.current < split.components.length) {
      this.#separate(split.components[split.current]);
      return;
    }
    this.#frames.pop();
    this.#splits--;
    this.#linkActive(split.active);
    this.#mask = split.mask;
    this.#splitAt = split.splitAt;
    this.cache.add(this.#readKey(), split.count, split.nodes);
    this.#return(split.count, split.nodes);
  }

  /** Makes items the list of active items; covered ones are not in it, and keep their links. */
  #linkActive(items: readonly number[]): void {
    const { words } = this.memory;
    let last = ROOT;
    for (const item of items) {
      words[last + RIGHT] = item;
      words[item + LEFT] = last;
      last = item;
    }
    words[last + RIGHT] = ROOT;
    words[ROOT + LEFT] = last;
  }

  #activeItems(): number[] {
    const { words } = this.memory;
    const active: number[] = [];
    for (let item = words[ROOT + RIGHT]; item !== ROOT; item = words[item + RIGHT]) active.push(item);
    return active;
  }

  #readKey(): Int32Array {
    const { words } = this.#state;
    for (let k = 0; k < words.length; k++) this.#key[k] = words[k] & this.#mask[k];
    return this.#key;
  }

  /** Components save the most, but only after the first is counted, so there is no check within them. */
  #isWorthANode(): boolean {
    return this.#splits > 0 || this.#savings.check();
  }

  #levelAt(depth: number): number {
    return this.memory.at.levels + 3 * (depth - 1);
  }

  /** Stores what open-branches.ts reads. A component is no subtree, so a split is as yet to be searched. */
  #storePlace(): void {
    const { words } = this.memory;
    const split = this.#frames.findIndex((frame) => 'components' in frame);
    words[DEPTH] = split === -1 ? this.#depth : split;
    words[PHASE] = split === 0 ? Phase.root : this.#phase;
  }
}

/** The first active item with the fewest options; there is one. */
export function firstShortest(words: Int32Array): number {
  let shortest = words[ROOT + RIGHT];
  for (let item = words[shortest + RIGHT]; item !== ROOT; item = words[item + RIGHT]) {
    if (words[shortest + SPARE] === 1) break;
    if (words[item + SPARE] < words[shortest + SPARE]) shortest = item;
  }
  return shortest;
}
