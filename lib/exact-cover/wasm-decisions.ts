/** The search in WebAssembly that decides options one by one, apart from wasm-search.ts, as most pages need only that. */
import type { TaxedProblem } from './costs/taxes.ts';
import { DECISIONS_WASM } from './decisions-wasm-module.ts';
import type { ExactCoverProblem } from './problem.ts';
import type { Search } from './search.ts';
import { CUTOFF, MORE_REGIONS, pathWords, type SearchMemory } from './search-memory.ts';
import { createInstance } from './wasm-instance.ts';
import { WasmSearch } from './wasm-search.ts';

/** Whether options have costs: an index of `words`. And half of a typical share: one of `numbers`. */
const PRICED = 39;
const TYPICAL_SHARE = 23;

/** Creates the search of a problem with multiplicities, or in the order of costs; undefined as for `createWasmSearch`. */
export function createWasmDecisions(problem: ExactCoverProblem, prices?: TaxedProblem): Search | undefined {
  const instance = createInstance(problem, DECISIONS_WASM, prices && priceRegions(problem));
  if (instance === undefined) return undefined;
  if (prices !== undefined) fillPrices(instance.memory, prices);
  return new WasmSearch(instance);
}

/** The regions of a search by cost, numbers of 64 bits each; `Memory` in wasm/memory.as has their names. */
function priceRegions(problem: ExactCoverProblem): number[] {
  const { optionCount } = problem;
  const heads = 1 + problem.primaryCount + problem.secondaryCount;
  const entries = problem.items.length;
  return [optionCount, optionCount, entries, pathWords(problem), heads, heads].map((length) => 2 * length);
}

function fillPrices(
  { problem, words, numbers }: SearchMemory,
  { taxes, shares, typicalShare }: TaxedProblem,
): void {
  const [costsAt, sharesAt, , , taxesAt] = words.subarray(MORE_REGIONS);
  words[PRICED] = 1;
  numbers[CUTOFF] = Number.POSITIVE_INFINITY;
  numbers[TYPICAL_SHARE] = typicalShare;
  numbers.set(problem.costs!, costsAt >> 3);
  numbers.set(shares, sharesAt >> 3);
  numbers.set(taxes, (taxesAt >> 3) + 1);
}
