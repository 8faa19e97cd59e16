/**
 * The search in WebAssembly. The sources in wasm/ (AssemblyScript) correspond to kernel.ts, choice.ts and plain-search.ts: search.as is
 * the one for items that are contained once, decide.as decides options one by one, with multiplicities or in the order of costs.
 */
import type { ExactCoverProblem } from './problem.ts';
import type { RunLimits, Search, SearchStop } from './search.ts';
import type { SearchMemory } from './search-memory.ts';
import { createInstance, type WasmInstance } from './wasm-instance.ts';
import { EXACT_COVER_WASM } from './wasm-module.ts';

interface SearchExports {
  begin(few: number): void;
  run(maxSolutions: number, maxNodes: number, sliceNodes: number, pauseAtSolution: number): number;
  leastCostLeft?(): number;
}

/** Creates the search in WebAssembly; undefined if it is not available or the problem is too large for it. */
export function createWasmSearch(problem: ExactCoverProblem): Search | undefined {
  const instance = createInstance(problem, EXACT_COVER_WASM);
  return instance && new WasmSearch(instance);
}

export class WasmSearch implements Search {
  readonly memory: SearchMemory;
  #wasm: SearchExports;
  readonly #release: () => void;

  constructor({ memory, exports, release }: WasmInstance) {
    this.memory = memory;
    this.#wasm = exports as SearchExports;
    this.#release = release;
  }

  begin(few: boolean): void {
    this.#wasm.begin(few ? 1 : 0);
  }

  run({ maxSolutions, maxNodes, sliceNodes, pauseAtSolution }: RunLimits): SearchStop {
    return this.#wasm.run(maxSolutions, maxNodes, sliceNodes, pauseAtSolution ? 1 : 0) as SearchStop;
  }

  leastCostLeft(): number {
    return this.#wasm.leastCostLeft!();
  }

  release(): void {
    // Whatever is called later fails, instead of changing the search that has the memory then.
    this.#wasm = undefined as never;
    this.#release();
  }
}
