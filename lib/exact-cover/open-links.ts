/** Dancing links for any problem. `DancingLinks` alone loads no WebAssembly for multiplicities, and searches those in TypeScript. */
import { DancingLinks } from './dancing-links.ts';
import { createFastestSearch } from './fastest-search.ts';
import { createPlainSearch } from './plain-search.ts';
import type { ExactCoverProblem } from './problem.ts';
import type { Search } from './search.ts';
import { createWasmDecisions } from './wasm-decisions.ts';

/** @param wanted, createSearch as for `DancingLinks` */
export function openLinks(
  problem: ExactCoverProblem,
  wanted?: number,
  createSearch: (problem: ExactCoverProblem) => Search = createFastestSearch,
): DancingLinks {
  return new DancingLinks(
    problem,
    wanted,
    problem.multiplicities === undefined ? createSearch : createDecisions,
  );
}

function createDecisions(problem: ExactCoverProblem): Search {
  return createWasmDecisions(problem) ?? createPlainSearch(problem);
}
