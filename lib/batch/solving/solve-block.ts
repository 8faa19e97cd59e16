/**
 * Solving the records of a block, one by one: engine, independent check of every answer, givens check.
 *
 * This runs in the job's own thread, or in several worker threads over shared memory: each takes ranges of the
 * same block and writes only its own records' entries.
 */
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { givensClash } from '../../sudoku/checks/givens.ts';
import { checkSolutions, isSolutionOf } from '../../sudoku/checks/solution-check.ts';
import type { Answers, Engine, PuzzleCells, SearchWatch } from '../../sudoku/engine.ts';
import { Stop } from '../../sudoku/engine.ts';
import type { Clock } from '../ports.ts';
import { StatusCode, statusCodeOf } from './puzzle-status.ts';

/** What was found for each record of a block. */
export interface BlockAnswers extends Answers {
  /** A `StatusCode`. */
  readonly status: Uint8Array;
  /** Time in the engine for this very puzzle, in microseconds. */
  readonly solveUs: Float64Array;
}

/** Budgets for one puzzle. */
export interface PuzzleLimits {
  readonly maxSolutions: number;
  readonly maxNodes: number;
  /** Milliseconds; Infinity for none. A budget in time makes results depend on the machine. */
  readonly maxMs: number;
  /** On the clock's monotonic time: when the whole job must stop, between puzzles or in one; Infinity for never. */
  readonly deadlineMs: number;
}

/** The job's deadline came before its end; nothing of the block under way counts. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

/** Nodes between two looks at the clock where a puzzle has a time budget: well under a millisecond's worth. */
const TIMED_SLICE_NODES = 500;
/** The same where only the job has a deadline: some tens of milliseconds. */
const DEADLINE_SLICE_NODES = 20_000;

/** Cells of a grid that seldom takes that many. */
const SMALL_CELLS = 81;

/** Nodes an engine may take before the clock is looked at. */
export function sliceNodes({ maxMs, deadlineMs }: PuzzleLimits): number {
  if (Number.isFinite(maxMs)) return TIMED_SLICE_NODES;
  return Number.isFinite(deadlineMs) ? DEADLINE_SLICE_NODES : Number.POSITIVE_INFINITY;
}

/**
 * Answers for a block, one entry a record.
 *
 * @param shared whether the arrays lie in shared memory, for worker threads
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
  };
}

/** Marks the records that could not be read, so that a `RangeSolver` passes over them. */
export function markUnreadable(block: RecordBlock, answers: BlockAnswers): void {
  answers.status.fill(StatusCode.solved, 0, block.count);
  for (const [index, notes] of block.notes) {
    if (notes.error !== undefined) answers.status[index] = StatusCode.unreadable;
  }
}

/** What a `RangeSolver` works on: the readable records of a block are ones that `markUnreadable` left alone. */
export interface RecordRange {
  /** The block's geometry and cells. */
  readonly puzzles: PuzzleCells;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly limits: PuzzleLimits;
  readonly answers: BlockAnswers;
}

/** Times each puzzle of a block: the clock is read once a puzzle, one ends where the next one begins. */
class PuzzleTimer implements SearchWatch {
  readonly #clock: Clock;
  #startMs = 0;
  /** Of the range under way. */
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
 * Solves ranges of records, one after the other; one for each thread, since it has the thread's engine.
 *
 *     1. all puzzles of the range in one call of the engine, which tells the timer of each; none gets more nodes
 *        than may pass without a look at the clock
 *     2. those that want more, one by one and in slices: only hard ones, and sizes above 9x9
 *     3. each solution is held against the rules and the givens; of the others, do their givens clash?
 *
 * A solution that passes the check shows that the givens do not clash, so only what has none is looked at again.
 * The engines find no solution where they do.
 */
export class RangeSolver {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #pauseNodes: number;
  readonly #timer: PuzzleTimer;
  readonly #whole = {
    maxSolutions: 2,
    maxNodes: 1,
    sliceNodes: Number.POSITIVE_INFINITY,
    pauseAtSolution: false,
  };
  readonly #sliced = { maxSolutions: 2, maxNodes: 1, sliceNodes: 1, pauseAtSolution: false };
  #verdicts = new Uint8Array(0);
  #range: RecordRange | undefined;
  /** The record that is to be looked at next in step 2, or whose search is paused. */
  #at = 0;
  #paused = false;

  /** @param pauseNodes after so many search nodes in one puzzle `run` comes back, to be called again */
  constructor(engine: Engine, clock: Clock, pauseNodes = Number.POSITIVE_INFINITY) {
    this.#engine = engine;
    this.#clock = clock;
    this.#pauseNodes = pauseNodes;
    this.#timer = new PuzzleTimer(clock);
  }

  /**
   * Takes a range, and solves what is solved quickly; the one before it must be over, or is given up.
   *
   * @throws OutOfTimeError where the deadline comes
   */
  begin(range: RecordRange): void {
    const { puzzles, from, to, limits, answers } = range;
    const { maxSolutions, maxNodes } = limits;
    this.#range = range;
    this.#at = from;
    this.#paused = false;
    this.#sliced.maxSolutions = maxSolutions;
    this.#sliced.maxNodes = maxNodes;
    this.#sliced.sliceNodes = Math.min(sliceNodes(limits), this.#pauseNodes);
    this.#whole.maxSolutions = maxSolutions;
    this.#whole.maxNodes = Math.min(maxNodes, this.#sliced.sliceNodes);
    this.#timer.deadlineMs = limits.deadlineMs;
    this.#timer.solveUs = answers.solveUs;
    const { status } = answers;
    // Large grids want slices more often than not, and to them a call is nothing.
    const allInSlices = this.#whole.maxNodes < maxNodes && puzzles.geometry.cellCount > SMALL_CELLS;
    for (let i = from; i < to; ) {
      const first = i;
      while (i < to && status[i] !== StatusCode.unreadable) i++;
      if (allInSlices) {
        answers.stop.fill(Stop.nodeLimit, first, i);
        answers.solveUs.fill(0, first, i);
      } else if (i > first) {
        this.#engine.solve(puzzles, first, i, this.#whole, answers, this.#timer);
      }
      while (i < to && status[i] === StatusCode.unreadable) clearAnswer(answers, i++);
    }
  }

  /**
   * Solves on.
   *
   * @returns whether the range is over; if not, a search is paused
   * @throws OutOfTimeError where the deadline comes
   * @throws Error where an engine's answer is no solution: a defect of the engine, never written as a result
   */
  run(): boolean {
    if (this.#range === undefined) throw new Error('there is no range to solve: begin comes first');
    if (this.#whole.maxNodes < this.#sliced.maxNodes && !this.#solveLong(this.#range)) return false;
    this.#judge(this.#range);
    this.#range = undefined;
    return true;
  }

  /** Solves the puzzles that want more nodes than they got; false where one is paused. */
  #solveLong({ puzzles, to, limits, answers }: RecordRange): boolean {
    const { maxMs, deadlineMs } = limits;
    const { stop, solveUs } = answers;
    for (; this.#at < to; this.#at++) {
      const i = this.#at;
      while (stop[i] === Stop.nodeLimit || stop[i] === Stop.paused) {
        const startMs = this.#clock.monotonicMs();
        if (startMs > deadlineMs) throw new OutOfTimeError();
        if (this.#paused) this.#engine.resume(this.#sliced, answers);
        else this.#engine.solve(puzzles, i, i + 1, this.#sliced, answers);
        solveUs[i]! += (this.#clock.monotonicMs() - startMs) * 1000;
        this.#paused = stop[i] === Stop.paused;
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

  /** Says what became of each record, and holds every solution to the rules. */
  #judge({ puzzles, from, to, limits, answers }: RecordRange): void {
    const { geometry, cells } = puzzles;
    const { cellCount } = geometry;
    const { status, stop, solutions } = answers;
    if (to - from > this.#verdicts.length) this.#verdicts = new Uint8Array(to - from);
    const verdicts = this.#verdicts;
    checkSolutions(geometry, cells, answers.cells, from, to, verdicts);
    for (let i = from; i < to; i++) {
      if (status[i] === StatusCode.unreadable) continue;
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
 * Holds a found solution against the rules and the givens.
 *
 * @throws Error where it breaks one
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
    `engine ${engine.name} gave a wrong solution: a defect of the engine; nothing of it is written (givens: ${givens})`,
  );
}

/** A record that never comes to an engine: nothing found, nothing searched. */
export function clearAnswer(answers: BlockAnswers, index: number): void {
  answers.solutions[index] = 0;
  answers.stop[index] = Stop.exhausted;
  answers.nodes[index] = 0;
  answers.guesses[index] = 0;
  answers.solveUs[index] = 0;
}
