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
 * The search is that of plain-search.ts, with these differences:
 * - It returns the number of solutions below each node, and stores it with the residual problem (residual-state.ts) in a
 *   cache (count-cache.ts).
 * - It branches on the first item with the fewest options, in one component after the other (components.ts). The choice depends on
 *   the residual problem alone, and keeps to one part of it, so that the same ones occur again. There are neither weights nor
 *   restarts.
 * - An item that fits several times is decided completely, option by option, in or out, before the next one is chosen: then each
 *   option that is out has an item that is done, and what is left depends on the items alone. While it is decided, each decision
 *   is a residual problem of its own, and the next option is part of its key: all before that are decided.
 *
 * `isWorthwhile` becomes false if the cache saves little; a search that is faster at each node then continues
 * (counting-search.ts). docs/explanation/search.md has what was measured, tried and dropped.
 */
import { firstShortest, isDecided } from './choice.ts';
import { groupComponents } from './components.ts';
import { CountCache } from './count-cache.ts';
import { Kernel } from './kernel.ts';
import type { ExactCoverProblem } from './problem.ts';
import { ResidualState } from './residual-state.ts';
import { CountedSearch, Phase, type RunLimits, SearchStop } from './search.ts';
import {
  DEPTH,
  DOWN,
  GUESSES,
  ITEM,
  isNeededOnce,
  NODES,
  PHASE,
  PRESELECTED_COUNT,
  RIGHT,
  ROOT,
  type SearchMemory,
} from './search-memory.ts';
import { type SolutionCount, sumOf } from './solution-count.ts';

/** Bytes of the cache, unless the caller chooses others. */
const CACHE_BYTES = 128 * 2 ** 20;

/** A bound for sums of nodes, far above any budget. */
const MAX_NODES = 1e30;

/** Nodes before it is checked what the cache saves; each later interval is twice as long. */
const FIRST_CHECK = 4096;

/** An item that was branched on; a level of the search. */
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
}

export class MemoSearch extends CountedSearch {
  readonly memory: SearchMemory;
  readonly kernel: Kernel;
  readonly #state: ResidualState;
  /** The counts of residual problems. */
  readonly #cache: CountCache;
  readonly #isRepeated: boolean;
  readonly #branches: Branch[] = [];
  #phase: number = Phase.done;
  /** The count of the whole search once it is done. */
  #count: SolutionCount = 0;
  /** By item: its component; undefined if there is only one. */
  #componentOf: Int32Array | undefined;
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
    this.kernel = new Kernel(problem);
    this.memory = this.kernel.memory;
    this.#state = new ResidualState(this.kernel);
    this.#cache = new CountCache(this.#state.length, cacheBytes);
    this.#isRepeated = problem.multiplicities !== undefined;
    this.reset([]);
  }

  /** Bytes of the search and its cache. */
  get bytes(): number {
    return this.memory.words.byteLength + this.#cache.bytes;
  }

  /** Solutions found so far; after the search, all of them. */
  get solutions(): SolutionCount {
    if (this.#phase === Phase.done) return this.#count;
    return this.#branches.reduce<SolutionCount>((sum, { count }) => sumOf(sum, count), 0);
  }

  /** Prepares a search with some decisions made; options are out only with multiplicities. The cache stays. */
  reset(decisions: readonly number[]): void {
    const { words, at, counts } = this.memory;
    counts.fill(0);
    words.set(decisions, at.preselected);
    words[PRESELECTED_COUNT] = decisions.length;
    this.kernel.begin(false);
    this.#branches.length = 0;
    this.#count = 0;
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
  readonly decides = (level: number): boolean => this.#branches[level - 1].decides;

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
          const node = words[this.kernel.levelAt(this.#branches.length)];
          counts[NODES]++;
          this.#entered++;
          if (node > 0 && (this.#isRepeated || words[node + DOWN] !== words[node + ITEM])) counts[GUESSES]++;
          this.#phase = this.decide(node) ? Phase.choose : Phase.backtrack;
          break;
        }
        case Phase.backtrack: {
          const branch = this.#branches.at(-1)!;
          const level = this.kernel.levelAt(this.#branches.length);
          const node = words[level];
          this.undoTo(words[level + 1], words[level + 2]);
          branch.nodes++;
          if (!branch.decides) words[level] = words[node + DOWN];
          if (branch.decides ? node < 0 : words[level] === branch.item) {
            this.#branches.pop();
            branch.nodes = Math.min(branch.nodes, MAX_NODES);
            this.#cache.add(this.#state.read(this.#tag, branch.next), branch.count, branch.nodes);
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
    if (isConsistent) this.#componentOf = groupComponents(this.memory);
    return isConsistent;
  }

  /** The first item to branch on with the fewest options to spare, of the first component; 0 if none is left. */
  choose(): number {
    return firstShortest(this.memory.words, this.#componentOf);
  }

  /** Counts the residual problem if that takes no search, else opens a branch for it. */
  #choose(): void {
    const { words } = this.memory;
    const decided = this.#isRepeated ? this.#decidedItem() : 0;
    if (words[ROOT + RIGHT] === ROOT || (this.#isRepeated && this.choose() === 0)) {
      this.#return(1, 0);
      return;
    }
    const next = decided === 0 ? 0 : words[decided + DOWN];
    const slot = this.#cache.slotOf(this.#state.read(this.#tag, next));
    if (slot >= 0) {
      const nodes = this.#cache.nodesAt(slot);
      this.#saved += nodes;
      this.#return(this.#cache.countAt(slot), nodes);
      return;
    }
    const item = decided === 0 ? this.choose() : decided;
    const decides = this.#isRepeated && !isNeededOnce(words, item);
    this.#branches.push({ item, decides, next, count: 0, nodes: 0 });
    this.kernel.openLevel(this.#branches.length, item);
    this.#phase = Phase.enter;
  }

  /** The item that is being decided, if it has options left; else 0. */
  #decidedItem(): number {
    const item = this.#branches.at(-1)?.item ?? this.#rootItem;
    return item === 0 || isDecided(this.memory.words, item) ? 0 : item;
  }

  /** Adds the count of a residual problem to the branch that it belongs to. */
  #return(count: SolutionCount, nodes: number): void {
    const branch = this.#branches.at(-1);
    if (branch === undefined) {
      this.#count = count;
      this.#phase = Phase.done;
      return;
    }
    branch.count = sumOf(branch.count, count);
    branch.nodes += nodes;
    this.#phase = Phase.backtrack;
  }

  /**
   * Whether the cache saves enough nodes: a third of them at first, and more later. What matters is not the rate of hits, but what
   * they save.
   */
  #isWorthANode(): boolean {
    if (this.#entered >= this.#checkAt) {
      const required = 0.5 + Math.log2(this.#checkAt / FIRST_CHECK) / 4;
      this.isWorthwhile &&= this.#saved >= required * this.#entered;
      this.#checkAt *= 2;
    }
    return this.isWorthwhile;
  }

  /** Stores what open-branches.ts reads. */
  #storePlace(): void {
    const { words } = this.memory;
    words[DEPTH] = this.#branches.length;
    words[PHASE] = this.#phase;
  }
}
