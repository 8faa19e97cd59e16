/**
 * Chooses the search that is expected to finish first.
 *
 *     entries of the problem       search
 *     fewer than 500               TypeScript, from 100 nodes on WebAssembly
 *     500 and more                 WebAssembly
 *     beyond its memory            TypeScript
 *
 * WebAssembly takes half the time or less, but a memory and an instance take 50 to 200 microseconds, in which most small
 * problems are solved. Others have few entries and long searches, such as Langford pairs of 11: then the search in WebAssembly
 * repeats the nodes so far. Both searches enter the same nodes, so it is then in the same state.
 *
 * Measured on queens of order 10 (4,658 nodes) in a new process, which compiles what it runs: WebAssembly 7 ms, TypeScript 30,
 * WebAssembly from 2,000 nodes on 36, from 100 nodes on 10.
 */
import { createPlainSearch } from './plain-search.ts';
import type { ExactCoverProblem } from './problem.ts';
import { type Search, SearchStop } from './search.ts';
import { NODES, PRESELECTED_COUNT, type SearchMemory } from './search-memory.ts';
import { createWasmSearch } from './wasm-search.ts';

/** The tables of a 9x9 sudoku, with 2,916 entries, take 0.35 ms. */
const SMALL_ENTRIES = 500;
/** About as much time in TypeScript as an instance takes. */
const PLAIN_NODES = 100;

/** Creates the search that is expected to finish first. */
export function createFastestSearch(problem: ExactCoverProblem): Search {
  if (problem.items.length < SMALL_ENTRIES) return new SmallSearch(problem);
  return createWasmSearch(problem) ?? createPlainSearch(problem);
}

class SmallSearch implements Search {
  readonly #problem: ExactCoverProblem;
  #search: Search;
  #few = true;
  /** Nodes at which WebAssembly takes over; Infinity if it has, or is not available. */
  #plainNodes = PLAIN_NODES;

  constructor(problem: ExactCoverProblem) {
    this.#problem = problem;
    this.#search = createPlainSearch(problem);
  }

  get memory(): SearchMemory {
    return this.#search.memory;
  }

  begin(few: boolean): void {
    this.#few = few;
    this.#search.begin(few);
  }

  run(maxSolutions: number, maxNodes: number, sliceNodes: number, pauseAtSolution: boolean): SearchStop {
    const plainNodes = this.#plainNodes - this.memory.counts[NODES];
    if (sliceNodes < plainNodes) return this.#search.run(maxSolutions, maxNodes, sliceNodes, pauseAtSolution);
    const stop = this.#search.run(maxSolutions, maxNodes, plainNodes, pauseAtSolution);
    if (stop !== SearchStop.slice) return stop;
    this.#continueInWasm();
    return this.#search.run(maxSolutions, maxNodes, sliceNodes - plainNodes, pauseAtSolution);
  }

  rewind(): void {
    this.#search.rewind();
  }

  /** Repeats the search so far. */
  #continueInWasm(): void {
    this.#plainNodes = Number.POSITIVE_INFINITY;
    const search = createWasmSearch(this.#problem);
    if (search === undefined) return;
    const { words, at } = this.memory;
    const preselected = words.subarray(at.preselected, at.preselected + words[PRESELECTED_COUNT]);
    search.memory.words.set(preselected, search.memory.at.preselected);
    search.memory.words[PRESELECTED_COUNT] = preselected.length;
    search.begin(this.#few);
    search.run(Number.POSITIVE_INFINITY, this.memory.counts[NODES], Number.POSITIVE_INFINITY, false);
    this.#search = search;
  }
}
