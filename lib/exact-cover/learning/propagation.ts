/**
 * Decides everything that follows from the decisions: an option that is selected excludes those that share an item with it,
 * and a clause with one literal left forces it.
 *
 * The first rule reads the lists of items, so that "at most one option of an item" needs no clauses: these would be most of
 * a sudoku as SAT (750,000 for 25x25).
 */
import { type Clauses, LENGTH, LITERALS, NEXT } from './clauses.ts';
import { type Decisions, RIVAL } from './decisions.ts';
import type { RemainingOptions } from './remaining-options.ts';

/** `propagate` returns it if nothing is violated. */
export const NO_CONFLICT = 0;

export class Propagation {
  readonly #options: RemainingOptions;
  readonly #decisions: Decisions;
  readonly #clauses: Clauses;
  /** Decisions of the trail whose consequences are known. */
  done = 0;
  /** With a conflict of two selected options: the second one. */
  rival = 0;

  constructor(options: RemainingOptions, decisions: Decisions, clauses: Clauses) {
    this.#options = options;
    this.#decisions = decisions;
    this.#clauses = clauses;
  }

  /**
   * Returns NO_CONFLICT, or what is violated, as a reason: a clause, or RIVAL - option if this option and `rival` share an item
   * and are both selected.
   */
  propagate(): number {
    const { trail } = this.#decisions;
    while (this.done < this.#decisions.trailLength) {
      const literal = trail[this.done++];
      if ((literal & 1) === 0 && !this.#excludeRivals(literal >> 1)) return RIVAL - (literal >> 1);
      const conflict = this.#visitWatches(literal ^ 1);
      if (conflict !== NO_CONFLICT) return conflict;
    }
    return NO_CONFLICT;
  }

  /** False if a rival is selected. */
  #excludeRivals(option: number): boolean {
    const { optionStart, items, itemStart, options } = this.#options;
    const decisions = this.#decisions;
    const { value, levelOf, reasonOf, trail, level } = decisions;
    let length = decisions.trailLength;
    for (let e = optionStart[option]; e < optionStart[option + 1]; e++) {
      const end = itemStart[items[e] + 1];
      for (let k = itemStart[items[e]]; k < end; k++) {
        const rival = options[k];
        const known = value[2 * rival];
        if (known < 0 || rival === option) continue;
        if (known > 0) {
          this.rival = rival;
          decisions.trailLength = length;
          return false;
        }
        value[2 * rival] = -1;
        value[2 * rival + 1] = 1;
        levelOf[rival] = level;
        reasonOf[rival] = RIVAL - option;
        trail[length++] = 2 * rival + 1;
      }
    }
    decisions.trailLength = length;
    return true;
  }

  /** Visits the clauses that watch a literal, which is now violated. */
  #visitWatches(violated: number): number {
    const decisions = this.#decisions;
    const { value } = decisions;
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
        decisions.decide(other, clause);
      }
      before = link;
      link = next;
    }
    return NO_CONFLICT;
  }
}
