/**
 * Counts the solutions of a puzzle, or draws some of them at random. For that the puzzle is the exact cover of its geometry
 * with the givens preselected (lib/exact-cover/counting-search.ts, random-solutions.ts).
 */
import { CountingSearch, type CountStart } from '../../exact-cover/counting-search.ts';
import type { RunLimits } from '../../exact-cover/dancing-links.ts';
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';
import { type DrawBelow, RandomSolutions } from '../../exact-cover/random-solutions.ts';
import type { SearchStop } from '../../exact-cover/search.ts';
import { estimateTree } from '../../exact-cover/tree-estimate.ts';
import { workOf } from '../../exact-cover/work.ts';
import { type PuzzleCells, Stop } from '../../sudoku/engine.ts';
import { givenOptions, type SudokuCover, sudokuCover } from '../../sudoku/sudoku-cover.ts';
import type { RecordError } from '../results/record-error.ts';
import { adviceWork, drawLimitError } from '../results/tree-advice.ts';
import {
  checkAnswer,
  type EngineSearch,
  type PuzzleEnd,
  type PuzzlePlace,
  type PuzzleSearch,
} from './puzzle-search.ts';
import { drawStatus } from './puzzle-status.ts';

/** A puzzle as exact cover, and the options of its givens. */
export interface PuzzleCover {
  readonly cover: SudokuCover;
  readonly problem: ExactCoverProblem;
  readonly givens: readonly number[];
}

export function coverOfPuzzle({ geometry, cells }: PuzzleCells, index: number): PuzzleCover {
  const cover = sudokuCover(geometry);
  return { cover, problem: cover.problem, givens: givenOptions(cover, cells, index) };
}

/** Counts with the engine, and with memoised counting if the puzzle has many nodes. */
export class PuzzleCount extends CountingSearch implements PuzzleSearch {
  readonly #ordinary: EngineSearch;

  constructor(ordinary: EngineSearch, { puzzles, index }: PuzzlePlace) {
    super(ordinary, () => startAfter(coverOfPuzzle(puzzles, index)));
    this.#ordinary = ordinary;
  }

  get bytes(): number {
    return this.#ordinary.bytes + this.memoBytes;
  }
}

/** The place in the search of a cover after the givens. */
function startAfter({ problem, givens }: PuzzleCover): CountStart {
  const last = givens.at(-1);
  if (last === undefined) return { problem };
  const branches = [{ selected: givens.slice(0, -1), untried: [last] }];
  return { problem, place: { solutions: 0, nodes: 0, branches } };
}

/** Draws random solutions; the engine searches nothing. */
export class PuzzleDraws extends RandomSolutions implements PuzzleSearch {
  readonly #place: PuzzlePlace;
  readonly #cover: SudokuCover;

  constructor(place: PuzzlePlace, below: DrawBelow, { cover, givens }: PuzzleCover) {
    super(cover.problem, below, givens);
    this.#place = place;
    this.#cover = cover;
    this.#cells.fill(0);
  }

  override get bytes(): number {
    return super.bytes + this.memoBytes;
  }

  /** @throws Error if a solution is wrong */
  override run(limits: RunLimits): SearchStop {
    const before = this.solutions;
    const stop = super.run(limits);
    if (this.solutions === before) return stop;
    const { cellOf, digitOf } = this.#cover;
    const cells = this.#cells;
    for (const option of this.selected.subarray(0, this.selectedCount)) {
      cells[cellOf[option]!] = digitOf[option]!;
    }
    checkAnswer(this.#place);
    return stop;
  }

  end(requested: number): PuzzleEnd {
    const { total, solutions } = this;
    return {
      solutions: total ?? 0,
      stop: total === undefined ? Stop.nodeLimit : Stop.exhausted,
      status: drawStatus(total, solutions, requested),
    };
  }

  get #cells(): Uint8Array {
    const { puzzles, index, answers } = this.#place;
    const { cellCount } = puzzles.geometry;
    return answers.cells.subarray(index * cellCount, (index + 1) * cellCount);
  }
}

/**
 * The error of a puzzle whose budget ran out before all its random solutions were drawn.
 *
 * @param index of the puzzle in its file, from 1
 * @param spent the budget to raise
 */
export function drawError(
  { total, solutions, nodes, updates }: PuzzleDraws,
  { problem, givens }: PuzzleCover,
  index: number,
  requested: number,
  spent: string,
): RecordError {
  const work = adviceWork(workOf(nodes, updates), problem.items.length, index);
  const tree = total === undefined ? estimateTree(problem, work, undefined, givens) : undefined;
  return drawLimitError(total, solutions, requested, nodes, tree, spent);
}
