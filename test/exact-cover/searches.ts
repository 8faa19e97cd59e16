/** Both searches of the core, for tests that apply to each. */
import { createPlainSearch } from '../../lib/exact-cover/plain-search.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import type { Search } from '../../lib/exact-cover/search.ts';
import { createWasmDecisions } from '../../lib/exact-cover/wasm-decisions.ts';
import { createWasmSearch } from '../../lib/exact-cover/wasm-search.ts';

/** Creates the search in WebAssembly, which every Node version for the tests supports. */
export function requireWasmSearch(problem: ExactCoverProblem): Search {
  const create = problem.multiplicities === undefined ? createWasmSearch : createWasmDecisions;
  const search = create(problem);
  if (search === undefined) throw new Error('this Node has no WebAssembly with SIMD: run on Node 24');
  return search;
}

export const SEARCHES = [
  { name: 'TypeScript', createSearch: createPlainSearch },
  { name: 'WebAssembly', createSearch: requireWasmSearch },
];
