/**
 * Clauses: sets of literals of which at least one holds. Each primary item is one ("some option of mine is selected"), each
 * failure gives one, and each solution found excludes itself by one.
 *
 *     word of a clause   0 LENGTH   1 RANK   2 NEXT   3 NEXT + 1   4 LITERALS ...         begins at an even address
 *
 * The first two literals are watched: while neither is violated, the clause forces nothing. All clauses that watch a literal
 * are in its list, linked through NEXT for the first of the two and NEXT + 1 for the second: a link is the address of such a
 * word. So `link + 2` is the watched literal, `(link ^ 1) + 2` the other one, and the lists need no memory of their own.
 *
 * RANK is the number of levels among the literals of a learned clause when it was learnt (LBD; Audemard, Simon 2009); clauses
 * with few levels are worth keeping. It is 0 for a clause that must stay.
 *
 * The learned clauses are bounded: the search discards the worse half of them at growing intervals, and whenever they take
 * MAX_LEARNED_WORDS, at its next guess: until then, there are no more failures than levels. The others stay: those of the
 * items, and those of the solutions found, of which a search that learns wants two at most.
 */
export const LENGTH = 0;
const RANK = 1;
export const NEXT = 2;
export const LITERALS = 4;

/** 16 MB; the array grows by doubling, so it has at most twice as many, and those of the items. */
const MAX_LEARNED_WORDS = 2 ** 22;
/** Clauses before the first reduction, and what each later interval is longer. */
const FIRST_REDUCTION = 2000;
const LONGER_REDUCTION = 300;

export class Clauses {
  words: Int32Array;
  /** By literal: the first link of its list, 0 for none. */
  readonly watches: Int32Array;
  /** The address after the last clause; no clause has address 0. */
  #end = 2;
  #learned = 0;
  #learnedWords = 0;
  #reduceAt = FIRST_REDUCTION;
  #interval = FIRST_REDUCTION;

  constructor(optionCount: number, words: number) {
    this.words = new Int32Array(words);
    this.watches = new Int32Array(2 * optionCount);
  }

  /**
   * Adds a clause of two literals or more, the first two of which are watched; returns its address.
   *
   * @param rank 0 for a clause that stays
   */
  add(literals: Int32Array, length: number, rank: number): number {
    const clause = this.#end;
    const next = wordsAfter(clause, length);
    if (next > this.words.length) this.#grow(next);
    const { words } = this;
    words[clause + LENGTH] = length;
    words[clause + RANK] = rank;
    for (let k = 0; k < length; k++) words[clause + LITERALS + k] = literals[k];
    this.#keep(clause, next);
    return clause;
  }

  /** Bytes of the clauses and their lists; they never shrink. */
  get bytes(): number {
    return this.words.byteLength + this.watches.byteLength;
  }

  /** Whether the search should return to level 0 and reduce. */
  get isReductionDue(): boolean {
    return this.#learned >= this.#reduceAt || this.#learnedWords >= MAX_LEARNED_WORDS;
  }

  /** Discards the worse half of the learned clauses, and all that hold at level 0. Addresses change. */
  reduce(value: Int8Array): void {
    const { words } = this;
    const limit = this.#medianWorth();
    const end = this.#end;
    this.watches.fill(0);
    this.#end = 2;
    this.#learned = 0;
    this.#learnedWords = 0;
    for (let clause = 2; clause < end; ) {
      const length = words[clause + LENGTH];
      const next = wordsAfter(clause, length);
      const isKept = words[clause + RANK] === 0 || worthOf(words, clause) < limit;
      if (isKept && !this.#holds(clause, value)) this.#moveDown(clause, value);
      clause = next;
    }
    this.#interval += LONGER_REDUCTION;
    this.#reduceAt = this.#learned + this.#interval;
  }

  #holds(clause: number, value: Int8Array): boolean {
    const { words } = this;
    for (let k = clause + LITERALS; k < clause + LITERALS + words[clause + LENGTH]; k++) {
      if (value[words[k]] > 0) return true;
    }
    return false;
  }

  /** Moves a clause to the end of those that are kept, without its violated literals. */
  #moveDown(clause: number, value: Int8Array): void {
    const { words } = this;
    const to = this.#end;
    const from = clause + LITERALS;
    const last = from + words[clause + LENGTH];
    const rank = words[clause + RANK];
    let length = 0;
    for (let k = from; k < last; k++) if (value[words[k]] === 0) words[to + LITERALS + length++] = words[k];
    words[to + LENGTH] = length;
    words[to + RANK] = rank;
    this.#keep(to, wordsAfter(to, length));
  }

  /** Watches the last clause, which ends at `end`, and counts it if it is a learned one. */
  #keep(clause: number, end: number): void {
    const { words, watches } = this;
    this.#end = end;
    if (words[clause + RANK] > 0) {
      this.#learned++;
      this.#learnedWords += end - clause;
    }
    for (let k = 0; k < 2; k++) {
      const literal = words[clause + LITERALS + k];
      words[clause + NEXT + k] = watches[literal];
      watches[literal] = clause + NEXT + k;
    }
  }

  #medianWorth(): number {
    const { words } = this;
    const worths = new Int32Array(this.#learned);
    let count = 0;
    for (let clause = 2; clause < this.#end; clause = wordsAfter(clause, words[clause + LENGTH])) {
      if (words[clause + RANK] > 0) worths[count++] = worthOf(words, clause);
    }
    return worths.sort()[count >> 1];
  }

  #grow(words: number): void {
    const larger = new Int32Array(Math.max(words, 2 * this.words.length));
    larger.set(this.words);
    this.words = larger;
  }
}

/** Less is better: the rank, then the length. */
function worthOf(words: Int32Array, clause: number): number {
  return words[clause + RANK] * 0x1_0000 + Math.min(words[clause + LENGTH], 0xffff);
}

/** The address after a clause. */
function wordsAfter(clause: number, length: number): number {
  return clause + LITERALS + length + (length & 1);
}
