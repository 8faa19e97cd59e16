/**
 * Learns from a failure: a clause that excludes its cause, and not only the guesses that led to it.
 *
 * The violated literals are replaced by the reasons for their violation, the newest first, until one literal of the current
 * level is left (first unique implication point; Marques-Silva, Sakallah 1999; Moskewicz et al. 2001). It is the first literal of
 * the clause; after the return to the level of the second one, the clause forces it. Literals that follow from the others are
 * left out.
 */
import { type Clauses, LENGTH, LITERALS } from './clauses.ts';
import { NO_REASON, type Propagation, RIVAL } from './propagation.ts';

export class Failure {
  /** The learned clause: the first `length` literals. */
  readonly literals: Int32Array;
  length = 0;
  /** Number of levels among its literals. */
  rank = 0;
  /** The level to return to. */
  level = 0;
  /** The options that took part in the failure. */
  readonly involved: Int32Array;
  involvedCount = 0;

  readonly #propagation: Propagation;
  readonly #clauses: Clauses;
  /** By option: whether it is involved. */
  readonly #isInvolved: Uint8Array;
  readonly #open: Int32Array;
  /** By level: the last failure that counted it. */
  readonly #countedBy: Int32Array;
  #failures = 0;
  /** Involved options of the current level whose reasons are not looked at yet. */
  #pending = 0;

  constructor(optionCount: number, propagation: Propagation, clauses: Clauses) {
    this.#propagation = propagation;
    this.#clauses = clauses;
    this.literals = new Int32Array(optionCount + 1);
    this.involved = new Int32Array(optionCount);
    this.#isInvolved = new Uint8Array(optionCount);
    this.#open = new Int32Array(optionCount);
    this.#countedBy = new Int32Array(optionCount + 2);
  }

  /**
   * Finds the clause. The current level is not 0.
   *
   * @param conflict what is violated, as a reason
   */
  analyse(conflict: number): void {
    const { trail, trailLength, reasonOf, rival } = this.#propagation;
    this.length = 1;
    this.involvedCount = 0;
    this.#pending = 0;
    if (conflict < 0) this.#involve(2 * rival + 1);
    this.#involveReason(conflict, -1);
    let at = trailLength;
    let option: number;
    for (;;) {
      do option = trail[--at] >> 1;
      while (this.#isInvolved[option] === 0);
      if (--this.#pending === 0) break;
      this.#involveReason(reasonOf[option], option);
    }
    this.literals[0] = trail[at] ^ 1;
    const involved = this.involvedCount;
    this.#leaveOutImplied();
    for (let k = 0; k < this.involvedCount; k++) this.#isInvolved[this.involved[k]] = 0;
    this.involvedCount = involved;
    this.#orderLevels();
  }

  /** @param forced the option that the reason decides; -1 for a conflict */
  #involveReason(reason: number, forced: number): void {
    if (reason < 0) {
      this.#involve(2 * (RIVAL - reason) + 1);
      return;
    }
    const { words } = this.#clauses;
    const end = reason + LITERALS + words[reason + LENGTH];
    for (let k = reason + LITERALS; k < end; k++) if (words[k] >> 1 !== forced) this.#involve(words[k]);
  }

  #involve(literal: number): void {
    const { levelOf, level } = this.#propagation;
    const option = literal >> 1;
    if (this.#isInvolved[option] !== 0 || levelOf[option] === 0) return;
    this.#isInvolved[option] = 1;
    this.involved[this.involvedCount++] = option;
    if (levelOf[option] === level) this.#pending++;
    else this.literals[this.length++] = literal;
  }

  #leaveOutImplied(): void {
    const { literals } = this;
    let kept = 1;
    for (let k = 1; k < this.length; k++) {
      if (!this.#isImplied(literals[k] >> 1)) literals[kept++] = literals[k];
    }
    this.length = kept;
  }

  /** Whether the violation of an option's literal follows from that of involved ones. */
  #isImplied(option: number): boolean {
    const { reasonOf } = this.#propagation;
    const { words } = this.#clauses;
    const open = this.#open;
    const before = this.involvedCount;
    let openCount = 0;
    if (reasonOf[option] === NO_REASON) return false;
    open[openCount++] = option;
    while (openCount > 0) {
      const forced = open[--openCount];
      const reason = reasonOf[forced];
      const from = reason < 0 ? 0 : reason + LITERALS;
      const to = reason < 0 ? 1 : from + words[reason + LENGTH];
      for (let k = from; k < to; k++) {
        const cause = reason < 0 ? RIVAL - reason : words[k] >> 1;
        if (cause === forced || this.#isInvolved[cause] === 1 || this.#propagation.levelOf[cause] === 0)
          continue;
        if (reasonOf[cause] === NO_REASON) {
          while (this.involvedCount > before) this.#isInvolved[this.involved[--this.involvedCount]] = 0;
          return false;
        }
        this.#isInvolved[cause] = 1;
        this.involved[this.involvedCount++] = cause;
        open[openCount++] = cause;
      }
    }
    return true;
  }

  /** Puts a literal of the highest level but the current one second, and counts the levels. */
  #orderLevels(): void {
    const { literals, length } = this;
    const { levelOf } = this.#propagation;
    this.#failures++;
    this.rank = 0;
    let second = 1;
    for (let k = 0; k < length; k++) {
      const level = levelOf[literals[k] >> 1];
      if (this.#countedBy[level] !== this.#failures) {
        this.#countedBy[level] = this.#failures;
        this.rank++;
      }
      if (k > 1 && level > levelOf[literals[second] >> 1]) second = k;
    }
    this.level = length === 1 ? 0 : levelOf[literals[second] >> 1];
    if (length > 1) {
      const literal = literals[1];
      literals[1] = literals[second];
      literals[second] = literal;
    }
  }
}
