/**
 * Solving the records of a block, one by one: engine, independent check of every answer, givens check.
 *
 * This runs in the job's own thread, or in several worker threads over shared memory: each takes ranges of the
 * same block and writes only its own records' entries.
 */
import type { RecordBlock } from '../formats/record-block.ts';
import type { Answers, Engine, PuzzleCells } from '../sudoku/engine.ts';
import { Stop } from '../sudoku/engine.ts';
import { givensClash } from '../sudoku/givens.ts';
import { isSolutionOf } from '../sudoku/solution-check.ts';
import type { Clock } from './ports.ts';
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

/**
 * Solves ranges of records, one after the other; one for each thread, since it has the thread's engine.
 *
 *     each record:    engine, clock          the clock is read once a puzzle: one ends where the next one begins
 *     each solution:  held against the rules and the givens
 *     the others:     do their givens clash?
 *
 * A solution that passes the check shows that the givens do not clash, so only what has none is looked at again.
 * The engines find no solution where they do.
 */
export class RangeSolver {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #pauseNodes: number;
  readonly #search = { maxSolutions: 2, maxNodes: 1, sliceNodes: 1, pauseAtSolution: false };
  #range: RecordRange | undefined;
  /** The record that comes next, or whose search is paused. */
  #at = 0;
  #paused = false;
  /** Time that the paused search has taken. */
  #spentMs = 0;

  /** @param pauseNodes after so many search nodes in one puzzle `run` comes back, to be called again */
  constructor(engine: Engine, clock: Clock, pauseNodes = Number.POSITIVE_INFINITY) {
    this.#engine = engine;
    this.#clock = clock;
    this.#pauseNodes = pauseNodes;
  }

  /** Takes a range; the one before it must be over, or is given up. */
  begin(range: RecordRange): void {
    const { limits } = range;
    this.#range = range;
    this.#at = range.from;
    this.#paused = false;
    this.#search.maxSolutions = limits.maxSolutions;
    this.#search.maxNodes = limits.maxNodes;
    this.#search.sliceNodes = Math.min(sliceNodes(limits), this.#pauseNodes);
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
    if (!this.#solve(this.#range)) return false;
    this.#judge(this.#range);
    this.#range = undefined;
    return true;
  }

  #solve({ puzzles, to, limits, answers }: RecordRange): boolean {
    const { deadlineMs } = limits;
    const { status, stop, solveUs } = answers;
    const engine = this.#engine;
    const clock = this.#clock;
    const search = this.#search;
    let startMs = clock.monotonicMs();
    if (this.#paused) {
      startMs -= this.#spentMs;
      engine.resume(search, answers);
    }
    for (let i = this.#at; i < to; i++) {
      if (this.#paused) {
        this.#paused = false;
      } else {
        if (status[i] === StatusCode.unreadable) {
          clearAnswer(answers, i);
          continue;
        }
        if (startMs > deadlineMs) throw new OutOfTimeError();
        engine.solve(puzzles, i, i + 1, search, answers);
      }
      let endMs = clock.monotonicMs();
      if (stop[i] === Stop.paused) {
        endMs = this.#goOn(i, startMs, endMs, limits, answers);
        if (this.#paused) return false;
      }
      solveUs[i] = (endMs - startMs) * 1000;
      startMs = endMs;
    }
    return true;
  }

  /** Goes on with a paused search, to its end or to the next pause; returns when that was. */
  #goOn(i: number, startMs: number, pausedMs: number, limits: PuzzleLimits, answers: BlockAnswers): number {
    const { maxMs, deadlineMs } = limits;
    const { stop } = answers;
    let nowMs = pausedMs;
    while (stop[i] === Stop.paused) {
      if (nowMs > deadlineMs) throw new OutOfTimeError();
      if (nowMs - startMs > maxMs) {
        stop[i] = Stop.nodeLimit;
      } else if (Number.isFinite(this.#pauseNodes)) {
        this.#at = i;
        this.#paused = true;
        this.#spentMs = nowMs - startMs;
        return nowMs;
      } else {
        this.#engine.resume(this.#search, answers);
        nowMs = this.#clock.monotonicMs();
      }
    }
    return nowMs;
  }

  /** Says what became of each record, and holds every solution to the rules. */
  #judge({ puzzles, from, to, limits, answers }: RecordRange): void {
    const { geometry, cells } = puzzles;
    const { cellCount } = geometry;
    const { status, stop, solutions } = answers;
    for (let i = from; i < to; i++) {
      if (status[i] === StatusCode.unreadable) continue;
      if (solutions[i]! > 0) {
        checkAnswer(this.#engine, puzzles, i, answers);
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
  if (isSolutionOf(puzzles.geometry, puzzles.cells, offset, answers.cells, offset)) return;
  const givens = puzzles.cells.subarray(offset, offset + puzzles.geometry.cellCount).join(' ');
  throw new Error(
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
