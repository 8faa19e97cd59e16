/**
 * Counts the solutions of a puzzle, or draws some of them at random. For that the puzzle is the exact cover of its geometry
 * with the givens preselected (lib/exact-cover/counting-search.ts, random-solutions.ts).
 */
import { CountingSearch } from '../../exact-cover/counting-search.ts';
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';
import { type DrawBelow, RandomSolutions } from '../../exact-cover/random-solutions.ts';
import type { PuzzleCells } from '../../sudoku/engine.ts';
import { RandomSource } from '../../sudoku/generator/random-source.ts';
import { givenOptions, type SudokuCover, sudokuCover } from '../../sudoku/sudoku-cover.ts';
import { CoverSearch } from './cover-search.ts';
import { checkAnswer, type EngineSearch, type PuzzlePlace, PuzzleSearch } from './puzzle-search.ts';
import type { RecordAnswer } from './record-search.ts';

/** The draws of a seed, without bias. @param seed from 0 to 2^53 - 1 */
export function randomBelow(seed: number): DrawBelow {
  const source = new RandomSource(seed);
  return (bound) => source.belowLarge(bound);
}

/** A puzzle as exact cover, and the options of its givens. */
export interface PuzzleCover {
  readonly cover: SudokuCover;
  readonly problem: ExactCoverProblem;
  readonly givens: readonly number[];
}

export function coverOfPuzzle({ geometry, cells }: PuzzleCells, index: number): PuzzleCover {
  const cover = sudokuCover(geometry);
  return { cover, problem: cover.problem, givens: givenOptions(cover, cells, index * geometry.cellCount)! };
}

/** Counts with the engine, and with memoised counting if the puzzle has many nodes. */
export function puzzleCount(place: PuzzlePlace, engine: EngineSearch): PuzzleSearch {
  const start = () => {
    const { problem, givens } = coverOfPuzzle(place.puzzles, place.index);
    const last = givens.at(-1);
    if (last === undefined) return { problem };
    const branches = [{ selected: givens.slice(0, -1), untried: [last] }];
    return { problem, place: { solutions: 0, nodes: 0, branches } };
  };
  return new PuzzleSearch(place, new CountingSearch(engine, start));
}

/** Draws random solutions; the engine searches nothing. */
export class PuzzleDraws extends CoverSearch {
  readonly #place: PuzzlePlace;
  readonly #cover: SudokuCover;
  readonly #cells: Uint8Array;

  constructor(place: PuzzlePlace, below: DrawBelow, { cover, problem, givens }: PuzzleCover) {
    super(problem, new RandomSolutions(problem, below, givens));
    const { puzzles, index, answers } = place;
    const { cellCount } = puzzles.geometry;
    this.#place = place;
    this.#cover = cover;
    this.#cells = answers.cells.subarray(index * cellCount, (index + 1) * cellCount);
    this.#cells.fill(0);
  }

  override read(answer: RecordAnswer): void {
    super.read(answer);
    if (answer.options.length === 0) return;
    const { cellOf, digitOf } = this.#cover;
    for (const option of answer.options) this.#cells[cellOf[option]!] = digitOf[option]!;
    checkAnswer(this.#place);
  }
}
