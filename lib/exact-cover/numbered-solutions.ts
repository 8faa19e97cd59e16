/**
 * Finds a solution by its number, without finding those before it.
 *
 *     13 solutions     a b     5 of them: numbers 0 to 4
 *                      a c     8 of them: numbers 5 to 12        number 9 is number 9 - 5 = 4 of those with a c
 *
 * At each node the options of an item divide the numbers among them by their counts, so each number is one solution. A random
 * number thus is a random solution, and all solutions have the same probability if all numbers do (random-solutions.ts).
 *
 * Memoised counting (memo-search.ts) provides the counts. It counts the whole problem first, however little its cache saves; the
 * descent makes the same choices, so nearly all counts that it needs are in the cache. One that was replaced there, or that
 * was only counted by components, is counted again, from the root with the options of the descent preselected.
 *
 * The nodes are those of all counts, and the options tried in descents.
 *
 * An item that fits several times is decided option by option, as in memoised counting: in, or out.
 */
import { firstShortest, isDecided } from './choice.ts';
import type { RunLimits } from './dancing-links.ts';
import { createKernel, type DecisionKernel, type Kernel } from './kernel.ts';
import { MemoSearch } from './memo-search.ts';
import type { ExactCoverProblem } from './problem.ts';
import { ResidualState } from './residual-state.ts';
import { SearchStop } from './search.ts';
import {
  createPlainMemory,
  DOWN,
  isNeededOnce,
  PRESELECTED_COUNT,
  SELECTED_COUNT,
  type SearchMemory,
  UPDATES,
} from './search-memory.ts';
import { differenceOf, type SolutionCount } from './solution-count.ts';

export class NumberedSolutions {
  /** The number of solutions; undefined until they are counted. */
  count: SolutionCount | undefined;
  readonly #memo: MemoSearch;
  readonly #memory: SearchMemory;
  readonly #kernel: Kernel | DecisionKernel;
  readonly #state: ResidualState;
  readonly #mask: Int32Array;
  readonly #preselected: readonly number[];
  /** Lengths of path and trail after the root was entered. */
  #rootPath = 0;
  #rootTrail = 0;
  /** Options tried in descents. */
  #tried = 0;
  /** The count or the descent in progress: a step for each time that a limit is reached. */
  #steps: Iterator<void>;
  #maxNodes = 0;
  #sliceEnd = 0;

  /** @param preselected options that every solution is to contain */
  constructor(problem: ExactCoverProblem, preselected: readonly number[] = [], cacheBytes?: number) {
    this.#memo = new MemoSearch(problem, cacheBytes, false);
    this.#memory = createPlainMemory(problem);
    this.#kernel = createKernel(this.#memory);
    this.#state = new ResidualState(this.#kernel);
    this.#mask = this.#state.maskOf();
    this.#preselected = preselected;
    this.#steps = this.#countAll();
  }

  get nodes(): number {
    return this.#tried + this.#memo.nodes;
  }

  get guesses(): number {
    return this.#memo.guesses;
  }

  get updates(): number {
    return this.#memory.counts[UPDATES] + this.#memo.updates;
  }

  /** Bytes of both searches and the cache. */
  get bytes(): number {
    return 4 * this.#memory.words.length + this.#memo.bytes;
  }

  /** Bytes of memoised counting. */
  get memoBytes(): number {
    return this.#memo.bytes;
  }

  /** The options of the solution that was found, ascending. */
  solution(): Int32Array {
    const { words, at } = this.#memory;
    return words.slice(at.selected, at.selected + words[SELECTED_COUNT]).sort();
  }

  /**
   * Requests a solution, which `run` then finds; only after all are counted.
   *
   * @param number from 0 to `count - 1`
   */
  request(number: SolutionCount): void {
    if (this.count === undefined || number < 0 || number >= this.count) {
      throw new RangeError(`there is no solution ${number}: ${this.count} solutions are counted`);
    }
    this.#steps = this.#descend(number);
  }

  /**
   * Searches until a limit is reached.
   *
   * @returns `exhausted` after all solutions are counted and after the requested one is found, else `slice` or `nodeLimit`
   */
  run({ maxNodes, sliceNodes }: Pick<RunLimits, 'maxNodes' | 'sliceNodes'>): SearchStop {
    this.#maxNodes = maxNodes;
    this.#sliceEnd = this.nodes + sliceNodes;
    if (this.#steps.next().done === true) return SearchStop.exhausted;
    return this.nodes >= maxNodes ? SearchStop.nodeLimit : SearchStop.slice;
  }

  *#countAll(): Generator<void, void> {
    this.count = yield* this.#countBelow([], 0);
    if (this.count === 0) return;
    const { words, at } = this.#memory;
    words.set(this.#preselected, at.preselected);
    words[PRESELECTED_COUNT] = this.#preselected.length;
    this.#kernel.begin(false);
    this.#kernel.link();
    this.#state.begin();
    this.#kernel.settleRoot();
    this.#state.toggle(0, this.#kernel.pathLength);
    this.#rootPath = this.#kernel.pathLength;
    this.#rootTrail = this.#kernel.trailLength;
  }

  *#descend(number: SolutionCount): Generator<void, void> {
    const { words } = this.#memory;
    const kernel = this.#kernel;
    const decisions: number[] = [];
    let rest = number;
    this.#undoTo(this.#rootPath, this.#rootTrail);
    for (let item = 0; ; ) {
      if (item === 0 || isDecided(words, item)) item = firstShortest(words);
      if (item === 0) break;
      const isOnce = isNeededOnce(words, item);
      for (let node = words[item + DOWN]; ; node = words[node + DOWN]) {
        while (this.nodes >= this.#maxNodes || this.nodes >= this.#sliceEnd) yield;
        this.#tried++;
        const { pathLength, trailLength } = kernel;
        const option = kernel.optionOf(node);
        const isLast = isOnce && words[node + DOWN] === item;
        const isConsistent = kernel.select(node);
        this.#state.toggle(pathLength, kernel.pathLength);
        if (isConsistent) {
          const count = isLast
            ? undefined
            : (this.#knownCount(item) ?? (yield* this.#countBelow([...decisions, option], item)));
          if (count === undefined || rest < count) {
            decisions.push(option);
            break;
          }
          rest = differenceOf(rest, count);
        }
        this.#undoTo(pathLength, trailLength);
        if (isOnce) continue;
        decisions.push(~option);
        (kernel as DecisionKernel).remove(node);
        this.#state.toggle(pathLength, kernel.pathLength);
        break;
      }
    }
    kernel.copySelected();
  }

  /** The number of solutions that the descent has left, if that takes no search. @param item whose options are decided */
  #knownCount(item: number): SolutionCount | undefined {
    const { words } = this.#memory;
    if (firstShortest(words) === 0) return 1;
    const { cache } = this.#memo;
    const next = isDecided(words, item) ? 0 : words[item + DOWN];
    const slot = cache.slotOf(this.#state.read(this.#mask, 0, next));
    return slot >= 0 ? cache.countAt(slot) : undefined;
  }

  /** Counts the solutions with some decisions. */
  *#countBelow(decisions: readonly number[], item: number): Generator<void, SolutionCount> {
    const memo = this.#memo;
    memo.continueAt([...this.#preselected, ...decisions], item);
    for (;;) {
      const stop = memo.run({
        maxSolutions: Number.POSITIVE_INFINITY,
        maxNodes: memo.nodes + Math.max(0, this.#maxNodes - this.nodes),
        sliceNodes: Math.max(0, this.#sliceEnd - this.nodes),
        pauseAtSolution: false,
      });
      if (stop === SearchStop.exhausted) return memo.solutions;
      yield;
    }
  }

  #undoTo(pathLength: number, trailLength: number): void {
    this.#state.toggle(pathLength, this.#kernel.pathLength);
    this.#kernel.undoTo(pathLength, trailLength);
  }
}
