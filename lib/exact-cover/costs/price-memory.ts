/** The prices in the memory of a search by cost in WebAssembly, after all other regions; wasm/memory.as reads them. */
import type { ExactCoverProblem } from '../problem.ts';
import { pathWords, type SearchMemory } from '../search-memory.ts';

/** What guides a search by cost (taxes.ts). */
export interface Prices {
  /** By item. */
  readonly taxes: Float64Array;
  /** By option. */
  readonly shares: Float64Array;
  readonly typicalShare: number;
}

/** Whether there are prices. */
const PRICED = 39;
/** Indexes of numbers in 64 bits, from the first word on. */
export const COST = 20;
export const CUTOFF = 22;
const TYPICAL_SHARE = 23;

/** Words of the regions. */
export function priceWords(problem: ExactCoverProblem): number[] {
  const { primaryCount, secondaryCount, optionCount, items } = problem;
  const itemCount = primaryCount + secondaryCount;
  return [
    // In 64 bits. By option: its cost, and its share.
    2 * optionCount,
    2 * optionCount,
    // By linked entry: the share of its option.
    2 * items.length,
    // By entry of the path: what the options that came in before it cost.
    2 * pathWords(problem),
    // By item, after that of the root: its tax.
    2 * (itemCount + 1),
    // By item, after that of the root, in words: what a proposed option does to it.
    itemCount + 1,
  ];
}

export function fillPrices(
  { problem, words, moreAt }: SearchMemory,
  { taxes, shares, typicalShare }: Prices,
): void {
  const numbers = new Float64Array(words.buffer, 0, words.length >> 1);
  const [costsAt, sharesAt, , , taxesAt] = moreAt;
  words[PRICED] = 1;
  numbers[CUTOFF] = Number.POSITIVE_INFINITY;
  numbers[TYPICAL_SHARE] = typicalShare;
  numbers.set(problem.costs!, costsAt >> 1);
  numbers.set(shares, sharesAt >> 1);
  numbers.set(taxes, (taxesAt >> 1) + 1);
}
