/**
 * Solves the records of a block: engine, independent check of every answer, check of the givens.
 *
 * It runs in the job's thread, or in several worker threads over shared memory: each thread takes ranges of the same
 * block and writes only the entries of its records.
 */
import type { SolutionCount } from '../../exact-cover/solution-count.ts';
import type { OpenAnswers, SubproblemAnswers } from '../../exact-cover/split/split-search.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { givensClash } from '../../sudoku/checks/givens.ts';
import { checkSolutions, isSolutionOf } from '../../sudoku/checks/solution-check.ts';
import type { Answers, Engine, PuzzleCells, SearchWatch } from '../../sudoku/engine.ts';
import { Stop } from '../../sudoku/engine.ts';
import type { SolveOptions } from '../options.ts';
import type { Clock } from '../ports.ts';
import { StatusCode, statusCodeOf } from './puzzle-status.ts';

/** The answer to each record of a block. */
export interface BlockAnswers extends Answers {
  /** A `StatusCode`. */
  readonly status: Uint8Array;
  /** Time in the engine for this puzzle alone, in microseconds. */
  readonly solveUs: Float64Array;
  /** Most bytes of a search: for records that were solved together, in the entry of the first one. */
  readonly searchBytes: Float64Array;
  /** Counts beyond 2^53 - 1, by record; `solutions` has them rounded. */
  largeCounts?: Map<number, bigint>;
  /** Advice on records whose budget ran out; `adviseOnLimits` adds it after a block is solved. */
  advice?: Map<number, string> | undefined;
}

/** In `status`: the search is split, and goes on with all threads (solve-split.ts). */
export const SPLIT = 255;

/** Solutions found of a record. */
export function solutionsOf({ solutions, largeCounts }: BlockAnswers, index: number): SolutionCount {
  return largeCounts?.get(index) ?? solutions[index]!;
}

/** Budgets for one puzzle. */
export interface PuzzleLimits {
  readonly maxSolutions: number;
  readonly maxNodes: number;
  /** Milliseconds, or Infinity. A time budget makes results depend on the machine. */
  readonly maxMs: number;
  /** Deadline of the job in the clock's monotonic milliseconds, or Infinity; it also interrupts a puzzle. */
  readonly deadlineMs: number;
}

/** The limits of a job's puzzles, `Infinity` for times that are not set. */
export function puzzleLimits(
  { solutions, maxNodes }: SolveOptions,
  {
    maxMs = Number.POSITIVE_INFINITY,
    deadlineMs = Number.POSITIVE_INFINITY,
  }: Partial<Pick<PuzzleLimits, 'maxMs' | 'deadlineMs'>>,
): PuzzleLimits {
  return { maxSolutions: solutions, maxNodes, maxMs, deadlineMs };
}

/** The job has reached its deadline; the current block does not count. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

/** Nodes between two checks of a puzzle's time budget: well under a millisecond. */
const TIMED_SLICE_NODES = 500;
/** Nodes after which the clock is checked, and other work has its turn, without a time budget: some tens of milliseconds. */
const SLICE_NODES = 20_000;

/** Cells of a grid that rarely needs more nodes than one slice. */
const SMALL_CELLS = 81;

/** Nodes that an engine may search between two checks of the clock. */
export function sliceNodes({ maxMs }: PuzzleLimits): number {
  return Number.isFinite(maxMs) ? TIMED_SLICE_NODES : SLICE_NODES;
}

/**
 * Answers to a block, one entry for each record.
 *
 * @param shared whether the arrays are in shared memory, for worker threads
 */
export function createBlockAnswers(capacity: number, cellCount: number, shared = false): BlockAnswers {
  const buffer = (bytes: number) => (shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
  return {
    solutions: new Float64Array(buffer(capacity * 8)),
    stop: new Uint8Array(buffer(capacity)),
    nodes: new Float64Array(buffer(capacity * 8)),
    guesses: new Float64Array(buffer(capacity * 8)),
    cells: new Uint8Array(buffer(capacity * cellCount)),
    status: new Uint8Array(buffer(capacity)),
    solveUs: new Float64Array(buffer(capacity * 8)),
    searchBytes: new Float64Array(buffer(capacity * 8)),
  };
}

/** Marks the unreadable records, so that a `RangeSolver` skips them; discards the advice on the block before. */
export function markUnreadable(block: RecordBlock, answers: BlockAnswers): void {
  answers.advice = undefined;
  answers.status.fill(StatusCode.solved, 0, block.count);
  for (const [index, notes] of block.notes) {
    if (notes.error !== undefined) answers.status[index] = StatusCode.unreadable;
  }
}

/** Answers that are never known. */
const NO_ANSWERS: SubproblemAnswers = { take: () => undefined, done: 0 };

/** A range of records for a `RangeSolver`; it solves those that `markUnreadable` did not mark. */
export interface RecordRange {
  /** The block's geometry and cells. */
  readonly puzzles: PuzzleCells;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly limits: PuzzleLimits;
  readonly answers: BlockAnswers;
}

/** Times each puzzle of a range with one read of the clock: the end of a puzzle is the start of the next. */
class PuzzleTimer implements SearchWatch {
  readonly #clock: Clock;
  #startMs = 0;
  /** Deadline and durations of the current range. */
  deadlineMs = 0;
  solveUs: Float64Array = new Float64Array(0);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(): void {
    this.#startMs = this.#clock.monotonicMs();
  }

  end(index: number): void {
    if (this.#startMs > this.deadlineMs) throw new OutOfTimeError();
    const endMs = this.#clock.monotonicMs();
    this.solveUs[index] = (endMs - this.#startMs) * 1000;
    this.#startMs = endMs;
  }
}

/**
 * Solves ranges of records, one after the other. Each thread has one, as it has an engine.
 *
 *     1. solve all puzzles of the range in one call of the engine, which reports each to the timer; a puzzle gets at
 *        most the nodes of one slice, as the clock is not checked in between
 *     2. solve the unfinished puzzles one by one in slices: only hard ones, and sizes above 9x9
 *     3. check each solution against the rules and the givens; check the other puzzles for clashing givens
 *
 * A solution that passes the check proves that the givens do not clash, so step 3 checks the givens of the others only.
 * The engines find no solution if givens clash.
 */
export class RangeSolver {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #pauseNodes: number;
  readonly #timer: PuzzleTimer;
  readonly #callLimits = {
    maxSolutions: 2,
    maxNodes: 1,
    sliceNodes: Number.POSITIVE_INFINITY,
    pauseAtSolution: false,
    openAnswers: undefined as OpenAnswers | undefined,
  };
  readonly #sliceLimits = { ...this.#callLimits };
  #verdicts = new Uint8Array(0);
  #range: RecordRange | undefined;
  /** The next record of step 2, or the one whose search is paused. */
  #next = 0;
  #paused = false;

  /**
   * @param pauseNodes search nodes in one puzzle after which `run` returns, to be called again
   * @param splits whether searches that are split are left to others: their status is `SPLIT`
   */
  constructor(engine: Engine, clock: Clock, pauseNodes = Number.POSITIVE_INFINITY, splits = false) {
    if (splits) this.#callLimits.openAnswers = this.#sliceLimits.openAnswers = () => NO_ANSWERS;
    this.#engine = engine;
    this.#clock = clock;
    this.#pauseNodes = pauseNodes;
    this.#timer = new PuzzleTimer(clock);
  }

  /**
   * Begins a range with step 1; an unfinished previous range is abandoned.
   *
   * @throws OutOfTimeError at the deadline
   */
  begin(range: RecordRange): void {
    const { puzzles, from, to, limits, answers } = range;
    const { maxSolutions, maxNodes } = limits;
    this.#range = range;
    this.#next = from;
    this.#paused = false;
    this.#engine.searchBytes = 0;
    this.#sliceLimits.maxSolutions = maxSolutions;
    this.#sliceLimits.maxNodes = maxNodes;
    this.#sliceLimits.sliceNodes = Math.min(sliceNodes(limits), this.#pauseNodes);
    this.#callLimits.maxSolutions = maxSolutions;
    this.#callLimits.maxNodes = Math.min(maxNodes, this.#sliceLimits.sliceNodes);
    this.#timer.deadlineMs = limits.deadlineMs;
    this.#timer.solveUs = answers.solveUs;
    const { status } = answers;
    // Most large grids need slices, and for them the cost of a call is negligible.
    const allInSlices = this.#callLimits.maxNodes < maxNodes && puzzles.geometry.cellCount > SMALL_CELLS;
    for (let i = from; i < to; ) {
      const first = i;
      while (i < to && status[i] !== StatusCode.unreadable) i++;
      if (allInSlices) {
        answers.stop.fill(Stop.nodeLimit, first, i);
        answers.solveUs.fill(0, first, i);
      } else if (i > first) {
        this.#engine.solve(puzzles, first, i, this.#callLimits, answers, this.#timer);
      }
      while (i < to && status[i] === StatusCode.unreadable) clearAnswer(answers, i++);
    }
  }

  /**
   * Continues the range with steps 2 and 3.
   *
   * @returns whether the range is finished; if not, a search is paused
   * @throws OutOfTimeError at the deadline
   * @throws Error if an engine's answer is not a solution: a defect of the engine, never written as a result
   */
  run(): boolean {
    if (this.#range === undefined) throw new Error('there is no range to solve: call begin first');
    if (this.#callLimits.maxNodes < this.#sliceLimits.maxNodes && !this.#solveUnfinished(this.#range))
      return false;
    this.#setStatuses(this.#range);
    this.#range.answers.searchBytes[this.#range.from] = this.#engine.searchBytes;
    this.#range = undefined;
    return true;
  }

  /** Step 2: solves the unfinished puzzles in slices; false if one is paused. */
  #solveUnfinished({ puzzles, to, limits, answers }: RecordRange): boolean {
    const { maxMs, deadlineMs } = limits;
    const { stop, solveUs } = answers;
    for (; this.#next < to; this.#next++) {
      const i = this.#next;
      while (stop[i] === Stop.nodeLimit || this.#paused) {
        const startMs = this.#clock.monotonicMs();
        if (startMs > deadlineMs) throw new OutOfTimeError();
        if (this.#paused) this.#engine.resume(this.#sliceLimits, answers);
        else this.#engine.solve(puzzles, i, i + 1, this.#sliceLimits, answers);
        solveUs[i]! += (this.#clock.monotonicMs() - startMs) * 1000;
        this.#paused = stop[i] === Stop.paused && !this.#engine.isWaiting;
        if (!this.#paused) break;
        if (solveUs[i]! > maxMs * 1000) {
          stop[i] = Stop.nodeLimit;
          break;
        }
        if (Number.isFinite(this.#pauseNodes)) return false;
      }
      this.#paused = false;
    }
    return true;
  }

  /** Step 3: checks all solutions and sets the status of each record. */
  #setStatuses({ puzzles, from, to, limits, answers }: RecordRange): void {
    const { geometry, cells } = puzzles;
    const { cellCount } = geometry;
    const { status, stop, solutions } = answers;
    if (to - from > this.#verdicts.length) this.#verdicts = new Uint8Array(to - from);
    const verdicts = this.#verdicts;
    checkSolutions(geometry, cells, answers.cells, from, to, verdicts);
    for (let i = from; i < to; i++) {
      if (status[i] === StatusCode.unreadable) continue;
      if (stop[i] === Stop.paused) {
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

/**
 * Checks a found solution against the rules and the givens.
 *
 * @throws Error if it is wrong
 */
export function checkAnswer(
  engine: Engine,
  puzzles: PuzzleCells,
  index: number,
  answers: BlockAnswers,
): void {
  const offset = index * puzzles.geometry.cellCount;
  if (!isSolutionOf(puzzles.geometry, puzzles.cells, offset, answers.cells, offset)) {
    throw wrongAnswer(engine, puzzles, index);
  }
}

function wrongAnswer(engine: Engine, { geometry, cells }: PuzzleCells, index: number): Error {
  const givens = cells.subarray(index * geometry.cellCount, (index + 1) * geometry.cellCount).join(' ');
  return new Error(
    `engine ${engine.name} returned a wrong solution: a defect of the engine; no result is written (givens: ${givens})`,
  );
}

/** Clears the answer to a record that no engine solves: no solutions, no nodes. */
export function clearAnswer(answers: BlockAnswers, index: number): void {
  answers.solutions[index] = 0;
  answers.stop[index] = Stop.exhausted;
  answers.nodes[index] = 0;
  answers.guesses[index] = 0;
  answers.solveUs[index] = 0;
}
