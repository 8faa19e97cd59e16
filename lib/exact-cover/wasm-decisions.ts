/** The search in WebAssembly that decides options one by one, apart from wasm-search.ts, as most pages need only that. */
import type { TaxedProblem } from './costs/taxes.ts';
import { DECISIONS_WASM } from './decisions-wasm-module.ts';
import type { ExactCoverProblem } from './problem.ts';
import type { Search } from './search.ts';
import { CUTOFF, type SearchMemory } from './search-memory.ts';
import { createInstance } from './wasm-instance.ts';
import { WasmSearch } from './wasm-search.ts';

/** Half of a typical share: an index of `numbers`. */
const TYPICAL_SHARE = 23;

/** Creates the search of a problem with multiplicities, or in the order of costs; undefined as for `createWasmSearch`. */
export function createWasmDecisions(problem: ExactCoverProblem, prices?: TaxedProblem): Search | undefined {
  const instance = createInstance(problem, DECISIONS_WASM, prices !== undefined);
  if (instance === undefined) return undefined;
  if (prices !== undefined) fillPrices(instance.memory, prices);
  return new WasmSearch(instance);
}

function fillPrices(
  { problem, numbers, at }: SearchMemory,
  { taxes, shares, typicalShare }: TaxedProblem,
): void {
  numbers[CUTOFF] = Number.POSITIVE_INFINITY;
  numbers[TYPICAL_SHARE] = typicalShare;
  numbers.set(problem.costs!, at.optionCosts >> 1);
  numbers.set(shares, at.optionShares >> 1);
  // That of the root is the first.
  numbers.set(taxes, (at.taxes >> 1) + 1);
}
