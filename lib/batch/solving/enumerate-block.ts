/** Finds more than two solutions of each puzzle, one by one, so that no two of them are in memory at once. */

import type { RecordBlock } from '../../formats/records/record-block.ts';
import { givensClash } from '../../sudoku/checks/givens.ts';
import { type Engine, Stop } from '../../sudoku/engine.ts';
import type { Clock } from '../ports.ts';
import type { RecordError } from '../results/record-error.ts';
import type { Elsewhere } from './elsewhere.ts';
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

/** A step of an enumeration; the answers of `record` are valid until the next step. */
export type EnumerationStep =
  /** Solution `ordinal` (from 1) is in `answers.cells`; the status is that of the puzzle with the solutions so far. */
  | { readonly kind: 'solution'; readonly record: number; readonly ordinal: number }
  /** A slice of the search has ended; if other threads search, the caller waits for `until` before the next step. */
  | { readonly kind: 'slice'; readonly record: number; readonly until?: Promise<void> | undefined }
  /** The search of this record has finished; its status is set. `cut`: why it has fewer solutions than requested. */
  | { readonly kind: 'end'; readonly record: number; readonly cut?: RecordError | undefined };

/**
 * Enumerates the solutions of all records of a block, in order. The caller's time between two steps does not count.
 *
 * @param atMost number of solutions after which the search of a record stops, as if it had used up its nodes
 * @param elsewhere has parts of long searches searched by other threads; by default, they are searched here
 * @throws OutOfTimeError at the deadline
 * @throws Error if an engine's answer is not a solution
 */
export function enumerateBlock(
  engine: Engine,
  block: RecordBlock,
  limits: PuzzleLimits,
  clock: Clock,
  answers: BlockAnswers,
  atMost = Number.POSITIVE_INFINITY,
  elsewhere?: Elsewhere,
): Iterable<EnumerationStep> {
  return searchRecords(block, answers, (record) =>
    enumerateRecord(engine, block, record, limits, clock, answers, atMost, elsewhere),
  );
}

/**
 * Searches the records of a block whose givens do not clash, in order; the others need no search.
 *
 * @param search the steps before the end of a record; returns why they are fewer than requested
 */
export function* searchRecords(
  block: RecordBlock,
  answers: BlockAnswers,
  search: (record: number) => Iterable<EnumerationStep, RecordError | undefined>,
): Iterable<EnumerationStep> {
  markUnreadable(block, answers);
  for (let record = 0; record < block.count; record++) {
    let cut: RecordError | undefined;
    if (answers.status[record] === StatusCode.unreadable) {
      clearAnswer(answers, record);
    } else if (givensClash(block.geometry, block.cells, record * block.geometry.cellCount)) {
      clearAnswer(answers, record);
      answers.status[record] = StatusCode.invalid;
    } else {
      cut = yield* search(record);
    }
    yield { kind: 'end', record, cut };
  }
}

function* enumerateRecord(
  engine: Engine,
  block: RecordBlock,
  record: number,
  puzzleLimits: PuzzleLimits,
  clock: Clock,
  answers: BlockAnswers,
  atMost: number,
  elsewhere?: Elsewhere,
): Generator<EnumerationStep, undefined> {
  const { maxSolutions, maxNodes, maxMs, deadlineMs } = puzzleLimits;
  const limits = {
    maxSolutions,
    maxNodes,
    sliceNodes: sliceNodes(puzzleLimits),
    pauseAtSolution: true,
    openAnswers: elsewhere?.openAnswers,
  };
  engine.searchBytes = 0;
  let solveMs = 0;
  let reported = 0;
  for (let started = false; ; started = true) {
    const startMs = clock.monotonicMs();
    if (startMs > deadlineMs) throw new OutOfTimeError();
    if (started) engine.resume(limits, answers);
    else engine.solve(block, record, record + 1, limits, answers);
    solveMs += clock.monotonicMs() - startMs;
    const hasFound = answers.solutions[record]! > reported;
    if (hasFound) {
      reported = answers.solutions[record]!;
      checkAnswer(engine, block, record, answers);
      answers.status[record] = reported > 1 ? StatusCode.multiple : StatusCode.solved;
      yield { kind: 'solution', record, ordinal: reported };
    }
    if (answers.stop[record] !== Stop.paused) break;
    if (elsewhere !== undefined && engine.isWaiting === true) {
      const waitMs = clock.monotonicMs();
      yield { kind: 'slice', record, until: elsewhere.progress() };
      solveMs += clock.monotonicMs() - waitMs;
    } else if (!hasFound) yield { kind: 'slice', record };
    if (reported >= atMost || solveMs > maxMs) {
      answers.stop[record] = Stop.nodeLimit;
      break;
    }
  }
  answers.searchBytes[record] = engine.searchBytes;
  answers.solveUs[record] = solveMs * 1000;
  answers.status[record] = statusCodeOf(answers.stop[record]!, answers.solutions[record]!, maxSolutions);
}
