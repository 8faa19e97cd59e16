/**
 * All tasks of an engine except its search: limits, slices, pauses and counts, for any search that can stop before every
 * node and continue from there.
 *
 * The search knows only the maximum number of nodes of one call. Nodes are counted over all slices of a puzzle, so that
 * pauses change nothing.
 */
import { candidatesRefusal } from '../../../lib/sudoku/candidates.ts';
import { type Engine, type EngineName, type SearchLimits, Stop } from '../../../lib/sudoku/engine.ts';
import type { Kernel, KernelCounts } from '../../../lib/sudoku/engines/kernel.ts';
import { KernelEngine } from '../../../lib/sudoku/engines/kernel-engine.ts';
import type { Geometry } from '../../../lib/sudoku/geometry/geometry.ts';

/** Why a run of a search ended. */
export const RunEnd = {
  /** The grid is a solution; the next run searches for another one. */
  solution: 0,
  exhausted: 1,
  /** The maximum number of nodes was entered, and the next run continues; or the search may take no more memory. */
  nodes: 2,
} as const;
export type RunEnd = (typeof RunEnd)[keyof typeof RunEnd];

/** The search for the solutions of one puzzle of one geometry. */
export interface PuzzleSearch {
  /** Nodes entered in the latest run, without the root; at most the `maxNodes` of the run. */
  readonly entered: number;
  /** Options tried in the latest run while another one was left. */
  readonly guessed: number;
  /** Bytes of its state so far. */
  readonly bytes: number;
  /** Reads the givens of a puzzle and enters the root; discards the previous puzzle. */
  begin(cells: Uint8Array, offset: number): void;
  /** Continues the search and enters at most `maxNodes` nodes (a small integer, 0 or more). */
  run(maxNodes: number): RunEnd;
  /** Writes the `cellCount` values of the solution with which the latest run ended. */
  writeSolution(out: Uint8Array): void;
}

/** Maximum number of nodes in one run: the counters of the search stay small integers for any budget. */
const RUN_NODES = 2 ** 29;

/**
 * Creates an engine from a search; it supports every geometry without candidates.
 *
 * @param createSearch called once for each geometry
 */
export function createDepthFirstEngine(
  name: EngineName,
  version: number,
  createSearch: (geometry: Geometry) => PuzzleSearch,
): Engine {
  return new KernelEngine(
    name,
    version,
    (geometry) => new DepthFirstKernel(geometry, createSearch(geometry)),
    (geometry) => candidatesRefusal(name, geometry),
  );
}

class DepthFirstKernel implements Kernel, KernelCounts {
  readonly counts: KernelCounts = this;
  /** 0 until the first slice enters the root. */
  nodes = 0;
  guesses = 0;
  solutions = 0;
  readonly #geometry: Geometry;
  readonly #search: PuzzleSearch;
  readonly #solution: Uint8Array;

  constructor(geometry: Geometry, search: PuzzleSearch) {
    this.#geometry = geometry;
    this.#search = search;
    this.#solution = new Uint8Array(geometry.cellCount);
  }

  begin(cells: Uint8Array, offset: number): boolean {
    const { size, cellCount } = this.#geometry;
    for (let cell = offset; cell < offset + cellCount; cell++) if (cells[cell] > size) return false;
    this.nodes = 0;
    this.guesses = 0;
    this.solutions = 0;
    this.#search.begin(cells, offset);
    return true;
  }

  search({ maxSolutions, maxNodes, sliceNodes, pauseAtSolution }: SearchLimits): Stop {
    const search = this.#search;
    const sliceEnd = this.nodes + sliceNodes;
    if (this.nodes === 0) this.nodes = 1;
    for (;;) {
      const end = search.run(Math.min(maxNodes - this.nodes, sliceEnd - this.nodes, RUN_NODES));
      this.nodes += search.entered;
      this.guesses += search.guessed;
      if (end === RunEnd.exhausted) return Stop.exhausted;
      if (end === RunEnd.solution) {
        this.solutions++;
        if (this.solutions === 1 || pauseAtSolution) search.writeSolution(this.#solution);
        if (this.solutions >= maxSolutions) return Stop.solutionLimit;
        if (pauseAtSolution) return Stop.solution;
      } else if (this.nodes >= maxNodes) {
        return Stop.nodeLimit;
      } else if (this.nodes >= sliceEnd) {
        return Stop.slice;
      } else if (search.entered === 0) {
        return Stop.nodeLimit;
      }
    }
  }

  get bytes(): number {
    return this.#search.bytes;
  }

  readSolution(cells: Uint8Array, offset: number): void {
    cells.set(this.#solution, offset);
  }
}
