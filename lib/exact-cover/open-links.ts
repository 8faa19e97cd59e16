/** Dancing links for any problem. `DancingLinks` alone loads no WebAssembly for multiplicities, and searches those in TypeScript. */
import { fewestToSpare } from './choice.ts';
import { DancingLinks } from './dancing-links.ts';
import { createFastest } from './fastest-search.ts';
import { DecisionKernel } from './kernel.ts';
import { PlainSearch } from './plain-search.ts';
import type { ExactCoverProblem } from './problem.ts';
import type { Search } from './search.ts';
import { createPlainMemory } from './search-memory.ts';
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

/** Creates the search in TypeScript of a problem with multiplicities, which runs everywhere. */
export function createPlainDecisions(problem: ExactCoverProblem): Search {
  const kernel = new DecisionKernel(createPlainMemory(problem));
  return new PlainSearch(kernel, { kernel, chooseItem: () => fewestToSpare(kernel.memory) });
}

function createDecisions(problem: ExactCoverProblem, few: boolean): Search {
  return createFastest(problem, few, createWasmDecisions, createPlainDecisions);
}
