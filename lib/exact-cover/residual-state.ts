/**
 * The residual problem of a search in a few words, kept up to date while items are covered and uncovered.
 *
 *     item that is needed once        1 bit       1 not covered, 0 covered
 *     item that fits several times                0 no option left   1 any number of its options fits   2 + u not so, and u options are in
 *     secondary item                  `width`     1 not covered, 0 covered, c + 1 purified with colour c
 *
 * An option is left if none of its primary items is 0, and each of its secondary items is not covered or is purified with the
 * option's colour. So equal words mean equal options, and equal numbers of solutions, whatever was selected and in whichever
 * order. That holds if options that are out have an item whose options are all decided, or come before the next one of the item
 * that is being decided, which is part of the key (memo-search.ts).
 *
 * Covering changes a field by an exclusive or with a fixed word, and the same operation takes it back. An item that fits several times
 * is read when a key is needed.
 */
import type { Kernel } from './kernel.ts';
import {
  ENTRY_SHIFT,
  HEAD_WORDS,
  ITEM,
  isCovered,
  isNeededOnce,
  isPurified,
  itemOf,
  leastOf,
  MOST,
  PRESELECTED_COUNT,
  ROOT,
  SPARE,
} from './search-memory.ts';

const WORD_BITS = 32;
/** Words of a key of a problem with multiplicities before its fields: the tag, the next option and its item. */
const KEY_FIELDS = 3;

export class ResidualState {
  readonly #kernel: Kernel;
  readonly #words: Int32Array;
  readonly #key: Int32Array;
  /** By item, from 1: the word of its field, and the position of the field in it. */
  readonly #wordOf: Int32Array;
  readonly #shiftOf: Uint8Array;
  /** By item: what covering it without a colour changes; 0 for items that fit several times. */
  readonly #change: Int32Array;
  /** Items that fit several times, or may be left out. */
  readonly #repeated: number[] = [];

  constructor(kernel: Kernel) {
    const { words, at, problem } = kernel.memory;
    const { primaryCount, secondaryCount, multiplicities, colours } = problem;
    const itemCount = primaryCount + secondaryCount;
    this.#kernel = kernel;
    this.#wordOf = new Int32Array(itemCount + 1);
    this.#shiftOf = new Uint8Array(itemCount + 1);
    this.#change = new Int32Array(itemCount + 1);
    let colour = 0;
    for (const one of colours ?? []) colour = Math.max(colour, one);
    let word = multiplicities === undefined ? 0 : KEY_FIELDS;
    let shift = 0;
    for (let item = 1; item <= itemCount; item++) {
      const head = at.template + HEAD_WORDS * item;
      const isOnce = isNeededOnce(words, head);
      let largest = item > primaryCount && colour > 0 ? colour + 1 : 1;
      if (!isOnce)
        largest =
          1 + Math.min(words[head + MOST], words[at.itemStart + item] - words[at.itemStart + item - 1]);
      const width = WORD_BITS - Math.clz32(largest);
      if (shift + width > WORD_BITS) {
        word++;
        shift = 0;
      }
      this.#wordOf[item] = word;
      this.#shiftOf[item] = shift;
      this.#change[item] = isOnce ? 1 << shift : 0;
      if (!isOnce) this.#repeated.push(item);
      shift += width;
    }
    this.#words = new Int32Array(word + 1);
    this.#key = new Int32Array(word + 1);
  }

  /** Words of a key. */
  get length(): number {
    return this.#key.length;
  }

  /** Reads the state after the options are linked and before any is selected. */
  begin(): void {
    const { problem, words, at } = this.#kernel.memory;
    const { primaryCount, optionStart, items, colours } = problem;
    this.#words.fill(0);
    for (let item = 1; item < this.#change.length; item++) {
      const isGone = item <= primaryCount ? isCovered : isPurified;
      if (!isGone(words, ROOT + HEAD_WORDS * item)) this.#words[this.#wordOf[item]] ^= this.#change[item];
    }
    if (colours === undefined) return;
    for (let k = 0; k < words[PRESELECTED_COUNT]; k++) {
      const option = words[at.preselected + k];
      if (option < 0) continue;
      for (let entry = optionStart[option]; entry < optionStart[option + 1]; entry++) {
        const item = items[entry] + 1;
        if (colours[entry] !== 0)
          this.#words[this.#wordOf[item]] |= (colours[entry] + 1) << this.#shiftOf[item];
      }
    }
  }

  /** Changes the items of the nodes `from` to `to` (exclusive) of the path: after they are covered, and before that. */
  toggle(from: number, to: number): void {
    const { words, at, problem } = this.#kernel.memory;
    const isColoured = problem.colours !== undefined;
    // Without this flag, the test of the sign alone takes 7 % of the time of counting Latin squares.
    const decides = this.#kernel.decides;
    const state = this.#words;
    for (let k = at.path + from; k < at.path + to; k++) {
      const node = words[k];
      if (decides && node < 0) continue;
      const item = itemOf(words[node + ITEM]);
      const colour = isColoured ? words[at.entryColours + ((node - at.entries) >> ENTRY_SHIFT)] : 0;
      let change = this.#change[item];
      if (colour !== 0) change ^= (colour + 1) << this.#shiftOf[item];
      state[this.#wordOf[item]] ^= change;
    }
  }

  /**
   * The words of all items, valid until the next call.
   *
   * @param tag a number that equal residual problems share; only with multiplicities
   * @param next the node of the next option of an item of which others are decided; 0 if there is none
   */
  read(tag: number, next: number): Int32Array {
    if (!this.#kernel.decides) return this.#words;
    this.#key.set(this.#words);
    this.#readRepeated(tag, next);
    return this.#key;
  }

  #readRepeated(tag: number, next: number): void {
    const key = this.#key;
    key[0] = tag;
    if (next !== 0) {
      key[1] = 1 + this.#kernel.optionOf(next);
      key[2] = this.#kernel.memory.words[next + ITEM];
    }
    for (const item of this.#repeated) {
      key[this.#wordOf[item]] |= this.#fieldOf(item) << this.#shiftOf[item];
    }
  }

  #fieldOf(item: number): number {
    const { words, problem } = this.#kernel.memory;
    const head = ROOT + HEAD_WORDS * item;
    if (isCovered(words, head) || words[head + SPARE] === 0) return 0;
    const most = words[head + MOST];
    const isFree = leastOf(words, head) === 0 && most >= words[head + SPARE];
    return isFree ? 1 : 2 + problem.multiplicities!.most[item - 1] - most;
  }
}
