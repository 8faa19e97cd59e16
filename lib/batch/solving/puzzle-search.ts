/** The search of one puzzle of a block with its engine: for one or two solutions, or for each of them. */
import type { RunLimits } from '../../exact-cover/dancing-links.ts';
import type { SearchStop } from '../../exact-cover/search.ts';
import type { SolutionCount } from '../../exact-cover/solution-count.ts';
import type { OpenAnswers } from '../../exact-cover/split/split-search.ts';
import { givensClash } from '../../sudoku/checks/givens.ts';
import { isSolutionOf } from '../../sudoku/checks/solution-check.ts';
import type { Answers, Engine, PuzzleCells } from '../../sudoku/engine.ts';
import { type BlockAnswers, clearAnswer, putAnswer } from './block-answers.ts';
import type { PuzzleLimits, Search, Step } from './drive.ts';
import { StatusCode } from './puzzle-status.ts';
import {
  RecordAnswer,
  type RecordSearch,
  type RecordSearchOptions,
  type SearchCounts,
  searchRecord,
} from './record-search.ts';

/** What a puzzle is searched with: its engine, and its place in a block and in the answers. */
export interface PuzzlePlace {
  readonly engine: Engine;
  readonly puzzles: PuzzleCells;
  readonly index: number;
  readonly answers: Answers;
}

/** An engine on one puzzle; it searches nothing else meanwhile. */
export class EngineSearch implements Search, SearchCounts {
  readonly #place: PuzzlePlace;
  readonly #openAnswers: OpenAnswers | undefined;
  #hasBegun = false;

  /** @param openAnswers has parts of a long search searched by other threads; by default, they are searched here */
  constructor(place: PuzzlePlace, openAnswers?: OpenAnswers) {
    this.#place = place;
    this.#openAnswers = openAnswers;
  }

  get solutions(): number {
    return this.#hasBegun ? this.#place.answers.solutions[this.#place.index]! : 0;
  }

  get nodes(): number {
    return this.#hasBegun ? this.#place.answers.nodes[this.#place.index]! : 0;
  }

  get guesses(): number {
    return this.#place.answers.guesses[this.#place.index]!;
  }

  get isWaiting(): boolean {
    return this.#place.engine.isWaiting === true;
  }

  run(runLimits: RunLimits): SearchStop {
    const { engine, puzzles, index, answers } = this.#place;
    const limits = { ...runLimits, openAnswers: this.#openAnswers };
    if (this.#hasBegun) engine.resume(limits, answers);
    else engine.solve(puzzles, index, index + 1, limits, answers);
    this.#hasBegun = true;
    return answers.stop[index] as SearchStop;
  }
}

/** Whether a record of a block has to be searched: it is readable, and its givens do not clash. If not, it is answered. */
export function needsSearch({ geometry, cells }: PuzzleCells, index: number, answers: BlockAnswers): boolean {
  if (answers.status[index] !== StatusCode.unreadable) {
    if (!givensClash(geometry, cells, index * geometry.cellCount)) return true;
    answers.status[index] = StatusCode.invalid;
  }
  clearAnswer(answers, index);
  return false;
}

/** The search of one puzzle; its solutions are in the cells of the answers. */
export class PuzzleSearch implements RecordSearch {
  readonly search: RecordSearch['search'];
  readonly #place: PuzzlePlace;
  #read: SolutionCount = 0;

  /** @param search finds or counts its solutions, with the engine */
  constructor(place: PuzzlePlace, search: RecordSearch['search']) {
    this.search = search;
    this.#place = place;
  }

  get bytes(): number {
    return this.#place.engine.searchBytes;
  }

  read(): void {
    const { found, solutions } = this.search;
    if ((found ?? solutions) > this.#read) checkAnswer(this.#place);
    this.#read = found ?? solutions;
  }
}

/**
 * Searches a puzzle of a block whose givens do not clash, as `searchRecord` does. At the end its answer is in the answers to
 * the block.
 */
export function* searchPuzzle(
  puzzle: RecordSearch,
  index: number,
  limits: PuzzleLimits,
  answers: BlockAnswers,
  options: RecordSearchOptions,
  answer = new RecordAnswer(),
): Generator<Step, void, void> {
  try {
    yield* searchRecord(puzzle, limits, answer, options);
  } finally {
    putAnswer(answers, index, answer);
  }
}

/**
 * Checks a found solution against the rules and the givens.
 *
 * @throws Error if it is wrong
 */
export function checkAnswer({ engine, puzzles, index, answers }: PuzzlePlace): void {
  const offset = index * puzzles.geometry.cellCount;
  if (!isSolutionOf(puzzles.geometry, puzzles.cells, offset, answers.cells, offset)) {
    throw wrongAnswer(engine, puzzles, index);
  }
}

export function wrongAnswer(engine: Engine, { geometry, cells }: PuzzleCells, index: number): Error {
  const givens = cells.subarray(index * geometry.cellCount, (index + 1) * geometry.cellCount).join(' ');
  return new Error(
    `engine ${engine.name} returned a wrong solution: a defect of the engine; no result is written (givens: ${givens})`,
  );
}
