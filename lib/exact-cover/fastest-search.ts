/**
 * Chooses the search that is expected to finish first.
 *
 * WebAssembly takes half the time or less, but a memory and an instance take 50 to 200 microseconds, in which most small
 * problems are solved. A search for all solutions of a small problem may be long: Langford pairs of 11 have 396 entries and
 * 226,600 nodes.
 *
 * Dropped: TypeScript for the first 100 nodes of a small problem, then WebAssembly, which repeats them. It takes 3 ms more in a
 * new process, as that compiles both, and 300 bytes of a page.
 */
import { createPlainSearch } from './plain-search.ts';
import type { ExactCoverProblem } from './problem.ts';
import type { Search } from './search.ts';
import { createWasmSearch } from './wasm-search.ts';

/** The tables of a 9x9 sudoku, with 2,916 entries, take 0.35 ms. */
const SMALL_ENTRIES = 500;

/** Creates the search that is expected to finish first of a problem without multiplicities. @param few whether one or two solutions are wanted */
export function createFastestSearch(problem: ExactCoverProblem, few: boolean): Search {
  return createFastest(problem, few, createWasmSearch, createPlainSearch);
}

/** The same with other searches. */
export function createFastest(
  problem: ExactCoverProblem,
  few: boolean,
  createWasm: (problem: ExactCoverProblem) => Search | undefined,
  createPlain: (problem: ExactCoverProblem) => Search,
): Search {
  const isSmall = few && problem.items.length < SMALL_ENTRIES;
  return (isSmall ? undefined : createWasm(problem)) ?? createPlain(problem);
}
