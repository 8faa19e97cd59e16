/**
 * Finds solutions in the order of their costs, the cheapest first (Knuth's Algorithm C$).
 *
 * A pass is a search of the whole tree that keeps the cheapest solutions, as many as are requested. When it has that many,
 * it cuts off each subtree whose solutions are not cheaper than the most expensive one that it keeps (cost-bound.ts).
 * Nothing is known before its end; then its solutions are given one by one.
 *
 * Solutions with the same cost have the order in which the search finds them, which does not depend on what is cut off
 * (cost-bound.ts). So the N cheapest solutions are the first N of any larger number. And if more are requested than
 * can be kept, or an unknown number, another pass begins after the latest solution: after those of its cost that were
 * given before.
 */

import type { SolutionSearch } from '../open-search.ts';
import type { ExactCoverProblem } from '../problem.ts';
import type { SearchPlace } from '../resumable-search.ts';
import { CountedSearch, NO_LIMITS, type RunLimits, type Search, SearchStop } from '../search.ts';
import { COST, CUTOFF, NODES, SELECTED_COUNT, type SearchMemory } from '../search-memory.ts';
import { createPricedSearch } from './priced-search.ts';
import { type TaxedProblem, taxed, taxedBytes } from './taxes.ts';

/** Bytes of the solutions that a pass keeps, about. */
const KEPT_BYTES = 64 * 2 ** 20;
const BYTES_PER_SOLUTION = 120;
const BYTES_PER_OPTION = 8;

/** A pass of an unknown number of solutions keeps this many times those before it. */
const GROWTH = 15;

/** A solution that a pass has found. */
interface KeptSolution {
  readonly cost: number;
  readonly options: readonly number[];
}

export class CheapestSearch extends CountedSearch implements SolutionSearch {
  readonly memory: SearchMemory;
  /** Solutions given so far; `selected` has the options of the latest one. */
  solutions = 0;
  /** The cost of the latest solution. */
  cost = 0;
  /** After a search that ended early: no solution that it has not given yet costs less. */
  costBound = 0;
  readonly #problem: TaxedProblem;
  readonly #search: Search;
  readonly #firstPass: number;
  readonly #bytesPerSolution: number;
  readonly #maxKept: number;
  #mostKept = 0;
  /** The solutions of the current pass, the cheapest first; undefined between passes. And how many it may have. */
  #kept: KeptSolution[] | undefined;
  #capacity = 0;
  /** The solutions of the latest pass that are not given yet, the cheapest last. */
  #ready: KeptSolution[] = [];
  #isFinished = false;
  /** How many solutions with the cost of the latest one were given; and how many of them the current pass has met. */
  #given = 0;
  #met = 0;

  /**
   * @param problem with costs
   * @param firstPass solutions that the first pass keeps at most, if the number of requested ones is unknown
   */
  constructor(problem: ExactCoverProblem, firstPass = Number.POSITIVE_INFINITY) {
    super();
    this.#problem = taxed(problem);
    this.#search = createPricedSearch(this.#problem);
    this.memory = this.#search.memory;
    this.#firstPass = firstPass;
    this.#bytesPerSolution = BYTES_PER_SOLUTION + BYTES_PER_OPTION * maxOptions(problem);
    this.#maxKept = Math.floor(KEPT_BYTES / this.#bytesPerSolution);
  }

  /** Bytes of all arrays, and of the solutions that a pass has kept at most. */
  get bytes(): number {
    const bytes = this.memory.words.byteLength + taxedBytes(this.#problem.problem);
    return bytes + this.#mostKept * this.#bytesPerSolution;
  }

  /** Searches until a limit is reached; limits and results are those of `DancingLinks.run`. */
  run({ maxSolutions, maxNodes, sliceNodes, pauseAtSolution }: RunLimits): SearchStop {
    const sliceEnd = this.nodes + sliceNodes;
    for (;;) {
      if (this.solutions >= maxSolutions) return SearchStop.solutionLimit;
      const next = this.#ready.pop();
      if (next !== undefined) {
        this.#give(next);
        if (this.solutions < maxSolutions && pauseAtSolution) return SearchStop.solution;
        continue;
      }
      if (this.#isFinished) return SearchStop.exhausted;
      if (this.#kept === undefined) this.#beginPass(maxSolutions - this.solutions);
      if (this.nodes >= sliceEnd) return SearchStop.slice;
      const slice = { maxNodes, sliceNodes: sliceEnd - this.nodes, pauseAtSolution: true };
      const stop = this.#search.run({ ...NO_LIMITS, ...slice });
      if (stop === SearchStop.solution) this.#keep();
      else if (stop === SearchStop.exhausted) this.#endPass();
      else return stop;
    }
  }

  /** Ends the search: `run` then gives the solutions that are found so far, though cheaper ones may exist. */
  endEarly(): void {
    if (this.#kept !== undefined) {
      const bound = this.#search.leastCostLeft?.() ?? 0;
      this.#endPass();
      this.costBound = Math.min(Math.max(this.cost, Math.ceil(bound)), this.#ready.at(-1)?.cost ?? bound);
    }
    this.#isFinished = true;
  }

  release(): void {
    this.#search.release?.();
  }

  /** The place after the latest solution; a pass has no places, so a search that continues there begins it again. */
  place(): SearchPlace {
    const { solutions, nodes } = this;
    if (this.#isFinished && this.#ready.length === 0) return { solutions, nodes, branches: [] };
    return solutions === 0
      ? { solutions, nodes }
      : { solutions, nodes, cost: { latest: this.cost, given: this.#given } };
  }

  /** Continues at a place; only before the first `run`. @returns false if it is no place in this search */
  resumeAt({ solutions, nodes, branches, cost }: SearchPlace): boolean {
    if (branches !== undefined && branches.length > 0) return false;
    if (solutions !== 0 && branches === undefined && cost === undefined) return false;
    this.solutions = solutions as number;
    this.memory.counts[NODES] = nodes;
    this.cost = cost?.latest ?? 0;
    this.#given = cost?.given ?? 0;
    this.#isFinished = branches !== undefined;
    return true;
  }

  #beginPass(requested: number): void {
    const most = requested === Number.POSITIVE_INFINITY ? this.#firstPass : requested;
    const capacity = Math.min(this.#maxKept, Math.max(most, Math.min(requested, GROWTH * this.solutions)));
    this.#kept = [];
    this.#capacity = Math.max(1, capacity);
    this.#met = 0;
    this.memory.numbers[CUTOFF] = Number.POSITIVE_INFINITY;
    this.#search.begin(false);
  }

  /** Keeps a solution behind those that cost as much; the worst one goes if there are too many. */
  #keep(): void {
    const { numbers } = this.memory;
    const kept = this.#kept!;
    const cost = numbers[COST];
    if (this.solutions > 0 && cost <= this.cost) {
      if (cost < this.cost || this.#met++ < this.#given) return;
    }
    if (cost >= numbers[CUTOFF]) return;
    if (kept.length === this.#capacity) kept.pop();
    let from = 0;
    for (let to = kept.length; from < to; ) {
      const middle = (from + to) >> 1;
      if (kept[middle].cost <= cost) from = middle + 1;
      else to = middle;
    }
    const options = Array.from(this.selected, (option) => this.#problem.original[option]);
    kept.splice(from, 0, { cost, options });
    if (kept.length === this.#capacity) numbers[CUTOFF] = kept.at(-1)!.cost;
  }

  #endPass(): void {
    this.#ready = this.#kept!.reverse();
    this.#isFinished = this.#ready.length < this.#capacity;
    this.#mostKept = Math.max(this.#mostKept, this.#ready.length);
    this.#kept = undefined;
  }

  #give({ cost, options }: KeptSolution): void {
    const { words, at } = this.memory;
    this.#given = cost === this.cost ? this.#given + 1 : 1;
    this.solutions++;
    this.cost = cost;
    words.set(options, at.selected);
    words[SELECTED_COUNT] = options.length;
  }
}

/** Most options that a solution can have. */
function maxOptions({ primaryCount, optionCount, multiplicities }: ExactCoverProblem): number {
  const places = multiplicities?.most.reduce((sum, most) => sum + most, 0) ?? primaryCount;
  return Math.min(optionCount, places);
}
