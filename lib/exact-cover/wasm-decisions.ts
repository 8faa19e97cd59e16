/** The search in WebAssembly that decides options one by one, apart from wasm-search.ts, as most pages need only that. */
import { COST, CUTOFF, fillPrices, type Prices, priceWords } from './costs/price-memory.ts';
import { DECISIONS_WASM } from './decisions-wasm-module.ts';
import type { ExactCoverProblem } from './problem.ts';
import type { PricedSearch, Search } from './search.ts';
import { createInstance } from './wasm-instance.ts';
import { type SearchExports, WasmSearch } from './wasm-search.ts';

interface DecisionExports extends SearchExports {
  restart(): void;
  abandon(): number;
}

/** Creates the search of a problem with multiplicities; undefined as for `createWasmSearch`. */
export function createWasmDecisions(problem: ExactCoverProblem): Search | undefined {
  const instance = createInstance(problem, DECISIONS_WASM);
  return instance && new WasmSearch(instance.memory, instance.exports as DecisionExports, instance.release);
}

/** Creates the search of a problem with costs; undefined as for `createWasmSearch`. */
export function createWasmPriced(problem: ExactCoverProblem, prices: Prices): PricedSearch | undefined {
  const instance = createInstance(problem, DECISIONS_WASM, priceWords(problem));
  if (instance !== undefined) fillPrices(instance.memory, prices);
  return instance && new WasmPriced(instance.memory, instance.exports as DecisionExports, instance.release);
}

class WasmPriced extends WasmSearch<DecisionExports> implements PricedSearch {
  get #numbers(): Float64Array {
    return new Float64Array(this.memory.words.buffer, 0, CUTOFF + 1);
  }

  get cost(): number {
    return this.#numbers[COST];
  }

  get cutoff(): number {
    return this.#numbers[CUTOFF];
  }

  set cutoff(cost: number) {
    this.#numbers[CUTOFF] = cost;
  }

  restart(): void {
    this.wasm.restart();
  }

  abandon(): number {
    return this.wasm.abandon();
  }
}
