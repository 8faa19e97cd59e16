/**
 * Guides a search by cost: bounds the cost of what is left by the taxes of its items and the least shares of their options
 * (taxes.ts), and chooses the item whose first option is decided next.
 *
 * The item depends on the links alone, so that the order of solutions does not depend on what is cut off. It is the one with the
 * largest regret for its number of options to spare. The regret is what its second option costs more than its first: excluding
 * the first one raises the bound by that. The typical share makes short lists count where costs differ little.
 *
 * The bound is computed in floating point, and rounded down further than its error; costs themselves are exact.
 * docs/explanation/search.md has what was measured, tried and dropped.
 */
import type { DecisionKernel } from '../kernel.ts';
import {
  DOWN,
  ENTRY_SHIFT,
  ITEM,
  itemOf,
  leastOf,
  MOST,
  NEXT,
  RIGHT,
  ROOT,
  SPARE,
} from '../search-memory.ts';
import type { TaxedProblem } from './taxes.ts';

/** The relative error of a sum of less than 10^6 products is below 10^-9. */
const CAUTION = 1 - 1e-9;

export class CostBound {
  /** No solution with the options that are in costs less; after `chooseItem`. */
  bound = 0;
  readonly #taxed: TaxedProblem;
  readonly #kernel: DecisionKernel;
  /**
   * By item, while an option is proposed: -1 if no other option fits with it, the colour that others need, -2 if it is in the
   * option and others fit, 0 if it is not.
   */
  readonly #proposed: Int32Array;

  constructor(taxed: TaxedProblem, kernel: DecisionKernel) {
    this.#taxed = taxed;
    this.#kernel = kernel;
    this.#proposed = new Int32Array(taxed.problem.primaryCount + taxed.problem.secondaryCount + 1);
  }

  /** Bounds the cost, and chooses an item, in one pass. @returns its head; 0 if no option is left */
  chooseItem(): number {
    const { taxes, shares, typicalShare } = this.#taxed;
    const kernel = this.#kernel;
    const { words } = kernel.memory;
    let rest = 0;
    let best = 0;
    let bestWorth = 0;
    for (let item = words[ROOT + RIGHT]; item !== ROOT; item = words[item + RIGHT]) {
      const spare = words[item + SPARE];
      if (spare === 0) continue;
      const first = words[item + DOWN];
      const second = words[first + DOWN];
      const share = shares[kernel.optionOf(first)];
      if (leastOf(words, item) > 0) {
        rest += leastOf(words, item) * taxes[itemOf(item) - 1] + this.#leastShares(item);
      }
      const regret = second === item ? 0 : shares[kernel.optionOf(second)] - share;
      const worth = (regret + typicalShare) / spare;
      if (best !== 0 && worth <= bestWorth) continue;
      best = item;
      bestWorth = worth;
    }
    this.bound = kernel.cost + rest * CAUTION;
    return best;
  }

  /**
   * What the option of a node adds to the bound at least if it is in: its cost, less what its items cost anyway, and what it
   * costs that the cheapest options of other items do not fit it. That nearly is the bound after these are hidden, but much
   * faster: of the options of pentominoes 5x12 that are tried, three of four end here.
   *
   * @param room above it, the result is not exact
   */
  increaseWith(node: number, room: number): number {
    const { problem, taxes, shares } = this.#taxed;
    const kernel = this.#kernel;
    const { words } = kernel.memory;
    let increase = problem.costs![kernel.optionOf(node)] * CAUTION;
    let entry = node;
    do {
      const item = words[entry + ITEM];
      if (itemOf(item) <= problem.primaryCount && leastOf(words, item) > 0) {
        increase -= taxes[itemOf(item) - 1] + this.#leastShares(item);
      }
      entry = words[entry + NEXT];
    } while (entry !== node);
    if (increase > room) return increase;
    const proposed = this.#proposed;
    this.#propose(node);
    for (let item = words[ROOT + RIGHT]; item !== ROOT && increase <= room; item = words[item + RIGHT]) {
      if (leastOf(words, item) !== 1 || proposed[itemOf(item)] !== 0) continue;
      const share = this.#firstFittingShare(item);
      increase += (share - shares[kernel.optionOf(words[item + DOWN])]) * CAUTION;
    }
    this.#propose(node);
    return increase;
  }

  /** The sum of the shares of the cheapest options that an item needs. */
  #leastShares(item: number): number {
    const { shares } = this.#taxed;
    const { words } = this.#kernel.memory;
    let sum = 0;
    let node = words[item + DOWN];
    for (let needed = leastOf(words, item); needed > 0 && node !== item; needed--) {
      sum += shares[this.#kernel.optionOf(node)];
      node = words[node + DOWN];
    }
    return sum;
  }

  /** Marks the items of an option; again, to undo that. */
  #propose(node: number): void {
    const { primaryCount } = this.#taxed.problem;
    const { words } = this.#kernel.memory;
    const proposed = this.#proposed;
    let entry = node;
    do {
      const item = words[entry + ITEM];
      const index = itemOf(item);
      let mark = this.#colourOf(entry) || -1;
      if (index <= primaryCount && words[item + MOST] > 1) mark = -2;
      proposed[index] = proposed[index] === 0 ? mark : 0;
      entry = words[entry + NEXT];
    } while (entry !== node);
  }

  /** The share of the first option in an item's list that fits the proposed one; Infinity if there is none. */
  #firstFittingShare(item: number): number {
    const { words } = this.#kernel.memory;
    const proposed = this.#proposed;
    next: for (let node = words[item + DOWN]; node !== item; node = words[node + DOWN]) {
      for (let entry = words[node + NEXT]; entry !== node; entry = words[entry + NEXT]) {
        const mark = proposed[itemOf(words[entry + ITEM])];
        if (mark > 0 ? this.#colourOf(entry) !== mark : mark === -1) continue next;
      }
      return this.#taxed.shares[this.#kernel.optionOf(node)];
    }
    return Number.POSITIVE_INFINITY;
  }

  #colourOf(entry: number): number {
    const { words, at, problem } = this.#kernel.memory;
    return problem.colours === undefined ? 0 : words[at.entryColours + ((entry - at.entries) >> ENTRY_SHIFT)];
  }
}
