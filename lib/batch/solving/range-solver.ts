/**
 * Solves ranges of the records of a block: engine, independent check of every answer, check of the givens.
 *
 * It runs in the job's thread, or in several worker threads: each writes only the entries of its records.
 */
import type { SubproblemAnswers } from '../../exact-cover/split/split-search.ts';
import { givensClash } from '../../sudoku/checks/givens.ts';
import { checkSolutions } from '../../sudoku/checks/solution-check.ts';
import { type Engine, type PuzzleCells, Stop } from '../../sudoku/engine.ts';
import type { Clock } from '../ports.ts';
import { type BlockAnswers, clearAnswer } from './block-answers.ts';
import { drive, OutOfTimeError, type PuzzleLimits } from './drive.ts';
import { EngineSearch, wrongAnswer } from './puzzle-search.ts';
import { StatusCode, statusCodeOf } from './puzzle-status.ts';

/** In `status`: the search is split, and goes on with all threads. */
export const SPLIT = 255;

/** Answers that are never known. */
const NO_ANSWERS: SubproblemAnswers = { take: () => undefined, done: 0 };

/**
 * Nodes of each puzzle of a range before the clock is read, and others have their turn: well under a millisecond with a time
 * budget, some milliseconds for a thread that does other work too, some tens of milliseconds otherwise.
 */
const CALL_NODES = { timed: 500, shared: 2000, alone: 20_000 };

/** Cells of a grid that rarely needs more nodes than one slice. */
const SMALL_CELLS = 81;

/** A range of records; those that `markUnreadable` has marked are not solved. */
export interface RecordRange {
  /** The block's geometry and cells. */
  readonly puzzles: PuzzleCells;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly limits: PuzzleLimits;
  readonly answers: BlockAnswers;
}

export interface RangeOptions {
  /** Whether the thread does other work between slices of this many milliseconds. @default it does none */
  readonly sliceMs?: number;
  /** Rates a record, if the limits say that records are rated. @default none are */
  readonly rate?: (puzzles: PuzzleCells, index: number, answers: BlockAnswers) => void;
  /** Whether searches that are split are left to others: their status is `SPLIT`. @default false */
  readonly splits?: boolean;
}

/**
 * Solves ranges of records, one after the other. Each thread has one, as it has an engine.
 *
 *     1. solve all puzzles of the range in one call of the engine, which reports each to the timer; a puzzle gets at
 *        most the nodes of one slice, as the clock is not checked in between
 *     2. solve the unfinished puzzles one by one in slices: only hard ones, and sizes above 9x9
 *     3. check each solution against the rules and the givens; check the other puzzles for clashing givens
 *     4. rate the puzzles that have one solution, if that is requested
 *
 * A solution that passes the check proves that the givens do not clash, so step 3 checks the givens of the others only.
 * The engines find no solution if givens clash.
 */
export class RangeSolver {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #options: RangeOptions;
  readonly #openAnswers: (() => SubproblemAnswers) | undefined;

  constructor(engine: Engine, clock: Clock, options: RangeOptions = {}) {
    this.#openAnswers = options.splits === true ? () => NO_ANSWERS : undefined;
    this.#engine = engine;
    this.#clock = clock;
    this.#options = options;
  }

  /**
   * Solves a range; a step is the end of a slice of a hard puzzle.
   *
   * @throws OutOfTimeError at the deadline
   * @throws Error if an engine's answer is not a solution: a defect of the engine, never written as a result
   */
  *solve(range: RecordRange): Generator<void, void, void> {
    this.#engine.searchBytes = 0;
    if (!this.#solveTogether(range)) yield* this.#solveUnfinished(range);
    this.#setStatuses(range);
    range.answers.searchBytes[range.from] = this.#engine.searchBytes;
    if (range.limits.rate === true) yield* this.#rate(range);
  }

  /** Step 1. @returns whether the budget of each puzzle is spent, or its search ended */
  #solveTogether({ puzzles, from, to, limits, answers }: RecordRange): boolean {
    const { maxSolutions, maxNodes, maxMs, deadlineMs } = limits;
    const { timed, shared, alone } = CALL_NODES;
    const callNodes = Number.isFinite(maxMs) ? timed : this.#options.sliceMs === undefined ? alone : shared;
    const isWhole = callNodes >= maxNodes;
    const callLimits = {
      maxSolutions,
      maxNodes: Math.min(maxNodes, callNodes),
      sliceNodes: Number.POSITIVE_INFINITY,
      pauseAtSolution: false,
      openAnswers: this.#openAnswers,
    };
    const { status, solveUs } = answers;
    /** End of the puzzle before: with one read of the clock for each puzzle, the start of the next. */
    let lastMs = 0;
    const endOf = (index: number) => {
      if (lastMs > deadlineMs) throw new OutOfTimeError();
      const endMs = this.#clock.monotonicMs();
      solveUs[index] = (endMs - lastMs) * 1000;
      lastMs = endMs;
    };
    // Most large grids need slices, and for them the cost of a call is negligible.
    const allInSlices = !isWhole && puzzles.geometry.cellCount > SMALL_CELLS;
    for (let i = from; i < to; ) {
      const first = i;
      while (i < to && status[i] !== StatusCode.unreadable) i++;
      if (allInSlices) {
        answers.stop.fill(Stop.nodeLimit, first, i);
        solveUs.fill(0, first, i);
      } else if (i > first) {
        lastMs = this.#clock.monotonicMs();
        this.#engine.solve(puzzles, first, i, callLimits, answers, endOf);
      }
      while (i < to && status[i] === StatusCode.unreadable) clearAnswer(answers, i++);
    }
    return isWhole;
  }

  /** Step 2. */
  *#solveUnfinished({ puzzles, from, to, limits, answers }: RecordRange): Generator<void, void, void> {
    const { sliceMs } = this.#options;
    const options = { clock: this.#clock, each: false, sliceMs };
    for (let index = from; index < to; index++) {
      if (answers.stop[index] !== Stop.nodeLimit) continue;
      const place = { engine: this.#engine, puzzles, index, answers };
      const search = new EngineSearch(place, this.#openAnswers);
      const time = { ms: answers.solveUs[index]! / 1000 };
      const steps = drive(search, limits, options, time);
      let next = steps.next();
      while (next.done !== true && !search.isWaiting) {
        yield;
        next = steps.next();
      }
      answers.stop[index] = next.done === true ? next.value : Stop.slice;
      answers.solveUs[index] = time.ms * 1000;
    }
  }

  /** Step 4. A rating may take as long as a hard search. */
  *#rate({ puzzles, from, to, limits, answers }: RecordRange): Generator<void, void, void> {
    const { rate, sliceMs = Number.POSITIVE_INFINITY } = this.#options;
    if (rate === undefined) throw new Error('ratings are requested of a solver that has none');
    let turnMs = this.#clock.monotonicMs();
    for (let i = from; i < to; i++) {
      rate(puzzles, i, answers);
      const nowMs = this.#clock.monotonicMs();
      if (nowMs > limits.deadlineMs) throw new OutOfTimeError();
      if (nowMs - turnMs < sliceMs) continue;
      yield;
      turnMs = this.#clock.monotonicMs();
    }
  }

  /** Step 3: checks all solutions and sets the status of each record. */
  #setStatuses({ puzzles, from, to, limits, answers }: RecordRange): void {
    const { geometry, cells } = puzzles;
    const { cellCount } = geometry;
    const { status, stop, solutions } = answers;
    const verdicts = new Uint8Array(to - from);
    checkSolutions(geometry, cells, answers.cells, from, to, verdicts);
    for (let i = from; i < to; i++) {
      if (status[i] === StatusCode.unreadable) continue;
      if (stop[i] === Stop.slice) {
        status[i] = SPLIT;
        continue;
      }
      if (solutions[i]! > 0) {
        if (verdicts[i - from] === 0) throw wrongAnswer(this.#engine, puzzles, i);
      } else if (givensClash(geometry, cells, i * cellCount)) {
        clearAnswer(answers, i);
        status[i] = StatusCode.invalid;
        continue;
      }
      status[i] = statusCodeOf(stop[i]!, solutions[i]!, limits.maxSolutions);
    }
  }
}
