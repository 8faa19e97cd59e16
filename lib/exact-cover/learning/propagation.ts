/**
 * What is decided about each option, in the order in which it was decided, and why; and everything that follows from it.
 *
 *     literal   2 * option: it is selected; 2 * option + 1: it is excluded; literal ^ 1 is the opposite
 *     level     0 for what holds in every solution; each guess begins the next level
 *     reason    NO_REASON            a guess, or a fact of level 0
 *               RIVAL - option       excluded because this option is selected
 *               from 1               the clause that forced it (clauses.ts)
 *
 * An option that is selected excludes those that share an item with it, and a clause with one literal left forces it. The first rule
 * reads the lists of items, so that "at most one option of an item" needs no clauses: these would be most of a sudoku as SAT (750,000
 * for 25x25).
 */
import { type Clauses, LENGTH, LITERALS, NEXT } from './clauses.ts';
import type { RemainingOptions } from './remaining-options.ts';

export const NO_REASON = 0;
export const RIVAL = -1;

/** `propagate` returns it if nothing is violated. */
export const NO_CONFLICT = 0;

export class Propagation {
  /** By literal: 1 if it holds, -1 if its opposite does, 0 if neither is decided. */
  readonly value: Int8Array;
  /** By option. */
  readonly levelOf: Int32Array;
  readonly reasonOf: Int32Array;
  /** The literals that hold, oldest first. */
  readonly trail: Int32Array;
  /** The current level. */
  level = 0;
  /** With a conflict of two selected options: the second one. */
  rival = 0;
  #trailLength = 0;
  /** Decisions of the trail whose consequences are known. */
  #done = 0;
  /** By level from 1: the length of the trail before it. */
  readonly #levelStart: Int32Array;
  readonly #options: RemainingOptions;
  readonly #clauses: Clauses;

  constructor(options: RemainingOptions, clauses: Clauses) {
    const count = options.numbers.length;
    this.value = new Int8Array(2 * count);
    this.levelOf = new Int32Array(count);
    this.reasonOf = new Int32Array(count);
    this.trail = new Int32Array(count);
    this.#levelStart = new Int32Array(count + 2);
    this.#options = options;
    this.#clauses = clauses;
  }

  get trailLength(): number {
    return this.#trailLength;
  }

  /** Decides a literal that is open. */
  decide(literal: number, reason: number): void {
    const option = literal >> 1;
    this.value[literal] = 1;
    this.value[literal ^ 1] = -1;
    this.levelOf[option] = this.level;
    this.reasonOf[option] = reason;
    this.trail[this.#trailLength++] = literal;
  }

  guess(literal: number): void {
    this.#levelStart[++this.level] = this.#trailLength;
    this.decide(literal, NO_REASON);
  }

  /** Opens what was decided after a level. @param onOpen is called for each literal that is opened, the newest first */
  returnTo(level: number, onOpen: (literal: number) => void): void {
    if (level >= this.level) return;
    const { value, trail } = this;
    const start = this.#levelStart[level + 1];
    for (let k = this.#trailLength - 1; k >= start; k--) {
      const literal = trail[k];
      value[literal] = 0;
      value[literal ^ 1] = 0;
      onOpen(literal);
    }
    this.#trailLength = start;
    this.#done = Math.min(this.#done, start);
    this.level = level;
  }

  /**
   * Returns NO_CONFLICT, or what is violated, as a reason: a clause, or RIVAL - option if this option and `rival` share an item
   * and are both selected.
   */
  propagate(): number {
    while (this.#done < this.#trailLength) {
      const literal = this.trail[this.#done++];
      if ((literal & 1) === 0 && !this.#excludeRivals(literal >> 1)) return RIVAL - (literal >> 1);
      const conflict = this.#visitWatches(literal ^ 1);
      if (conflict !== NO_CONFLICT) return conflict;
    }
    return NO_CONFLICT;
  }

  /** False if a rival is selected. */
  #excludeRivals(option: number): boolean {
    const { optionStart, items, itemStart, options } = this.#options;
    const { value, levelOf, reasonOf, trail, level } = this;
    let length = this.#trailLength;
    let isConsistent = true;
    for (let e = optionStart[option]; isConsistent && e < optionStart[option + 1]; e++) {
      const end = itemStart[items[e] + 1];
      for (let k = itemStart[items[e]]; k < end; k++) {
        const rival = options[k];
        const known = value[2 * rival];
        if (known < 0 || rival === option) continue;
        if (known > 0) {
          this.rival = rival;
          isConsistent = false;
          break;
        }
        value[2 * rival] = -1;
        value[2 * rival + 1] = 1;
        levelOf[rival] = level;
        reasonOf[rival] = RIVAL - option;
        trail[length++] = 2 * rival + 1;
      }
    }
    this.#trailLength = length;
    return isConsistent;
  }

  /** Visits the clauses that watch a literal, which is now violated. */
  #visitWatches(violated: number): number {
    const { value } = this;
    const { words, watches } = this.#clauses;
    let before = -1;
    for (let link = watches[violated]; link !== 0; ) {
      const next = words[link];
      const other = words[(link ^ 1) + 2];
      const known = value[other];
      if (known <= 0) {
        const clause = link - NEXT - (link & 1);
        const end = clause + LITERALS + words[clause + LENGTH];
        let k = clause + LITERALS + 2;
        while (k < end && value[words[k]] < 0) k++;
        if (k < end) {
          const literal = words[k];
          words[k] = violated;
          words[link + 2] = literal;
          if (before < 0) watches[violated] = next;
          else words[before] = next;
          words[link] = watches[literal];
          watches[literal] = link;
          link = next;
          continue;
        }
        if (known < 0) return clause;
        this.decide(other, clause);
      }
      before = link;
      link = next;
    }
    return NO_CONFLICT;
  }
}
