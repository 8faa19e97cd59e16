/**
 * Solving the records of a block, one by one: givens check, engine, and the independent check of every answer.
 *
 * This runs in the job's own thread, or in several worker threads over shared memory: each takes ranges of the
 * same block and writes only its own records' entries.
 */
import type { RecordBlock } from '../formats/record-block.ts';
import type { Answers, Engine, SearchLimits } from '../sudoku/engine.ts';
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

/** The engine's limits for a puzzle's budgets. */
function searchLimits(limits: PuzzleLimits): SearchLimits {
  return {
    maxSolutions: limits.maxSolutions,
    maxNodes: limits.maxNodes,
    sliceNodes: sliceNodes(limits),
    pauseAtSolution: false,
  };
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

/** Marks the records that could not be read, so that `solveRange` passes over them. */
export function markUnreadable(block: RecordBlock, answers: BlockAnswers): void {
  answers.status.fill(StatusCode.solved, 0, block.count);
  for (const [index, notes] of block.notes) {
    if (notes.error !== undefined) answers.status[index] = StatusCode.unreadable;
  }
}

/**
 * Solves the records `from` (inclusive) to `to` (exclusive) of a block whose unreadable records are marked.
 *
 * @param puzzles the block's geometry and cells
 * @throws OutOfTimeError where the deadline comes
 * @throws Error where an engine's answer is no solution: a defect of the engine, never written as a result
 */
export function solveRange(
  engine: Engine,
  puzzles: Pick<RecordBlock, 'geometry' | 'cells'>,
  from: number,
  to: number,
  limits: PuzzleLimits,
  clock: Clock,
  answers: BlockAnswers,
): void {
  const { geometry, cells } = puzzles;
  const { maxMs, deadlineMs } = limits;
  const search = searchLimits(limits);
  const { cellCount } = geometry;
  const { status, stop, solutions, solveUs } = answers;
  for (let i = from; i < to; i++) {
    if (status[i] === StatusCode.unreadable) {
      clearAnswer(answers, i);
      continue;
    }
    if (givensClash(geometry, cells, i * cellCount)) {
      clearAnswer(answers, i);
      status[i] = StatusCode.invalid;
      continue;
    }
    const startMs = clock.monotonicMs();
    if (startMs > deadlineMs) throw new OutOfTimeError();
    engine.solve(puzzles, i, i + 1, search, answers);
    let endMs = clock.monotonicMs();
    while (stop[i] === Stop.paused) {
      if (endMs > deadlineMs) throw new OutOfTimeError();
      if (endMs - startMs > maxMs) {
        stop[i] = Stop.nodeLimit;
        break;
      }
      engine.resume(search, answers);
      endMs = clock.monotonicMs();
    }
    solveUs[i] = (endMs - startMs) * 1000;
    status[i] = statusCodeOf(stop[i]!, solutions[i]!, limits.maxSolutions);
    if (solutions[i]! > 0) checkAnswer(engine, puzzles, i, answers);
  }
}

/**
 * Holds a found solution against the rules and the givens.
 *
 * @throws Error where it breaks one
 */
export function checkAnswer(
  engine: Engine,
  puzzles: Pick<RecordBlock, 'geometry' | 'cells'>,
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
