/**
 * The general exact-cover core as a kernel: a puzzle is the problem of its geometry with the givens preselected.
 *
 * Everything that makes it fast is in lib/exact-cover; this file converts grids to options and back.
 */
import { createCoverSearch } from '#cover-search';
import type { SolutionSearch } from '../../../exact-cover/open-search.ts';
import type { ExactCoverProblem } from '../../../exact-cover/problem.ts';
import type { OpenAnswers } from '../../../exact-cover/split/split-search.ts';
import type { SearchLimits, Stop } from '../../engine.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { givenOptions, type SudokuCover, sudokuCover } from '../../sudoku-cover.ts';
import type { Kernel } from '../kernel.ts';

/** A search that begins with some options, as often as one likes. */
export interface CoverSearch extends SolutionSearch {
  /** Has the subproblems of a long search searched elsewhere, if it is split. */
  openAnswers?: OpenAnswers | undefined;
  reset(options: readonly number[]): void;
}

/** A kernel for the puzzles of one geometry; it supports every geometry. */
export class CoverKernel implements Kernel {
  /** The search itself. */
  readonly counts: CoverSearch;
  readonly #cover: SudokuCover;

  constructor(
    geometry: Geometry,
    createSearch: (problem: ExactCoverProblem) => CoverSearch = createCoverSearch,
  ) {
    this.#cover = sudokuCover(geometry);
    this.counts = createSearch(this.#cover.problem);
  }

  begin(cells: Uint8Array, offset: number): boolean {
    const options = givenOptions(this.#cover, cells, offset);
    if (options !== undefined) this.counts.reset(options);
    return options !== undefined;
  }

  search(limits: SearchLimits): Stop {
    this.counts.openAnswers = limits.openAnswers;
    return this.counts.run(limits);
  }

  readSolution(cells: Uint8Array, offset: number): void {
    const { cellOf, digitOf } = this.#cover;
    const { selected } = this.counts;
    for (let k = 0; k < selected.length; k++) {
      const option = selected[k];
      cells[offset + cellOf[option]] = digitOf[option];
    }
  }
}
