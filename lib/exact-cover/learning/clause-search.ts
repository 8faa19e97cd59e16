/**
 * The search with learned clauses (CDCL): guesses options, learns a clause from each failure and returns to the level at which
 * this clause forces something.
 *
 *     propagate -> conflict: learn, return, propagate ...     a conflict at level 0 ends the search
 *               -> every option decided: a solution, which a clause excludes
 *               -> guess
 *
 * An option is guessed as it was last decided, at first excluded. The search restarts when its latest clauses are worse than
 * the average (Audemard, Simon 2009).
 *
 * Tried and dropped, in thousand failures for 100 puzzles 25x25 and 36x36 of test/bench/large.ts without links before (this way
 * 99 and 95):
 * - options at first selected: 127 and 138;
 * - restarts after 50 times the Luby sequence: 109 and 140;
 * - the same with options at first selected: 130 and 146; with 20 times the sequence, 135 and 143; with 100 times, 109 and
 *   143; with a factor of 0.9 for activities, 111 and 157; of 0.98, 123 and 145; guessing always as at first, 135 and 136.
 * After 6,000 nodes of links, in seconds in total (this way 2.8 and 7.3): restarts at 1.1 times the average 3.2 and 9.4, at 1.4
 * times 2.5 and 8.4; a factor of 0.92 for activities 2.9 and 7.7; activities that begin with the weights of the links' items 3.2
 * and 6.4, but 1.4 times as long for 95% of 25x25; keeping all clauses of rank 2 changes no search.
 * Nogoods of whole selection paths at restarts (Lecoutre et al. 2007) were not tried: the clauses learnt here exclude more.
 */
import { Clauses, LITERALS } from './clauses.ts';
import { Failure } from './failure.ts';
import { OptionOrder } from './option-order.ts';
import { NO_CONFLICT, NO_REASON, Propagation } from './propagation.ts';
import type { RemainingOptions } from './remaining-options.ts';

/** The next guess, or why there is none. */
export const Step = { guess: 0, solution: 1, exhausted: 2 } as const;
export type Step = (typeof Step)[keyof typeof Step];

/** Failures between two restarts, at least. */
const MIN_INTERVAL = 50;
/** Failures over which the average ranks of the latest clauses and of all clauses are taken. */
const LATEST = 32;
const ALL = 8192;
/** The search restarts if the average of the latest ranks exceeds that of all by a quarter. */
const WORSE = 1.25;

export class ClauseSearch {
  readonly #options: RemainingOptions;
  readonly #clauses: Clauses;
  readonly #propagation: Propagation;
  readonly #failure: Failure;
  readonly #order: OptionOrder;
  /** By option: how it is guessed, 0 selected, 1 excluded. */
  readonly #side: Uint8Array;
  readonly #open: (literal: number) => void;
  #isExhausted = false;
  #failures = 0;
  #failuresSinceRestart = 0;
  #latestRank = 0;
  #averageRank = 0;
  /** The literal of the next guess; -1 if it is not known. */
  #guess = -1;

  constructor(remaining: RemainingOptions) {
    const { numbers, itemStart, options } = remaining;
    const count = numbers.length;
    this.#options = remaining;
    this.#clauses = new Clauses(count, 2 * (options.length + (LITERALS + 1) * itemStart.length) + 2);
    this.#propagation = new Propagation(remaining, this.#clauses);
    this.#failure = new Failure(count, this.#propagation, this.#clauses);
    this.#order = new OptionOrder(count);
    const side = new Uint8Array(count).fill(1);
    const order = this.#order;
    this.#side = side;
    this.#open = (literal) => {
      side[literal >> 1] = literal & 1;
      order.add(literal >> 1);
    };
    for (let item = 0; item + 1 < itemStart.length; item++) {
      const its = options.subarray(itemStart[item], itemStart[item + 1]);
      if (its.length > 0) this.#require(its.map((option) => 2 * option));
    }
  }

  /** Bytes of the clauses, of all tables and of the remaining options. */
  get bytes(): number {
    const { numbers, items, itemStart } = this.#options;
    // By option: decisions 18, failure 17, order 16, side 1, its number and its start 8; two lists of entries; starts of items.
    return this.#clauses.bytes + 60 * numbers.length + 8 * items.length + 4 * itemStart.length;
  }

  /** The options that are selected, by their numbers in the problem. */
  selectedOptions(): Int32Array {
    const { value } = this.#propagation;
    return this.#options.numbers.filter((_, option) => value[2 * option] > 0);
  }

  /** Excludes the solution with these options of the problem, in any order. */
  exclude(solution: Int32Array): void {
    this.#returnTo(0);
    const found = new Set(solution);
    const literals: number[] = [];
    for (const [option, number] of this.#options.numbers.entries()) {
      if (found.has(number)) literals.push(2 * option + 1);
    }
    this.#require(Int32Array.from(literals));
  }

  /** Propagates and learns until the next guess, which `guess` makes. */
  next(): Step {
    if (this.#guess >= 0) return Step.guess;
    while (!this.#isExhausted) {
      const conflict = this.#propagation.propagate();
      if (conflict !== NO_CONFLICT) {
        this.#learn(conflict);
      } else if (this.#isRestartDue()) {
        this.#restart();
      } else {
        const option = this.#takeOpen();
        if (option < 0) return Step.solution;
        this.#guess = 2 * option + this.#side[option];
        return Step.guess;
      }
    }
    return Step.exhausted;
  }

  guess(): void {
    this.#propagation.guess(this.#guess);
    this.#guess = -1;
  }

  /** Adds a clause at level 0 that stays. */
  #require(literals: Int32Array): void {
    const { value } = this.#propagation;
    const open = literals.filter((literal) => value[literal] >= 0);
    if (open.some((literal) => value[literal] > 0)) return;
    if (open.length === 0) this.#isExhausted = true;
    else if (open.length === 1) this.#propagation.decide(open[0], NO_REASON);
    else this.#clauses.add(open, open.length, 0);
  }

  #learn(conflict: number): void {
    const failure = this.#failure;
    if (this.#propagation.level === 0) {
      this.#isExhausted = true;
      return;
    }
    failure.analyse(conflict);
    this.#order.reward(failure.involved, failure.involvedCount);
    this.#returnTo(failure.level);
    const { literals, length, rank } = failure;
    const reason = length === 1 ? NO_REASON : this.#clauses.add(literals, length, rank);
    this.#propagation.decide(literals[0], reason);
    this.#failures++;
    this.#failuresSinceRestart++;
    this.#latestRank += (rank - this.#latestRank) / Math.min(LATEST, this.#failures);
    this.#averageRank += (rank - this.#averageRank) / Math.min(ALL, this.#failures);
  }

  #isRestartDue(): boolean {
    if (this.#clauses.isReductionDue) return true;
    return this.#failuresSinceRestart >= MIN_INTERVAL && this.#latestRank > WORSE * this.#averageRank;
  }

  #restart(): void {
    this.#failuresSinceRestart = 0;
    this.#returnTo(0);
    if (!this.#clauses.isReductionDue) return;
    // Every consequence of level 0 is known, as learned clauses with one literal are propagated before the next guess.
    this.#clauses.reduce(this.#propagation.value);
  }

  #returnTo(level: number): void {
    this.#propagation.returnTo(level, this.#open);
  }

  /** Takes options from the order until one is open; -1 if all are decided. */
  #takeOpen(): number {
    const { value } = this.#propagation;
    let option = this.#order.take();
    while (option >= 0 && value[2 * option] !== 0) option = this.#order.take();
    return option;
  }
}
