/**
 * Counts all solutions: decides between a search that finds each of them, and memoised counting.
 *
 *     ordinary search, some nodes  ->  memoised counting from the start  ->  done
 *                                          |  saves too little
 *                                          v
 *                                        the ordinary search continues where it was
 *
 * So a small problem has the same results with and without counting, and the search that continues has not lost its weights.
 * An abandoned count costs 4,096 nodes, or more if the cache saves too little only later: pentominoes 6x10 with 3.9 million
 * nodes take 1.02 times as long, the Soma cube with 198,000 nodes 1.4 times. Both searches spend the same budget.
 *
 * Dropped: memoised counting of the branches that the ordinary search leaves open. It would waste no node, but those
 * branches have their items covered here and there, so they have few residual problems in common.
 */
import type { RunLimits } from './dancing-links.ts';
import { MemoSearch } from './memo-search.ts';
import type { ExactCoverProblem } from './problem.ts';
import { ResumableSearch, type SearchPlace } from './resumable-search.ts';
import { SearchStop } from './search.ts';
import type { SolutionCount } from './solution-count.ts';
import { workOf } from './work.ts';

/** Memoised counting is tried after that many nodes of the ordinary search, */
export const ORDINARY_NODES = 10_000;

/**
 * or a multiple of them, if the ordinary search counts its updates: after that much work. It takes about 50 ms, as the attempt
 * does; Latin squares of order 5 would take twice as long with it.
 */
export const ORDINARY_WORK = 12_000_000;

/** A search that finds each solution; all numbers are totals. */
export interface OrdinarySearch {
  readonly nodes: number;
  readonly solutions: SolutionCount;
  readonly guesses?: number;
  readonly updates?: number;
  /** Whether the latest `run` returned because other threads have not answered yet. */
  readonly isWaiting?: boolean;
  run(limits: RunLimits): SearchStop;
}

/** A problem, and the place in its search at which counting begins: the root by default. */
export interface CountStart {
  readonly problem: ExactCoverProblem;
  readonly place?: SearchPlace | undefined;
}

/** A memoised count that can be stored, and continued; all numbers are totals. */
export class MemoisedCount extends ResumableSearch {
  readonly #memo: MemoSearch;

  constructor({ problem, place }: CountStart) {
    const memo = new MemoSearch(problem);
    super(memo, place);
    this.#memo = memo;
  }

  get bytes(): number {
    return this.#memo.bytes;
  }

  get isWorthwhile(): boolean {
    return this.#memo.isWorthwhile;
  }
}

export class CountingSearch {
  readonly #ordinary: OrdinarySearch;
  readonly #start: () => CountStart;
  readonly #nodesBefore: number;
  /** The memoised count from the same place; undefined before it begins. */
  #count: MemoisedCount | undefined;
  #isCounted = false;
  #maxSolutions = Number.POSITIVE_INFINITY;

  /**
   * @param ordinary a search that has not begun
   * @param start the same search for memoised counting; called if it is needed
   */
  constructor(ordinary: OrdinarySearch, start: () => CountStart) {
    this.#ordinary = ordinary;
    this.#start = start;
    this.#nodesBefore = ordinary.nodes;
  }

  get nodes(): number {
    return this.#ordinary.nodes + this.#countNodes;
  }

  get guesses(): number {
    return (this.#ordinary.guesses ?? 0) + (this.#count?.guesses ?? 0);
  }

  get updates(): number {
    return (this.#ordinary.updates ?? 0) + (this.#count?.updates ?? 0);
  }

  get isWaiting(): boolean {
    return this.#ordinary.isWaiting === true;
  }

  /** Solutions that the ordinary search has found. */
  get found(): SolutionCount {
    return this.#ordinary.solutions;
  }

  /** Bytes that memoised counting takes. */
  get memoBytes(): number {
    return this.#count?.bytes ?? 0;
  }

  /** Solutions found so far, at most those that were requested. */
  get solutions(): SolutionCount {
    const found = this.#isCountAhead ? this.#count!.solutions : this.#ordinary.solutions;
    return found > this.#maxSolutions ? this.#maxSolutions : found;
  }

  /**
   * Searches until a limit is reached; limits are totals, as for `DancingLinks.run`. It returns `slice` also between both
   * searches. Only the ordinary search pauses at solutions; if it has found none before the count is complete, it
   * continues to the first one.
   */
  run(limits: RunLimits): SearchStop {
    const { maxSolutions, maxNodes, sliceNodes } = limits;
    this.#maxSolutions = maxSolutions;
    const left = Math.max(0, maxNodes - this.nodes);
    if (this.#isCounted) return this.#findFirst(limits, left);
    if (this.#count?.isWorthwhile === true) {
      const stop = this.#count.run({ ...limits, maxNodes: this.#count.nodes + left });
      this.#isCounted = stop === SearchStop.exhausted;
      return this.#isCounted ? SearchStop.slice : stop;
    }
    const { nodes } = this.#ordinary;
    const searched = nodes - this.#nodesBefore;
    const untilCheck = this.#count === undefined ? ORDINARY_NODES - (searched % ORDINARY_NODES) : sliceNodes;
    const stop = this.#ordinary.run({
      ...limits,
      maxNodes: nodes + left,
      sliceNodes: Math.min(sliceNodes, untilCheck),
    });
    if (this.#count === undefined && stop === SearchStop.slice && this.#isLong) {
      this.#count = new MemoisedCount(this.#start());
    }
    return stop;
  }

  /** Whether the ordinary search is at a multiple of `ORDINARY_NODES`, and memoised counting is to be tried. */
  get #isLong(): boolean {
    const { nodes, updates = ORDINARY_WORK } = this.#ordinary;
    const searched = nodes - this.#nodesBefore;
    return searched % ORDINARY_NODES === 0 && workOf(searched, updates) >= ORDINARY_WORK;
  }

  /** Lets the ordinary search find a solution if the caller wants to pause at one, and the budget suffices. */
  #findFirst(limits: RunLimits, left: number): SearchStop {
    const isKnown = this.#ordinary.solutions > 0 || this.#count!.solutions === 0;
    if (!limits.pauseAtSolution || isKnown) return SearchStop.exhausted;
    const stop = this.#ordinary.run({ ...limits, maxNodes: this.#ordinary.nodes + left });
    return stop === SearchStop.nodeLimit ? SearchStop.exhausted : stop;
  }

  /** The place of the memoised count if that is ahead of the ordinary search; else undefined. */
  place(): SearchPlace | undefined {
    return this.#isCountAhead ? this.#count!.place() : undefined;
  }

  get #isCountAhead(): boolean {
    if (this.#count === undefined) return false;
    return this.#isCounted || this.#count.solutions > this.#ordinary.solutions;
  }

  get #countNodes(): number {
    return this.#count === undefined ? 0 : this.#count.nodes - this.#nodesBefore;
  }
}
