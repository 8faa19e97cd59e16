/**
 * Forced moves before any search, where no item has more than 30 options. See reduction.ts for the idea.
 *
 * An item's options are bits of one word, in ascending order. To kill an option is to clear its bit in each of
 * its items, and `left & (left - 1)` is 0 just where an item is down to one option or none:
 *
 *     item 4 has options 4 7 9:   bits 0 1 2    word 111
 *     kill 9, kill 4:             word 010      down to one, and bit 1 says that it is 7
 *
 * All numbers stand in one array, because code that juggles ten typed arrays spends its time fetching their
 * addresses:
 *
 *     memory   | items, 2 words each       | entries, 2 words each       | options, item after item |
 *                bits, where its options     address of the item, bit
 *                stand (third part)          (entry k is at entriesAt + 2k)
 *
 * Bits 30 and 31 of an item's word are set once it is covered, and always for secondary items: such a word never
 * looks like the last option, and is negative.
 *
 * Invariant, whenever no select is under way: an option's bits are set in all items of it that are not covered, or
 * in none.
 */
import type { ExactCoverProblem } from './problem.ts';
import type { Reduction } from './reduction.ts';

/** The most options an item may have. */
export const WORD_OPTIONS = 30;

const COVERED = 0xc000_0000 | 0;
const HIGHEST = 0x8000_0000 | 0;

export class NarrowReduction implements Reduction {
  readonly selected: Int32Array;
  selectedCount = 0;
  updates = 0;

  private readonly problem: ExactCoverProblem;
  private readonly memory: Int32Array;
  /** The items' part of `memory` as it is before anything is selected. */
  private readonly template: Int32Array;
  private readonly entriesAt: number;
  private readonly settled: Uint8Array;
  /** Addresses of items that were down to one option, in the order in which they came. */
  private readonly queue: Int32Array;
  private queueEnd = 0;
  /** Items with a single option from the start. */
  private readonly singles: Int32Array;
  private readonly hasEmptyItem: boolean;

  constructor(problem: ExactCoverProblem) {
    const { primaryCount, secondaryCount, optionCount, items } = problem;
    const itemCount = primaryCount + secondaryCount;
    this.problem = problem;
    this.entriesAt = 2 * (itemCount + 1);
    this.memory = new Int32Array(this.entriesAt + 3 * items.length);
    this.settled = new Uint8Array(itemCount + 1);
    this.selected = new Int32Array(optionCount);
    this.queue = new Int32Array(itemCount + 1);
    const size = this.transpose();
    this.template = this.memory.slice(0, this.entriesAt);
    this.singles = Int32Array.from(
      [...size.keys()].filter((item) => item >= 1 && item <= primaryCount && size[item] === 1),
      (item) => 2 * item,
    );
    this.hasEmptyItem = size.subarray(1, primaryCount + 1).includes(0);
  }

  reduce(options: Int32Array, count: number): boolean {
    const { memory, template, queue } = this;
    for (let item = 2; item < template.length; item += 2) {
      memory[item] = template[item];
    }
    if (this.problem.colours !== undefined) {
      this.settled.fill(0);
    }
    this.selectedCount = 0;
    this.updates = 0;
    this.queueEnd = 0;
    if (this.hasEmptyItem) {
      return false;
    }
    for (let k = 0; k < count; k++) {
      if (!this.isAlive(options[k]) || !this.select(options[k])) {
        return false;
      }
    }
    // Every item comes down to one option once, and those that began there never do.
    queue.copyWithin(this.singles.length, 0, this.queueEnd);
    queue.set(this.singles);
    this.queueEnd += this.singles.length;
    for (let head = 0; head < this.queueEnd; head++) {
      const item = queue[head];
      const bits = memory[item];
      if (bits >= 0 && !this.select(memory[memory[item + 1] + 31 - Math.clz32(bits)])) {
        return false;
      }
    }
    return true;
  }

  isAlive(option: number): boolean {
    const { memory } = this;
    const entry = this.entriesAt + 2 * this.problem.optionStart[option];
    return (memory[memory[entry]] & memory[entry + 1]) !== 0;
  }

  isActive(item: number): boolean {
    return this.memory[2 * item] >= 0;
  }

  isSettled(item: number): boolean {
    return this.settled[item] === 1;
  }

  /** Selects an option that is alive, without what it forces; false where an item loses its last option. */
  private select(option: number): boolean {
    const { memory, queue, entriesAt } = this;
    const { optionStart, colours } = this.problem;
    const begin = entriesAt + 2 * optionStart[option];
    const end = entriesAt + 2 * optionStart[option + 1];
    let { queueEnd, updates } = this;
    let consistent = true;
    this.selected[this.selectedCount++] = option;
    for (let entry = begin; entry < end; entry += 2) {
      const item = memory[entry];
      memory[item] = (memory[item] & ~memory[entry + 1]) | COVERED;
    }
    for (let entry = begin; entry < end && consistent; entry += 2) {
      const item = memory[entry];
      const list = memory[item + 1] + 31;
      let dead = memory[item] & ~COVERED;
      if (colours !== undefined) {
        dead &= this.wrongColours(item >> 1, colours[(entry - entriesAt) >> 1]);
      }
      memory[item] ^= dead;
      while (dead !== 0) {
        const zeros = Math.clz32(dead);
        dead ^= HIGHEST >>> zeros;
        const other = memory[list - zeros];
        const otherBegin = entriesAt + 2 * optionStart[other];
        const otherEnd = entriesAt + 2 * optionStart[other + 1];
        updates += ((otherEnd - otherBegin) >> 1) - 1;
        for (let gone = otherBegin; gone < otherEnd; gone += 2) {
          const lost = memory[gone];
          const left = memory[lost] & ~memory[gone + 1];
          memory[lost] = left;
          if ((left & (left - 1)) === 0) {
            if (left === 0) {
              consistent = false;
            } else {
              queue[queueEnd++] = lost;
            }
          }
        }
      }
    }
    this.queueEnd = queueEnd;
    this.updates = updates;
    return consistent;
  }

  /** Settles an item, with a colour or, with 0, for one option alone: the bits of its options that die of it. */
  private wrongColours(item: number, colour: number): number {
    const { memory, problem, settled } = this;
    if (colour === 0) {
      settled[item] = 1;
      return -1;
    }
    if (settled[item] === 1) {
      return 0;
    }
    settled[item] = 1;
    let wrong = 0;
    for (let bits = memory[2 * item] & ~COVERED; bits !== 0; bits &= bits - 1) {
      const rank = 31 - Math.clz32(bits & -bits);
      const option = memory[memory[2 * item + 1] + rank];
      for (let k = problem.optionStart[option]; k < problem.optionStart[option + 1]; k++) {
        if (problem.items[k] === item - 1 && problem.colours![k] !== colour) {
          wrong |= 1 << rank;
        }
      }
    }
    return wrong;
  }

  /** Fills all of `memory`; gives the number of options by item. */
  private transpose(): Int32Array {
    const { memory, entriesAt, problem } = this;
    const { primaryCount, optionCount, optionStart, items } = problem;
    const size = new Int32Array(entriesAt / 2);
    for (const item of items) {
      size[item + 1]++;
    }
    for (let item = 1, at = entriesAt + 2 * items.length; item < size.length; at += size[item++]) {
      memory[2 * item] = ((1 << size[item]) - 1) | (item > primaryCount ? COVERED : 0);
      memory[2 * item + 1] = at;
    }
    const rank = new Int32Array(size.length);
    for (let option = 0; option < optionCount; option++) {
      for (let k = optionStart[option]; k < optionStart[option + 1]; k++) {
        const item = items[k] + 1;
        memory[entriesAt + 2 * k] = 2 * item;
        memory[entriesAt + 2 * k + 1] = 1 << rank[item];
        memory[memory[2 * item + 1] + rank[item]++] = option;
      }
    }
    return size;
  }
}
