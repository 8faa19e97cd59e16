/** An engine that runs blocks of puzzles through search kernels, one for each geometry. */

import { isCandidate } from '../candidates.ts';
import {
  type Answers,
  type Engine,
  type EngineName,
  type OnSearched,
  type PuzzleCells,
  type SearchLimits,
  Stop,
} from '../engine.ts';
import type { Geometry } from '../geometry/geometry.ts';
import type { Kernel } from './kernel.ts';

/**
 * Bytes that the kernels of other geometries may take before that of a new one is created; then they are dropped. In a file of
 * jigsaws, each puzzle may have another geometry, and a 36x36 has links of 7 MB.
 */
const KEPT_BYTES = 64 * 2 ** 20;
/** Kernels at once: each may have a memory of WebAssembly, for which much more address space is reserved. */
const MAX_KERNELS = 1000;

/** Its state between puzzles is the paused puzzle, the kernels, and `searchBytes`. */
export class KernelEngine implements Engine {
  readonly name: EngineName;
  readonly version: number;
  readonly refuses: (geometry: Geometry) => string | undefined;
  searchBytes = 0;
  readonly #createKernel: (geometry: Geometry) => Kernel;
  readonly #kernels = new Map<Geometry, Kernel>();
  #paused: Kernel | undefined;
  #index = 0;
  #cellCount = 0;

  /**
   * @param createKernel called for the first puzzle of each geometry, and again once the kernels took too much memory
   * @param refuses the reason why a geometry is not supported
   */
  constructor(
    name: EngineName,
    version: number,
    createKernel: (geometry: Geometry) => Kernel,
    refuses: (geometry: Geometry) => string | undefined = () => undefined,
  ) {
    this.name = name;
    this.version = version;
    this.refuses = refuses;
    this.#createKernel = createKernel;
  }

  get isWaiting(): boolean {
    return this.#paused?.counts.isWaiting === true;
  }

  solve(
    puzzles: PuzzleCells,
    from: number,
    to: number,
    limits: SearchLimits,
    answers: Answers,
    onSearched?: OnSearched,
  ): void {
    checkRange(puzzles, from, to, limits);
    const { cells, geometry } = puzzles;
    const { cellCount } = geometry;
    const kernel = this.#kernels.get(geometry) ?? this.#addKernel(geometry);
    this.#paused = undefined;
    if (to - from > 1 && kernel.solveBlock !== undefined) {
      const end = kernel.solveBlock(cells, from, to, limits, answers, onSearched);
      this.searchBytes = Math.max(this.searchBytes, kernel.counts.bytes);
      if (end < to) throw badCell(puzzles, end);
      return;
    }
    this.#cellCount = cellCount;
    for (let i = from; i < to; i++) {
      if (!kernel.begin(cells, i * cellCount)) throw badCell(puzzles, i);
      answers.cells.fill(0, i * cellCount, (i + 1) * cellCount);
      this.#search(kernel, i, limits, answers);
      onSearched?.(i);
    }
  }

  resume(limits: SearchLimits, answers: Answers): void {
    if (this.#paused === undefined) {
      throw new Error('no puzzle is paused: resume follows a solve or resume whose stop was paused');
    }
    this.#search(this.#paused, this.#index, limits, answers);
  }

  #addKernel(geometry: Geometry): Kernel {
    const refusal = this.refuses(geometry);
    if (refusal !== undefined) throw new RangeError(refusal);
    let bytes = 0;
    for (const { counts } of this.#kernels.values()) bytes += counts.bytes;
    if (bytes > KEPT_BYTES || this.#kernels.size === MAX_KERNELS) this.#kernels.clear();
    const kernel = this.#createKernel(geometry);
    this.#kernels.set(geometry, kernel);
    return kernel;
  }

  /** Continues a search. A kernel has only its latest solution, so it also pauses at the first one, which is copied. */
  #search(kernel: Kernel, i: number, limits: SearchLimits, answers: Answers): void {
    const { counts } = kernel;
    const sliceEnd = counts.nodes + limits.sliceNodes;
    let stop: Stop;
    do {
      const before = counts.solutions;
      const pauseAtSolution = limits.pauseAtSolution || before === 0;
      stop = kernel.search({ ...limits, sliceNodes: sliceEnd - counts.nodes, pauseAtSolution });
      if (pauseAtSolution && counts.solutions > before) {
        kernel.readSolution(answers.cells, i * this.#cellCount);
      }
    } while (stop === Stop.solution && !limits.pauseAtSolution);
    answers.solutions[i] = counts.solutions;
    answers.stop[i] = stop;
    answers.nodes[i] = counts.nodes;
    answers.guesses[i] = counts.guesses;
    this.searchBytes = Math.max(this.searchBytes, counts.bytes);
    this.#paused = stop >= Stop.slice ? kernel : undefined;
    this.#index = i;
  }
}

function checkRange({ cells, geometry }: PuzzleCells, from: number, to: number, limits: SearchLimits): void {
  const { maxSolutions, maxNodes, sliceNodes, pauseAtSolution } = limits;
  if (!(maxSolutions >= 1 && maxNodes >= 1 && sliceNodes >= 1)) {
    throw new RangeError(
      `limits must be 1 or more: maxSolutions ${maxSolutions}, maxNodes ${maxNodes}, sliceNodes ${sliceNodes}`,
    );
  }
  if (to !== from + 1 && (pauseAtSolution || sliceNodes !== Number.POSITIVE_INFINITY)) {
    throw new RangeError(`a search that may pause solves one puzzle: ${from} to ${to} are ${to - from}`);
  }
  const end = to * geometry.cellCount;
  if (end > cells.length) {
    throw new RangeError(`puzzle ${to - 1} ends at byte ${end}: the block has ${cells.length}`);
  }
}

function badCell({ cells, geometry }: PuzzleCells, puzzle: number): RangeError {
  const { size, cellCount } = geometry;
  const values = cells.subarray(puzzle * cellCount, (puzzle + 1) * cellCount);
  const cell = values.findIndex(
    (value, at) => value > size || (value !== 0 && !isCandidate(geometry, at, value)),
  );
  const expected = geometry.candidates === undefined ? '' : ', and one of its candidates';
  return new RangeError(
    `puzzle ${puzzle} has digit ${values[cell]} in cell ${cell}: expected 0 to ${size}${expected}`,
  );
}
