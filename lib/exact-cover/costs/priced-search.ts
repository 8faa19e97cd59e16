/** The search by cost: of the whole tree, without the subtrees whose solutions are too expensive. */
import { DecisionKernel } from '../kernel.ts';
import { type Guide, PlainSearch, USELESS } from '../plain-search.ts';
import { Phase, type PricedSearch, type SearchStop } from '../search.ts';
import { createPlainMemory, DEPTH, PHASE, type SearchMemory } from '../search-memory.ts';
import { createWasmPriced } from '../wasm-decisions.ts';
import { CostBound } from './cost-bound.ts';
import type { TaxedProblem } from './taxes.ts';

/** Creates the search that is fastest: in WebAssembly if possible. */
export function createPricedSearch(taxed: TaxedProblem): PricedSearch {
  return createWasmPriced(taxed.problem, taxed) ?? new PlainPriced(taxed);
}

/** The one in TypeScript, which runs everywhere. */
export class PlainPriced implements PricedSearch, Guide {
  cutoff = Number.POSITIVE_INFINITY;
  readonly kernel: DecisionKernel;
  readonly #search: PlainSearch;
  readonly #bound: CostBound;
  /** While the search is abandoned: no solution of the subtrees that it has left costs less. */
  #leastLeft: number | undefined;

  constructor(taxed: TaxedProblem) {
    this.kernel = new DecisionKernel(createPlainMemory(taxed.problem));
    this.#search = new PlainSearch(this.kernel, this);
    this.#bound = new CostBound(taxed, this.kernel);
  }

  get memory(): SearchMemory {
    return this.#search.memory;
  }

  get cost(): number {
    return this.kernel.cost;
  }

  begin(few: boolean): void {
    this.#search.begin(few);
  }

  restart(): void {
    this.#search.begin(false);
  }

  run(maxSolutions: number, maxNodes: number, sliceNodes: number, pauseAtSolution: boolean): SearchStop {
    return this.#search.run(maxSolutions, maxNodes, sliceNodes, pauseAtSolution);
  }

  rewind(): void {
    this.#search.rewind();
  }

  abandon(): number {
    const { counts, words, at } = this.memory;
    const before = counts.slice();
    const all = Number.POSITIVE_INFINITY;
    this.#leastLeft = all;
    // Neither side of the option in hand is searched, if it is not to go out.
    if (words[PHASE] === Phase.enter && words[at.levels + 3 * (words[DEPTH] - 1)] > 0) this.chooseItem();
    // The search visits the root of each subtree that is left.
    this.#search.run(all, all, all, false);
    counts.set(before);
    return this.#leastLeft;
  }

  chooseItem(): number {
    const item = this.#bound.chooseItem();
    if (this.#leastLeft !== undefined) {
      this.#leastLeft = Math.min(this.#leastLeft, this.#bound.bound);
      return USELESS;
    }
    // Costs are integers: what costs more than `cutoff - 1` costs `cutoff`.
    return this.#bound.bound > this.cutoff - 1 ? USELESS : item;
  }

  isUseless(node: number): boolean {
    const room = this.cutoff - 1 - this.#bound.bound;
    return this.#bound.increaseWith(node, room) > room;
  }
}
