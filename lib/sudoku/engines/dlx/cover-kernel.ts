/**
 * The general exact-cover core as a kernel: a puzzle is the problem of its geometry with the givens preselected.
 *
 * Everything that makes it fast is in lib/exact-cover/dancing-links.ts; this file converts grids to options and back.
 */
import { createCoverSearch } from '#cover-search';
import { type DancingLinks, SearchStop } from '../../../exact-cover/dancing-links.ts';
import type { ExactCoverProblem } from '../../../exact-cover/problem.ts';
import type { SplitSearch } from '../../../exact-cover/split/split-search.ts';
import { isCandidate } from '../../candidates.ts';
import { type SearchLimits, Stop } from '../../engine.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { type SudokuCover, sudokuCover } from '../../sudoku-cover.ts';
import type { Kernel } from '../kernel.ts';

/** The engine's stop for each stop of the core. */
export const ENGINE_STOP: Readonly<Record<SearchStop, Stop>> = {
  [SearchStop.exhausted]: Stop.exhausted,
  [SearchStop.solutionLimit]: Stop.solutionLimit,
  [SearchStop.nodeLimit]: Stop.nodeLimit,
  [SearchStop.slice]: Stop.paused,
  [SearchStop.solution]: Stop.paused,
};

/** A kernel for the puzzles of one geometry; it supports every geometry. */
export class CoverKernel implements Kernel {
  readonly #cover: SudokuCover;
  readonly #links: DancingLinks | SplitSearch;
  readonly #givens: Int32Array;
  readonly #solution: Uint8Array;
  /** One object for all calls, so that a puzzle allocates nothing. */
  readonly #runLimits = { maxSolutions: 0, maxNodes: 0, sliceNodes: 0, pauseAtSolution: true };

  constructor(
    geometry: Geometry,
    createSearch: (problem: ExactCoverProblem) => DancingLinks | SplitSearch = createCoverSearch,
  ) {
    this.#cover = sudokuCover(geometry);
    this.#links = createSearch(this.#cover.problem);
    this.#givens = new Int32Array(geometry.cellCount);
    this.#solution = new Uint8Array(geometry.cellCount);
  }

  get nodes(): number {
    return this.#links.nodes;
  }

  get guesses(): number {
    return this.#links.guesses;
  }

  get solutions(): number {
    return this.#links.solutions;
  }

  get bytes(): number {
    const links = this.#links;
    return links.bytes + ('elsewhereBytes' in links ? links.elsewhereBytes : 0);
  }

  get isWaiting(): boolean {
    return 'isWaiting' in this.#links && this.#links.isWaiting;
  }

  begin(cells: Uint8Array, offset: number): boolean {
    const { optionOf, geometry } = this.#cover;
    const { size, cellCount } = geometry;
    const givens = this.#givens;
    let count = 0;
    for (let cell = 0; cell < cellCount; cell++) {
      const digit = cells[offset + cell];
      if (digit === 0) continue;
      if (digit > size || !isCandidate(geometry, cell, digit)) return false;
      const option = optionOf[cell * size + digit - 1];
      if (option >= 0) givens[count++] = option;
    }
    this.beginWith(givens, count);
    return true;
  }

  /** Begins with options that are in, and `~option` for each that is out. */
  beginWith(decisions: Int32Array, count: number): void {
    this.#links.reset(decisions, count);
  }

  search(limits: SearchLimits): Stop {
    const links = this.#links;
    const runLimits = this.#runLimits;
    if ('openAnswers' in links) links.openAnswers = limits.openAnswers;
    const sliceEnd = links.nodes + limits.sliceNodes;
    runLimits.maxSolutions = limits.maxSolutions;
    runLimits.maxNodes = limits.maxNodes;
    for (;;) {
      const before = links.solutions;
      runLimits.sliceNodes = sliceEnd - links.nodes;
      // The core keeps only its latest solution, so it pauses at the first one, which is then copied.
      runLimits.pauseAtSolution = limits.pauseAtSolution || before === 0;
      const stop = links.run(runLimits);
      if (links.solutions > before && (before === 0 || limits.pauseAtSolution)) this.#keepSolution();
      if (stop !== SearchStop.solution || limits.pauseAtSolution) return ENGINE_STOP[stop];
    }
  }

  readSolution(cells: Uint8Array, offset: number): void {
    cells.set(this.#solution, offset);
  }

  #keepSolution(): void {
    const { cellOf, digitOf } = this.#cover;
    const { selected, selectedCount } = this.#links;
    for (let k = 0; k < selectedCount; k++) {
      const option = selected[k];
      this.#solution[cellOf[option]] = digitOf[option];
    }
  }
}
