/**
 * The residual problem of decisions in a few words, as residual-state.ts has it without multiplicities.
 *
 *     primary item     0 no option left   1 any number of its options fits   2 + u not so, and u options are in
 *     secondary item   0 covered          1 open                             c + 1 settled with colour c
 *
 * An option is left if none of its primary items is 0 and its secondary items allow it, provided that no option is out whose
 * item has others left, other than options before the next one: memo-decisions.ts decides all options of an item in their order.
 * So equal words mean equal options, and what is left of each multiplicity is also equal, or does not matter.
 */
import type { Decisions } from './decisions.ts';

const WORD_BITS = 32;

export class DecisionState {
  readonly words: Int32Array;
  readonly #decisions: Decisions;
  /** By primary item: how many options may be in at first. */
  readonly #most: Int32Array;
  /** By item: the word of its field, and the position of the field in it. */
  readonly #wordOf: Int32Array;
  readonly #shiftOf: Uint8Array;

  /** @param decisions those of the root */
  constructor(decisions: Decisions) {
    const { problem, most } = decisions;
    const { primaryCount, secondaryCount, colours } = problem;
    const colour = colours?.reduce((largest, one) => Math.max(largest, one), 0) ?? 0;
    const itemCount = primaryCount + secondaryCount;
    this.#decisions = decisions;
    this.#most = most.slice();
    this.#wordOf = new Int32Array(itemCount);
    this.#shiftOf = new Uint8Array(itemCount);
    // Words 0 and 1 are the tag and the node of the next option.
    let word = 2;
    let shift = 0;
    for (let item = 0; item < itemCount; item++) {
      const largest = item >= primaryCount ? colour + 1 : 1 + Math.min(most[item], decisions.size(item));
      const width = WORD_BITS - Math.clz32(largest);
      if (shift + width > WORD_BITS) {
        word++;
        shift = 0;
      }
      this.#wordOf[item] = word;
      this.#shiftOf[item] = shift;
      shift += width;
    }
    this.words = new Int32Array(word + 1);
  }

  /**
   * Reads the state of some items; the fields of the others are 0.
   *
   * @param tag a word that equal states share
   * @param next the node of the next option of an item of which others are decided; 0 if there is none
   */
  read(items: readonly number[], tag: number, next: number): Int32Array {
    const { words } = this;
    words.fill(0);
    words[0] = tag;
    words[1] = next;
    for (const item of items) words[this.#wordOf[item]] |= this.#fieldOf(item) << this.#shiftOf[item];
    return words;
  }

  #fieldOf(item: number): number {
    const decisions = this.#decisions;
    const { least, most, problem } = decisions;
    if (item >= problem.primaryCount)
      return decisions.settledBy(item) === -1 ? 0 : decisions.settledBy(item) + 1;
    const size = decisions.size(item);
    if (most[item] === 0 || size === 0) return 0;
    return least[item] <= 0 && most[item] >= size ? 1 : 2 + this.#most[item] - most[item];
  }
}
