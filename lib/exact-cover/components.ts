/**
 * Splits a residual problem into independent components: sets of items such that no remaining option has items of two
 * of them. Their numbers of solutions are multiplied.
 *
 *     active items   a b c d e      options   a c | a | b d | b e | d | e      components   a c | b d e
 *
 * Found by flooding from item to item through the options, from primary items to secondary ones too, as options that share
 * one exclude each other. A settled item connects nothing, as the options that it has left agree on its colour; but it is
 * an item of each component that it is reached from, since its colour determines which options are left there.
 */
import {
  DOWN,
  HEAD_WORDS,
  ITEM,
  isCovered,
  isSettled,
  itemOf,
  NEXT,
  ROOT,
  type SearchMemory,
} from './search-memory.ts';

export class Components {
  readonly #memory: SearchMemory;
  /** By item: the last flood that reached it. */
  readonly #reached: Int32Array;
  #flood = 0;

  /** @param memory the memory of the search, with addresses in words */
  constructor(memory: SearchMemory) {
    this.#memory = memory;
    this.#reached = new Int32Array(memory.problem.primaryCount + memory.problem.secondaryCount + 1);
  }

  /**
   * The heads of the items of each component, secondary ones too, in the order of the items; undefined if there is only
   * one component.
   *
   * @param open the active items with options left, at least one
   */
  split(open: readonly number[]): number[][] | undefined {
    if (open.length === 1) return undefined;
    const before = this.#flood;
    const components: number[][] = [];
    for (const item of open) {
      if (this.#reached[itemOf(item)] > before) continue;
      const component = this.#floodFrom(item, open.length);
      if (component === undefined) return undefined;
      components.push(component);
    }
    return components;
  }

  /** The heads of a component; undefined as soon as all active items are reached, most of which are reached at once. */
  #floodFrom(start: number, activeItems: number): number[] | undefined {
    const { words } = this.#memory;
    const reached = this.#reached;
    const flood = ++this.#flood;
    const heads = [start];
    let active = 1;
    reached[(start - ROOT) / HEAD_WORDS] = flood;
    for (let k = 0; k < heads.length; k++) {
      if (isSettled(words, heads[k])) continue;
      for (let node = words[heads[k] + DOWN]; node !== heads[k]; node = words[node + DOWN]) {
        for (let entry = words[node + NEXT]; entry !== node; entry = words[entry + NEXT]) {
          const head = words[entry + ITEM];
          const item = itemOf(head);
          if (reached[item] === flood) continue;
          reached[item] = flood;
          heads.push(head);
          if (!isCovered(words, head) && ++active === activeItems) return undefined;
        }
      }
    }
    return heads.sort((a, b) => a - b);
  }
}
