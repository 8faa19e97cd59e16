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
 * Measured, after the count (nodes and processor time of the count; solutions found per second, nodes of each):
 *
 *     dominoes 8x8         1,385      0.01 s     30,000    38
 *     dominoes 12x12       44,000     0.06 s     13,000    88
 *     empty 6x6 sudoku     2,422,000  3 s        17,000    35
 *     Langford pairs 11    192,000    0.3 s      31,000    25
 */

import type { RunLimits } from './dancing-links.ts';
import { Kernel } from './kernel.ts';
import { firstShortest, MemoSearch } from './memo-search.ts';
import type { ExactCoverProblem } from './problem.ts';
import { ResidualState } from './residual-state.ts';
import { SearchStop } from './search.ts';
import {
  createSearchMemory,
  DOWN,
  ENTRY_WORDS,
  NEXT,
  PRESELECTED_COUNT,
  RIGHT,
  ROOT,
  SELECTED_COUNT,
  type SearchMemory,
  searchBytes,
  UPDATES,
} from './search-memory.ts';
import { differenceOf, type SolutionCount } from './solution-count.ts';

export class NumberedSolutions {
  /** The number of solutions; undefined until they are counted. */
  count: SolutionCount | undefined;
  readonly #memo: MemoSearch;
  readonly #memory: SearchMemory;
  readonly #kernel: Kernel;
  readonly #state: ResidualState;
  readonly #preselected: readonly number[];
  /** Lengths of path and trail after the root was entered. */
  #rootPath = 0;
  #rootTrail = 0;
  /** Options tried in descents. */
  #tried = 0;
  /** Totals of the counts before the current one. */
  #nodesBefore = 0;
  #guessesBefore = 0;
  #updatesBefore = 0;
  /** The count or the descent in progress: a step for each time that a limit is reached. */
  #steps: Iterator<void>;
  #maxNodes = 0;
  #sliceEnd = 0;

  /**
   * @param problem without multiplicities
   * @param preselected options that every solution is to contain
   */
  constructor(problem: ExactCoverProblem, preselected: readonly number[] = [], cacheBytes?: number) {
    this.#memo = new MemoSearch(problem, cacheBytes, false);
    this.#memory = createSearchMemory(problem, new ArrayBuffer(searchBytes(problem)), 1);
    this.#kernel = new Kernel(this.#memory);
    this.#state = new ResidualState(this.#memory);
    this.#preselected = preselected;
    this.#steps = this.#countAll();
  }

  get nodes(): number {
    return this.#tried + this.#nodesBefore + this.#memo.nodes;
  }

  get guesses(): number {
    return this.#guessesBefore + this.#memo.guesses;
  }

  get updates(): number {
    return this.#memory.counts[UPDATES] + this.#updatesBefore + this.#memo.updates;
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
    this.count = yield* this.#countBelow([]);
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
    const chosen: number[] = [];
    let rest = number;
    this.#undoTo(this.#rootPath, this.#rootTrail);
    while (words[ROOT + RIGHT] !== ROOT) {
      const item = firstShortest(words);
      for (let node = words[item + DOWN]; ; node = words[node + DOWN]) {
        while (this.nodes >= this.#maxNodes || this.nodes >= this.#sliceEnd) yield;
        this.#tried++;
        const { pathLength, trailLength } = kernel;
        const isLast = words[node + DOWN] === item;
        const isConsistent = kernel.select(node);
        this.#state.toggle(pathLength, kernel.pathLength);
        if (isConsistent) {
          const option = this.#optionOf(node);
          const count = isLast
            ? undefined
            : (this.#knownCount() ?? (yield* this.#countBelow([...chosen, option])));
          if (count === undefined || rest < count) {
            chosen.push(option);
            break;
          }
          rest = differenceOf(rest, count);
        }
        this.#undoTo(pathLength, trailLength);
      }
    }
    kernel.copySelected();
  }

  /** The number of solutions that the descent has left, if that takes no search. */
  #knownCount(): SolutionCount | undefined {
    if (this.#memory.words[ROOT + RIGHT] === ROOT) return 1;
    const { cache } = this.#memo;
    const slot = cache.slotOf(this.#state.words);
    return slot >= 0 ? cache.countAt(slot) : undefined;
  }

  /** Counts the solutions with some options. */
  *#countBelow(options: readonly number[]): Generator<void, SolutionCount> {
    const memo = this.#memo;
    this.#nodesBefore += memo.nodes;
    this.#guessesBefore += memo.guesses;
    this.#updatesBefore += memo.updates;
    memo.reset([...this.#preselected, ...options]);
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

  /** The option of a node; its first entry is the one after the last, whose next has a lower address. */
  #optionOf(node: number): number {
    const { words, at } = this.#memory;
    let first = node;
    while (words[first + NEXT] > first) first = words[first + NEXT];
    first = words[first + NEXT];
    return words[at.optionOf + (first - at.entries) / ENTRY_WORDS];
  }
}
