/** Creates the search of a problem without multiplicities: in WebAssembly, which takes half the time or less, if possible. */
import { createPlainSearch } from './plain-search.ts';
import type { ExactCoverProblem } from './problem.ts';
import type { Search } from './search.ts';
import { createWasmSearch } from './wasm-search.ts';

export function createFastestSearch(problem: ExactCoverProblem): Search {
  return createWasmSearch(problem) ?? createPlainSearch(problem);
}
