/** Finding more than two solutions of each puzzle: one by one, written as they come, never held together. */
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { givensClash } from '../../sudoku/checks/givens.ts';
import { type Engine, Stop } from '../../sudoku/engine.ts';
import type { Clock } from '../ports.ts';
import { StatusCode, statusCodeOf } from './puzzle-status.ts';
import {
  type BlockAnswers,
  checkAnswer,
  clearAnswer,
  markUnreadable,
  OutOfTimeError,
  type PuzzleLimits,
  sliceNodes,
} from './solve-block.ts';

/** A step of an enumeration; the answers of `record` hold it until the next step. */
export type EnumerationStep =
  /** Solution `ordinal` (from 1) lies in `answers.cells`. */
  | { readonly kind: 'solution'; readonly record: number; readonly ordinal: number }
  /** The search of this record is over; its status is set. */
  | { readonly kind: 'end'; readonly record: number };

/**
 * Enumerates the solutions of every record of a block, in order.
 *
 * Time spent by the caller between two steps does not count for the puzzle.
 *
 * @throws OutOfTimeError where the deadline comes
 * @throws Error where an engine's answer is no solution
 */
export function* enumerateBlock(
  engine: Engine,
  block: RecordBlock,
  limits: PuzzleLimits,
  clock: Clock,
  answers: BlockAnswers,
): Iterable<EnumerationStep> {
  markUnreadable(block, answers);
  for (let record = 0; record < block.count; record++) {
    if (answers.status[record] === StatusCode.unreadable) {
      clearAnswer(answers, record);
    } else if (givensClash(block.geometry, block.cells, record * block.geometry.cellCount)) {
      clearAnswer(answers, record);
      answers.status[record] = StatusCode.invalid;
    } else {
      yield* enumerateRecord(engine, block, record, limits, clock, answers);
    }
    yield { kind: 'end', record };
  }
}

function* enumerateRecord(
  engine: Engine,
  block: RecordBlock,
  record: number,
  puzzleLimits: PuzzleLimits,
  clock: Clock,
  answers: BlockAnswers,
): Iterable<EnumerationStep> {
  const { maxSolutions, maxNodes, maxMs, deadlineMs } = puzzleLimits;
  const limits = { maxSolutions, maxNodes, sliceNodes: sliceNodes(puzzleLimits), pauseAtSolution: true };
  let solveMs = 0;
  let reported = 0;
  for (let started = false; ; started = true) {
    const startMs = clock.monotonicMs();
    if (startMs > deadlineMs) throw new OutOfTimeError();
    if (started) engine.resume(limits, answers);
    else engine.solve(block, record, record + 1, limits, answers);
    solveMs += clock.monotonicMs() - startMs;
    if (answers.solutions[record]! > reported) {
      reported = answers.solutions[record]!;
      checkAnswer(engine, block, record, answers);
      yield { kind: 'solution', record, ordinal: reported };
    }
    if (answers.stop[record] !== Stop.paused) break;
    if (solveMs > maxMs) {
      answers.stop[record] = Stop.nodeLimit;
      break;
    }
  }
  answers.solveUs[record] = solveMs * 1000;
  answers.status[record] = statusCodeOf(answers.stop[record]!, answers.solutions[record]!, maxSolutions);
}
