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
import { MemoSearch } from './memo-search.ts';
import type { ExactCoverProblem } from './problem.ts';
import { ResumableSearch, type SearchPlace } from './resumable-search.ts';
import { type RunLimits, type SearchCounts, SearchStop } from './search.ts';
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
export interface OrdinarySearch extends Partial<Pick<SearchCounts, 'guesses' | 'updates'>> {
  readonly nodes: number;
  readonly solutions: SolutionCount;
  /** Whether the latest `run` returned because other threads have not answered yet. */
  readonly isWaiting?: boolean | undefined;
  run(limits: RunLimits): SearchStop;
}

/** A problem, and the place in its search at which counting begins: the root by default. */
interface CountStart {
  readonly problem: ExactCoverProblem;
  readonly place?: SearchPlace | undefined;
}

export class CountingSearch {
  readonly #ordinary: OrdinarySearch;
  readonly #start: () => CountStart;
  readonly #nodesBefore: number;
  /** The memoised count from the same place; undefined before it begins. */
  #count: ResumableSearch<MemoSearch> | undefined;
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
    return this.#ordinary.nodes + (this.#count?.nodes ?? this.#nodesBefore) - this.#nodesBefore;
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
    return this.#count?.links.bytes ?? 0;
  }

  /** Solutions found so far, at most those that were requested. */
  get solutions(): SolutionCount {
    const { solutions } = this.#ahead ?? this.#ordinary;
    return solutions > this.#maxSolutions ? this.#maxSolutions : solutions;
  }

  /**
   * Searches until a limit is reached; limits are totals, as for `DancingLinks.run`. It returns `slice` also between both
   * searches. Only the ordinary search pauses at solutions; if it has found none before the count is complete, it
   * continues to the first one.
   */
  run(limits: RunLimits): SearchStop {
    const { maxSolutions, maxNodes, sliceNodes } = limits;
    const ordinary = this.#ordinary;
    const count = this.#count;
    this.#maxSolutions = maxSolutions;
    const left = Math.max(0, maxNodes - this.nodes);
    if (!this.#isCounted && count?.links.isWorthwhile === true) {
      const stop = count.run({ ...limits, maxNodes: count.nodes + left });
      this.#isCounted = stop === SearchStop.exhausted;
      return this.#isCounted ? SearchStop.slice : stop;
    }
    const isKnown = ordinary.solutions > 0 || count?.solutions === 0;
    if (this.#isCounted && (!limits.pauseAtSolution || isKnown)) return SearchStop.exhausted;
    const searched = ordinary.nodes - this.#nodesBefore;
    const untilCheck = count === undefined ? ORDINARY_NODES - (searched % ORDINARY_NODES) : sliceNodes;
    const stop = ordinary.run({
      ...limits,
      maxNodes: ordinary.nodes + left,
      sliceNodes: Math.min(sliceNodes, untilCheck),
    });
    if (this.#isCounted) return stop === SearchStop.nodeLimit ? SearchStop.exhausted : stop;
    if (count === undefined && stop === SearchStop.slice && this.#isLong) {
      const { problem, place } = this.#start();
      this.#count = new ResumableSearch(new MemoSearch(problem), place);
    }
    return stop;
  }

  /** Whether the ordinary search is at a multiple of `ORDINARY_NODES`, and memoised counting is to be tried. */
  get #isLong(): boolean {
    const { nodes, updates = ORDINARY_WORK } = this.#ordinary;
    const searched = nodes - this.#nodesBefore;
    return searched % ORDINARY_NODES === 0 && workOf(searched, updates) >= ORDINARY_WORK;
  }

  /** The place of the memoised count if that is ahead of the ordinary search; else undefined. */
  place(): SearchPlace | undefined {
    return this.#ahead?.place();
  }

  /** The memoised count if it is ahead of the ordinary search. */
  get #ahead(): ResumableSearch | undefined {
    const count = this.#count;
    const isAhead = count !== undefined && (this.#isCounted || count.solutions > this.#ordinary.solutions);
    return isAhead ? count : undefined;
  }
}
