/**
 * The residual problem of a search in a few words, kept up to date while items are covered and uncovered.
 *
 *     primary item, 1 bit             1 not covered, 0 covered
 *     secondary item, `width` bits    1 not covered, 0 covered, c + 1 settled with colour c
 *
 * An option is left if each of its primary items is not covered, and each of its secondary items is not covered or is
 * settled with the option's colour. So equal words mean equal options, and equal numbers of solutions, whatever was
 * selected and in whichever order. Without colours `width` is 1.
 *
 * Covering changes a field by an exclusive or with a fixed word, and the same operation takes it back.
 *
 * Tried and dropped: a secondary item that no remaining option has counts as covered. It costs a scan of all secondary
 * items at each node, and queens of order 10 have no more hits by it.
 */
import type { ExactCoverProblem } from './problem.ts';
import {
  ENTRY_WORDS,
  HEAD_WORDS,
  ITEM,
  isCovered,
  isSettled,
  PRESELECTED_COUNT,
  ROOT,
  type SearchMemory,
} from './search-memory.ts';

const WORD_BITS = 32;

export class ResidualState {
  readonly words: Int32Array;
  readonly #memory: SearchMemory;
  /** By item, from 1: the word of its field, and the position of the field in it. */
  readonly #wordOf: Int32Array;
  readonly #shiftOf: Uint8Array;
  readonly #width: number;

  /** @param memory the memory of the search, with addresses in words */
  constructor(memory: SearchMemory) {
    const { primaryCount, secondaryCount } = memory.problem;
    const itemCount = primaryCount + secondaryCount;
    this.#memory = memory;
    this.#wordOf = new Int32Array(itemCount + 1);
    this.#shiftOf = new Uint8Array(itemCount + 1);
    this.#width = fieldWidth(memory.problem);
    let word = 0;
    let shift = 0;
    for (let item = 1; item <= itemCount; item++) {
      const width = item <= primaryCount ? 1 : this.#width;
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

  /** Reads the state after the options are linked and before any is selected. */
  begin(): void {
    const { problem, words, at } = this.#memory;
    const itemCount = problem.primaryCount + problem.secondaryCount;
    this.words.fill(0);
    for (let item = 1; item <= itemCount; item++) {
      const isGone = item <= problem.primaryCount ? isCovered : isSettled;
      if (!isGone(words, ROOT + HEAD_WORDS * item)) this.#change(item, 1);
    }
    if (problem.colours === undefined) return;
    for (let k = 0; k < words[PRESELECTED_COUNT]; k++) {
      const option = words[at.preselected + k];
      for (let entry = problem.optionStart[option]; entry < problem.optionStart[option + 1]; entry++) {
        const colour = problem.colours[entry];
        if (colour !== 0) this.#settle(problem.items[entry] + 1, colour);
      }
    }
  }

  /** Changes the items of the nodes `from` to `to` (exclusive) of the path: after they are covered, and before that. */
  toggle(from: number, to: number): void {
    const { words, at, problem } = this.#memory;
    for (let k = at.path + from; k < at.path + to; k++) {
      const node = words[k];
      const item = (words[node + ITEM] - ROOT) / HEAD_WORDS;
      const colour =
        problem.colours === undefined ? 0 : words[at.entryColours + (node - at.entries) / ENTRY_WORDS];
      this.#change(item, colour === 0 ? 1 : 1 ^ (colour + 1));
    }
  }

  /** A mask with the fields of some items. @param heads the heads of the items */
  maskOf(heads: readonly number[]): Int32Array {
    const mask = new Int32Array(this.words.length);
    const { primaryCount } = this.#memory.problem;
    const field = this.#width === WORD_BITS ? -1 : (1 << this.#width) - 1;
    for (const head of heads) {
      const item = (head - ROOT) / HEAD_WORDS;
      mask[this.#wordOf[item]] |= (item <= primaryCount ? 1 : field) << this.#shiftOf[item];
    }
    return mask;
  }

  #change(item: number, difference: number): void {
    this.words[this.#wordOf[item]] ^= difference << this.#shiftOf[item];
  }

  /** Sets the field of a settled item, which is 0. */
  #settle(item: number, colour: number): void {
    this.words[this.#wordOf[item]] |= (colour + 1) << this.#shiftOf[item];
  }
}

/** Bits of the largest value of a secondary item: 1, or the largest colour plus 1. */
function fieldWidth({ colours }: ExactCoverProblem): number {
  let largest = 0;
  for (const colour of colours ?? []) largest = Math.max(largest, colour + 1);
  return Math.max(1, WORD_BITS - Math.clz32(largest));
}
