/** Dancing links for any problem. `DancingLinks` alone loads no WebAssembly for multiplicities, and searches those in TypeScript. */
import { DancingLinks } from './dancing-links.ts';
import { createFastest } from './fastest-search.ts';
import type { ExactCoverProblem } from './problem.ts';
import type { Search } from './search.ts';
import { createWasmDecisions } from './wasm-decisions.ts';

/** @param wanted, createSearch as for `DancingLinks` */
export function openLinks(
  problem: ExactCoverProblem,
  wanted?: number,
  createSearch?: (problem: ExactCoverProblem, few: boolean) => Search,
): DancingLinks {
  const isRepeated = problem.multiplicities !== undefined;
  return new DancingLinks(problem, wanted, createSearch ?? (isRepeated ? createDecisions : undefined));
}

function createDecisions(problem: ExactCoverProblem, few: boolean): Search {
  return createFastest(problem, few, createWasmDecisions);
}
