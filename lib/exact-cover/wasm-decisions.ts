/** The search in WebAssembly that decides options one by one, apart from wasm-search.ts, as most pages need only that. */
import { DECISIONS_WASM } from './decisions-wasm-module.ts';
import type { ExactCoverProblem } from './problem.ts';
import type { Search } from './search.ts';
import type { Prices } from './search-memory.ts';
import { createInstance } from './wasm-instance.ts';
import { WasmSearch } from './wasm-search.ts';

/** Creates the search of a problem with multiplicities, or in the order of costs; undefined as for `createWasmSearch`. */
export function createWasmDecisions(problem: ExactCoverProblem, prices?: Prices): Search | undefined {
  const instance = createInstance(problem, DECISIONS_WASM, prices);
  return instance && new WasmSearch(instance);
}
