/** The search by cost: of the whole tree, without the subtrees whose solutions are too expensive. */
import { Kernel } from '../kernel.ts';
import { PlainSearch } from '../plain-search.ts';
import type { ExactCoverProblem } from '../problem.ts';
import type { Search } from '../search.ts';
import { COST, CUTOFF } from '../search-memory.ts';
import { createWasmDecisions } from '../wasm-decisions.ts';
import type { TaxedProblem } from './taxes.ts';

/**
 * Creates the search that is fastest: in WebAssembly if possible. At a solution, `COST` of its memory is the sum of the costs of its
 * options; solutions that cost `CUTOFF` or more need not be found.
 */
export function createPricedSearch(taxed: TaxedProblem): Search {
  return createWasmDecisions(taxed.problem, taxed) ?? createPlainPriced(taxed.problem);
}

/** The one in TypeScript, which runs everywhere. It bounds costs by those of the options that are in alone. */
function createPlainPriced(problem: ExactCoverProblem): Search {
  const kernel = new Kernel(problem, true);
  const { numbers } = kernel.memory;
  return new PlainSearch(kernel, () => {
    numbers[COST] = kernel.selectedOptions().reduce((sum, option) => sum + problem.costs![option], 0);
    return numbers[COST] >= numbers[CUTOFF];
  });
}
