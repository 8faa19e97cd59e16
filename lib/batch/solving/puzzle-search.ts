/** The search of one puzzle of a block with its engine: for one or two solutions, or for each of them. */
import type { RunLimits } from '../../exact-cover/dancing-links.ts';
import type { SearchStop } from '../../exact-cover/search.ts';
import type { SolutionCount } from '../../exact-cover/solution-count.ts';
import type { OpenAnswers } from '../../exact-cover/split/split-search.ts';
import { givensClash } from '../../sudoku/checks/givens.ts';
import { isSolutionOf } from '../../sudoku/checks/solution-check.ts';
import { type Answers, type Engine, type PuzzleCells, Stop } from '../../sudoku/engine.ts';
import { type BlockAnswers, clearAnswer } from './block-answers.ts';
import { type DriveOptions, drive, type PuzzleLimits, type Search, type Step } from './drive.ts';
import { StatusCode, statusCodeOf } from './puzzle-status.ts';

/** A search of one puzzle; its solutions are in the cells of the answers. */
export interface PuzzleSearch extends Search {
  readonly guesses: number;
  /** Most bytes that it has taken. */
  readonly bytes: number;
  /** What its end means; by default, it has searched for the solutions of the limits. @param requested solutions */
  end?(requested: number): PuzzleEnd;
}

/** The end of a search of a puzzle. */
export interface PuzzleEnd {
  readonly solutions: SolutionCount;
  readonly stop: Stop;
  /** A `StatusCode`. */
  readonly status: number;
}

/** What a puzzle is searched with: its engine, and its place in a block and in the answers. */
export interface PuzzlePlace {
  readonly engine: Engine;
  readonly puzzles: PuzzleCells;
  readonly index: number;
  readonly answers: Answers;
}

/** Searches one puzzle; each solution that it pauses at is checked. The engine searches nothing else meanwhile. */
export class EngineSearch implements PuzzleSearch {
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

  get bytes(): number {
    return this.#place.engine.searchBytes;
  }

  get isWaiting(): boolean {
    return this.#place.engine.isWaiting === true;
  }

  /** @throws Error if a solution is wrong: a defect of the engine, never written as a result */
  run(runLimits: RunLimits): SearchStop {
    const { engine, puzzles, index, answers } = this.#place;
    const limits = { ...runLimits, openAnswers: this.#openAnswers };
    const before = this.solutions;
    if (this.#hasBegun) engine.resume(limits, answers);
    else engine.solve(puzzles, index, index + 1, limits, answers);
    this.#hasBegun = true;
    if (limits.pauseAtSolution && this.solutions > before) checkAnswer(this.#place);
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

/**
 * Searches a puzzle whose givens do not clash, step by step; its answer is complete at the end, also if the caller ends it
 * early.
 *
 * @param search of this puzzle
 * @throws OutOfTimeError at the deadline
 */
export function* searchPuzzle(
  search: PuzzleSearch,
  index: number,
  limits: PuzzleLimits,
  answers: BlockAnswers,
  options: DriveOptions,
): Generator<Step, void, void> {
  const { maxSolutions } = limits;
  const time = { ms: 0 };
  let stop: Stop = Stop.nodeLimit;
  try {
    stop = yield* drive(search, limits, options, time);
  } finally {
    answers.searchBytes[index] = Math.max(answers.searchBytes[index]!, search.bytes);
    answers.solveUs[index] = time.ms * 1000;
    answers.nodes[index] = search.nodes;
    answers.guesses[index] = search.guesses;
    const { solutions } = search;
    const end = search.end?.(maxSolutions) ?? {
      solutions,
      stop,
      status: statusCodeOf(stop, solutions, maxSolutions),
    };
    answers.solutions[index] = Number(end.solutions);
    answers.stop[index] = end.stop;
    answers.status[index] = end.status;
    if (typeof end.solutions === 'bigint') {
      answers.largeCounts ??= new Map();
      answers.largeCounts.set(index, end.solutions);
    }
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
