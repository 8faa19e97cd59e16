/**
 * Finds a solution with multiplicities by its number, as numbered-solutions.ts does without multiplicities.
 *
 *     10 solutions     A b in     6 of them: numbers 0 to 5
 *                      A b out    4 of them: numbers 6 to 9
 *
 * The descent decides the same options as memo-decisions.ts, which counts what it needs.
 */
import type { RunLimits } from '../dancing-links.ts';
import type { ExactCoverProblem } from '../problem.ts';
import { SearchStop } from '../search.ts';
import { differenceOf, type SolutionCount } from '../solution-count.ts';
import { DecisionState } from './decision-state.ts';
import { Decisions, decisionBytes } from './decisions.ts';
import { firstToSpare, hasOptions, MemoDecisions, openItems } from './memo-decisions.ts';

export class NumberedDecisions {
  /** The number of solutions; undefined until they are counted. */
  count: SolutionCount | undefined;
  readonly #memo: MemoDecisions;
  readonly #decisions: Decisions;
  readonly #state: DecisionState;
  readonly #allItems: readonly number[];
  /** Options tried in descents. */
  #tried = 0;
  /** The count or the descent in progress: a step for each time that a limit is reached. */
  #steps: Iterator<void>;
  #maxNodes = 0;
  #sliceEnd = 0;

  constructor(problem: ExactCoverProblem, cacheBytes?: number) {
    const { primaryCount, secondaryCount } = problem;
    this.#memo = new MemoDecisions(problem, undefined, false, cacheBytes);
    this.#decisions = new Decisions(problem);
    this.#state = new DecisionState(this.#decisions);
    this.#allItems = Array.from({ length: primaryCount + secondaryCount }, (_, item) => item);
    this.#steps = this.#countAll();
  }

  get nodes(): number {
    return this.#tried + this.#memo.nodes;
  }

  get guesses(): number {
    return this.#memo.guesses;
  }

  get updates(): number {
    return this.#decisions.updates + this.#memo.updates;
  }

  /** Bytes of both searches and the cache. */
  get bytes(): number {
    return decisionBytes(this.#decisions.problem) + this.#memo.bytes;
  }

  /** Bytes of memoised counting. */
  get memoBytes(): number {
    return this.#memo.bytes;
  }

  /** The options of the solution that was found, ascending. */
  solution(): Int32Array {
    const { chosen, chosenCount } = this.#decisions;
    return chosen.slice(0, chosenCount).sort();
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

  /** Searches until a limit is reached, as `NumberedSolutions.run` does. */
  run({ maxNodes, sliceNodes }: Pick<RunLimits, 'maxNodes' | 'sliceNodes'>): SearchStop {
    this.#maxNodes = maxNodes;
    this.#sliceEnd = this.nodes + sliceNodes;
    if (this.#steps.next().done === true) return SearchStop.exhausted;
    return this.nodes >= maxNodes ? SearchStop.nodeLimit : SearchStop.slice;
  }

  *#countAll(): Generator<void, void> {
    this.count = yield* this.#countOn();
  }

  *#descend(number: SolutionCount): Generator<void, void> {
    const decisions = this.#decisions;
    const decided: number[] = [];
    let rest = number;
    decisions.undoTo({ trail: 0, path: 0, chosen: 0 });
    decisions.settleRoot();
    for (let item = -1; ; ) {
      if (item < 0 || !hasOptions(decisions, item)) {
        const open = openItems(decisions);
        if (open.length === 0) return;
        item = firstToSpare(decisions, open);
      }
      while (this.nodes >= this.#maxNodes || this.nodes >= this.#sliceEnd) yield;
      this.#tried++;
      const option = decisions.firstOption(item);
      const { mark } = decisions;
      if (decisions.decide(option, true)) {
        const count = this.#knownCount(item) ?? (yield* this.#countBelow([...decided, option + 1], item));
        if (rest < count) {
          decided.push(option + 1);
          continue;
        }
        rest = differenceOf(rest, count);
      }
      decisions.undoTo(mark);
      decided.push(-(option + 1));
      decisions.decide(option, false);
    }
  }

  /** The number of solutions that the descent has left, if that takes no search. @param item whose options are decided */
  #knownCount(item: number): SolutionCount | undefined {
    const decisions = this.#decisions;
    const isDecided = !hasOptions(decisions, item);
    if (isDecided && openItems(decisions).length === 0) return 1;
    const { cache } = this.#memo;
    const slot = cache.slotOf(this.#state.read(this.#allItems, 0, isDecided ? 0 : decisions.firstNode(item)));
    return slot >= 0 ? cache.countAt(slot) : undefined;
  }

  /** Counts the solutions with some decisions. */
  *#countBelow(decided: readonly number[], item: number): Generator<void, SolutionCount> {
    this.#memo.reset(decided, item);
    return yield* this.#countOn();
  }

  *#countOn(): Generator<void, SolutionCount> {
    const memo = this.#memo;
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
}
