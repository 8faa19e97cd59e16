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
 * - An item that fits several times is decided completely, option by option, in or out, before the next one is chosen: then each
 *   option that is out has an item that is done, and what is left depends on the items alone. While it is decided, each decision
 *   is a residual problem of its own, and the next option is part of its key: all before that are decided.
 *
 *     frame, a branch     an item, whose options are tried, or one option, in and out     sum of the counts
 *     frame, a split      components                                                      product of their counts
 *
 * The branches are also the levels of plain-search.ts, so that open-branches.ts can store the rest of a search, up to the
 * first split: half of a product is no count.
 *
 * `isWorthwhile` becomes false if the cache saves little; a search that is faster at each node then continues
 * (counting-search.ts). docs/explanation/search.md has what was measured, tried and dropped.
 */
import { firstShortest, isDecided } from './choice.ts';
import { Components } from './components.ts';
import { CountCache } from './count-cache.ts';
import { Kernel } from './kernel.ts';
import type { ExactCoverProblem } from './problem.ts';
import { ResidualState } from './residual-state.ts';
import { CountedSearch, Phase, type RunLimits, SearchStop } from './search.ts';
import {
  createPlainMemory,
  DEPTH,
  DOWN,
  GUESSES,
  ITEM,
  isCovered,
  isNeededOnce,
  LEFT,
  NODES,
  PHASE,
  PRESELECTED_COUNT,
  RIGHT,
  ROOT,
  type SearchMemory,
  SPARE,
} from './search-memory.ts';
import { productOf, type SolutionCount, sumOf } from './solution-count.ts';

/** Bytes of the cache, unless the caller chooses others. */
const CACHE_BYTES = 128 * 2 ** 20;

/** The part of the active items that is covered between two searches for components. */
const CHECKED_PART = 3 / 4;

/** A bound for sums and products of nodes, far above any budget. */
const MAX_NODES = 1e30;

/** Nodes before it is checked what the cache saves; each later interval is twice as long. */
const FIRST_CHECK = 4096;

/** An item that was branched on, or components that are counted one after the other. */
type Frame = Branch | Split;

interface Branch {
  readonly item: number;
  /** Whether one option of the item is decided, in and out; else all its options are tried. */
  readonly decides: boolean;
  /** The node of that option if others of the item are decided before; else 0. */
  readonly next: number;
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

export class MemoSearch extends CountedSearch {
  readonly memory: SearchMemory;
  readonly kernel: Kernel;
  readonly #state: ResidualState;
  readonly #components: Components;
  /** The counts of residual problems: of whole ones, and of components. */
  readonly #cache: CountCache;
  readonly #isRepeated: boolean;
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
  readonly #wholeMask: Int32Array;
  #splitAt = 0;
  /** The item that is being decided at the root. */
  #rootItem = 0;
  /** Distinguishes the keys of searches with other options out; 0 if the item that is being decided says which. */
  #tag = 0;
  #searches = 0;
  /** False once the cache has saved too little; `run` then returns `slice` and searches nothing. */
  isWorthwhile = true;
  /** Nodes of all searches with this cache, and those that it saved. */
  #entered = 0;
  #saved = 0;
  #checkAt: number;

  /**
   * @param cacheBytes bytes that the cache may take
   * @param mayAbandon whether `isWorthwhile` may become false
   */
  constructor(problem: ExactCoverProblem, cacheBytes = CACHE_BYTES, mayAbandon = true) {
    super();
    this.#checkAt = mayAbandon ? FIRST_CHECK : Number.POSITIVE_INFINITY;
    this.memory = createPlainMemory(problem);
    this.kernel = new Kernel(this.memory);
    this.#state = new ResidualState(this.kernel);
    this.#components = new Components(this.memory);
    this.#cache = new CountCache(this.#state.length, cacheBytes);
    this.#isRepeated = problem.multiplicities !== undefined;
    this.#wholeMask = this.#state.maskOf();
    this.#mask = this.#wholeMask;
    this.reset([]);
  }

  /** Bytes of the search and its cache. */
  get bytes(): number {
    return this.memory.words.byteLength + this.cacheBytes;
  }

  get cacheBytes(): number {
    return this.#cache.bytes;
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

  /** Prepares a search with some decisions made; options are out only with multiplicities. The cache stays. */
  reset(decisions: readonly number[]): void {
    const { words, at, counts } = this.memory;
    counts.fill(0);
    words.set(decisions, at.preselected);
    words[PRESELECTED_COUNT] = decisions.length;
    this.kernel.begin(false);
    this.#frames.length = 0;
    this.#splits = 0;
    this.#depth = 0;
    this.#count = 0;
    this.#mask = this.#wholeMask;
    this.#rootItem = 0;
    this.#tag = this.#isRepeated ? ++this.#searches : 0;
    this.#phase = Phase.root;
    this.#storePlace();
  }

  /**
   * After a search is done: prepares that of the residual problem that the decisions since leave.
   *
   * @param item whose options are being decided; 0 if all of those of the items so far are
   */
  resetBelow(item: number): void {
    this.#rootItem = item;
    this.#splitAt = 0;
    this.#phase = Phase.choose;
  }

  /** Selects the option of a node, or takes that of `~node` out; false if an item has failed. */
  decide(decision: number): boolean {
    const { kernel } = this;
    const path = kernel.pathLength;
    const isConsistent = decision >= 0 ? kernel.select(decision) : kernel.remove(~decision);
    this.#state.toggle(path, kernel.pathLength);
    return isConsistent;
  }

  /** Undoes the decisions since path and trail had these lengths. */
  undoTo(pathLength: number, trailLength: number): void {
    this.#state.toggle(pathLength, this.kernel.pathLength);
    this.kernel.undoTo(pathLength, trailLength);
  }

  /** Searches until a limit is reached; the limits are those of `DancingLinks.run`, without pauses at solutions. */
  run({ maxSolutions, maxNodes, sliceNodes }: RunLimits): SearchStop {
    const stop = this.#search(maxSolutions, maxNodes, sliceNodes);
    this.#storePlace();
    return stop;
  }

  /** Whether one option is decided at a level, as for `openBranches`. */
  readonly decides = (level: number): boolean =>
    this.#frames.filter((frame) => 'item' in frame)[level - 1].decides;

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
          const node = words[this.#levelAt(this.#depth)];
          counts[NODES]++;
          this.#entered++;
          if (node > 0 && (this.#isRepeated || words[node + DOWN] !== words[node + ITEM])) counts[GUESSES]++;
          this.#phase = this.decide(node) ? Phase.choose : Phase.backtrack;
          break;
        }
        case Phase.backtrack: {
          const branch = this.#frames[this.#frames.length - 1] as Branch;
          const level = this.#levelAt(this.#depth);
          const node = words[level];
          this.undoTo(words[level + 1], words[level + 2]);
          branch.nodes++;
          if (!branch.decides) words[level] = words[node + DOWN];
          if (branch.decides ? node < 0 : words[level] === branch.item) {
            this.#frames.pop();
            this.#depth--;
            this.#splitAt = branch.splitAt;
            branch.nodes = Math.min(branch.nodes, MAX_NODES);
            this.#cache.add(this.#readKey(branch.next), branch.count, branch.nodes);
            this.#return(branch.count, branch.nodes);
            break;
          }
          if (branch.decides) words[level] = ~node;
          this.#phase = Phase.enter;
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
    const kernel = this.kernel;
    if (!kernel.link()) return false;
    this.#state.begin();
    const isConsistent = kernel.settleRoot();
    this.#state.toggle(0, kernel.pathLength);
    this.#splitAt = 0;
    return isConsistent;
  }

  /** Counts the residual problem if that takes no search, else opens a frame for it. */
  #choose(): void {
    const { words } = this.memory;
    const decided = this.#isRepeated ? this.#decidedItem() : 0;
    if (words[ROOT + RIGHT] === ROOT || (this.#isRepeated && firstShortest(words) === 0)) {
      this.#return(1, 0);
      return;
    }
    const next = decided === 0 ? 0 : words[decided + DOWN];
    const slot = this.#cache.slotOf(this.#readKey(next));
    if (slot >= 0) {
      const nodes = this.#cache.nodesAt(slot);
      this.#saved += nodes;
      this.#return(this.#cache.countAt(slot), nodes);
      return;
    }
    const splitAt = this.#splitAt;
    if (decided === 0 && this.kernel.pathLength >= splitAt) {
      const active = this.#activeItems();
      const open = this.#isRepeated ? active.filter((item) => words[item + SPARE] > 0) : active;
      const components = this.#components.split(open);
      if (components !== undefined) {
        this.#openSplit(components, active);
        return;
      }
      this.#splitAt = this.kernel.pathLength + CHECKED_PART * open.length;
    }
    this.#openBranch(decided === 0 ? firstShortest(words) : decided, next, splitAt);
  }

  /** The item that is being decided, if it has options left; else 0. */
  #decidedItem(): number {
    const frame = this.#frames.at(-1);
    const item = frame === undefined ? this.#rootItem : 'components' in frame ? 0 : frame.item;
    return item === 0 || isDecided(this.memory.words, item) ? 0 : item;
  }

  #openBranch(item: number, next: number, splitAt: number): void {
    const { words } = this.memory;
    const decides = this.#isRepeated && !isNeededOnce(words, item);
    this.#frames.push({ item, decides, next, count: 0, nodes: 0, splitAt });
    const level = this.#levelAt(++this.#depth);
    words[level] = words[item + DOWN];
    words[level + 1] = this.kernel.pathLength;
    words[level + 2] = this.kernel.trailLength;
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
    this.#splitAt = this.kernel.pathLength + CHECKED_PART * component.length;
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
      this.#saved += repeated - nodes;
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
    this.#cache.add(this.#readKey(), split.count, split.nodes);
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

  #readKey(next = 0): Int32Array {
    return this.#state.read(this.#mask, this.#tag, next);
  }

  /**
   * Whether the cache saves enough nodes: a third of them at first, and more later. What matters is not the rate of hits, but what
   * they save. Components save the most, but only after the first is counted, so there is no check within them.
   */
  #isWorthANode(): boolean {
    if (this.#splits === 0 && this.#entered >= this.#checkAt) {
      const required = 0.5 + Math.log2(this.#checkAt / FIRST_CHECK) / 4;
      this.isWorthwhile &&= this.#saved >= required * this.#entered;
      this.#checkAt *= 2;
    }
    return this.#splits > 0 || this.isWorthwhile;
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
