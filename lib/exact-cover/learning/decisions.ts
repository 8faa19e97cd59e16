/**
 * What is decided about each option, in the order in which it was decided, and why.
 *
 *     literal   2 * option: it is selected; 2 * option + 1: it is excluded; literal ^ 1 is the opposite
 *     level     0 for what holds in every solution; each guess begins the next level
 *     reason    NO_REASON            a guess, or a fact of level 0
 *               RIVAL - option       excluded because this option is selected
 *               from 1               the clause that forced it (clauses.ts)
 */

export const NO_REASON = 0;
export const RIVAL = -1;

export class Decisions {
  /** By literal: 1 if it holds, -1 if its opposite does, 0 if neither is decided. */
  readonly value: Int8Array;
  /** By option. */
  readonly levelOf: Int32Array;
  readonly reasonOf: Int32Array;
  /** The literals that hold, oldest first. */
  readonly trail: Int32Array;
  trailLength = 0;
  /** The current level, and by level from 1 the length of the trail before it. */
  level = 0;
  readonly #levelStart: Int32Array;

  constructor(optionCount: number) {
    this.value = new Int8Array(2 * optionCount);
    this.levelOf = new Int32Array(optionCount);
    this.reasonOf = new Int32Array(optionCount);
    this.trail = new Int32Array(optionCount);
    this.#levelStart = new Int32Array(optionCount + 2);
  }

  /** Decides a literal that is open. */
  decide(literal: number, reason: number): void {
    const option = literal >> 1;
    this.value[literal] = 1;
    this.value[literal ^ 1] = -1;
    this.levelOf[option] = this.level;
    this.reasonOf[option] = reason;
    this.trail[this.trailLength++] = literal;
  }

  guess(literal: number): void {
    this.#levelStart[++this.level] = this.trailLength;
    this.decide(literal, NO_REASON);
  }

  /** Opens what was decided after a level. @param onOpen is called for each literal that is opened, the newest first */
  returnTo(level: number, onOpen: (literal: number) => void): void {
    if (level >= this.level) return;
    const { value, trail } = this;
    const start = this.#levelStart[level + 1];
    for (let k = this.trailLength - 1; k >= start; k--) {
      const literal = trail[k];
      value[literal] = 0;
      value[literal ^ 1] = 0;
      onOpen(literal);
    }
    this.trailLength = start;
    this.level = level;
  }
}
