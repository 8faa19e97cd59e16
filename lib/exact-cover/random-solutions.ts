/**
 * Draws random solutions: each independently of the others, all solutions with the same probability.
 *
 *     count all solutions  ->  draw a number  ->  find the solution with that number  ->  draw a number ...
 *
 * A solution is found by its number without finding those before it:
 *
 *     13 solutions     a b     5 of them: numbers 0 to 4
 *                      a c     8 of them: numbers 5 to 12        number 9 is number 9 - 5 = 4 of those with a c
 *
 * At each node the options of an item divide the numbers among them by their counts, so each number is one solution. That is exact
 * at any size, as far as the numbers are drawn without bias.
 *
 * Memoised counting (memo-search.ts) provides the counts. It counts the whole problem first, however little its cache saves; the
 * descent makes the same choices in the same links, so nearly all counts that it needs are in the cache. One that was replaced there
 * is counted again where the descent is.
 *
 * The nodes are those of all counts, and the options tried in descents.
 */
import { isDecided } from './choice.ts';
import { MemoSearch } from './memo-search.ts';
import type { SolutionSearch } from './open-search.ts';
import type { ExactCoverProblem } from './problem.ts';
import { CountedSearch, NO_LIMITS, type RunLimits, SearchStop } from './search.ts';
import { DOWN, isNeededOnce, NODES, type SearchMemory } from './search-memory.ts';
import { differenceOf, type SolutionCount } from './solution-count.ts';

/** Returns a whole number from 0 to `bound` - 1, each with the same probability. */
export type DrawBelow = (bound: SolutionCount) => SolutionCount;

export class RandomSolutions extends CountedSearch implements SolutionSearch {
  /** The number of solutions of the problem; undefined until they are counted. */
  total: SolutionCount | undefined;
  /** Solutions drawn so far; `selected` has the options of the latest one, ascending. */
  solutions = 0;
  readonly memory: SearchMemory;
  readonly #memo: MemoSearch;
  readonly #below: DrawBelow;
  /** Ends at a solution, or where a limit is reached. */
  readonly #steps: Iterator<'solution' | 'limit', void>;
  #maxNodes = 0;
  #sliceEnd = 0;

  /**
   * @param problem its costs are ignored
   * @param preselected options that every solution is to contain
   */
  constructor(
    problem: ExactCoverProblem,
    below: DrawBelow,
    preselected: readonly number[] = [],
    cacheBytes?: number,
  ) {
    super();
    this.#memo = new MemoSearch(problem, cacheBytes, false);
    this.#memo.reset(preselected);
    this.memory = this.#memo.memory;
    this.#below = below;
    this.#steps = this.#draw();
  }

  /** Bytes of all arrays, without those of memoised counting. */
  get bytes(): number {
    return this.memory.words.byteLength;
  }

  get memoBytes(): number {
    return this.#memo.bytes - this.memory.words.byteLength;
  }

  /**
   * Draws solutions until a limit is reached; limits and results are those of `DancingLinks.run`, and `exhausted` means
   * that there is no solution.
   */
  run({ maxSolutions, maxNodes, sliceNodes, pauseAtSolution }: RunLimits): SearchStop {
    this.#maxNodes = maxNodes;
    this.#sliceEnd = this.nodes + sliceNodes;
    while (this.solutions < maxSolutions) {
      const step = this.#steps.next();
      if (step.done === true) return SearchStop.exhausted;
      if (step.value === 'limit') return this.nodes >= maxNodes ? SearchStop.nodeLimit : SearchStop.slice;
      if (pauseAtSolution && this.solutions < maxSolutions) return SearchStop.solution;
    }
    return SearchStop.solutionLimit;
  }

  *#draw(): Generator<'solution' | 'limit', void> {
    const { kernel } = this.#memo;
    this.total = yield* this.#count();
    const { pathLength, trailLength } = kernel;
    while (this.total > 0) {
      yield* this.#descend(this.#below(this.total));
      kernel.copySelected();
      this.selected.sort();
      this.#memo.undoTo(pathLength, trailLength);
      this.solutions++;
      yield 'solution';
    }
  }

  /** Selects the options of the solution with a number. */
  *#descend(number: SolutionCount): Generator<'limit', void> {
    const memo = this.#memo;
    const { words, counts } = memo.memory;
    let rest = number;
    for (let item = 0; ; ) {
      if (item === 0 || isDecided(words, item)) item = memo.choose();
      if (item === 0) return;
      const isOnce = isNeededOnce(words, item);
      for (let node = words[item + DOWN]; ; node = words[node + DOWN]) {
        while (this.nodes >= this.#maxNodes || this.nodes >= this.#sliceEnd) yield 'limit';
        counts[NODES]++;
        const { pathLength, trailLength } = memo.kernel;
        const isLast = isOnce && words[node + DOWN] === item;
        if (memo.decide(node)) {
          if (isLast) break;
          memo.resetBelow(item);
          const count = yield* this.#count();
          if (rest < count) break;
          rest = differenceOf(rest, count);
        }
        memo.undoTo(pathLength, trailLength);
        if (isOnce) continue;
        memo.decide(~node);
        break;
      }
    }
  }

  /** Counts the solutions of the residual problem; the links are then as before. */
  *#count(): Generator<'limit', SolutionCount> {
    const memo = this.#memo;
    for (;;) {
      const sliceNodes = this.#sliceEnd - this.nodes;
      const stop = memo.run({ ...NO_LIMITS, maxNodes: this.#maxNodes, sliceNodes });
      if (stop === SearchStop.exhausted) return memo.solutions;
      yield 'limit';
    }
  }
}
