/**
 * Blocks of records as tasks for threads: ranges of their records, so that blocks of hard puzzles are shared as well as blocks
 * of easy ones.
 *
 *     easy     | 8 | 16 | 32 | ... | 2048 | 2048 | ...     the cost of a task is negligible for each puzzle
 *     hard     | 8 | 4 | 2 | 1 | 1 | ...                   all threads share the last records
 *
 * In shared memory, threads write the answers where the job reads them; else the whole block is one task, and is copied.
 */
import type { RecordBlock } from '../../formats/records/record-block.ts';
import type { EngineName } from '../../sudoku/engine.ts';
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import type { Clock } from '../ports.ts';
import { AdaptiveSize, CELLS } from './adaptive-size.ts';
import { type BlockAnswers, markUnreadable } from './block-answers.ts';
import { OutOfTimeError, type PuzzleLimits } from './drive.ts';
import type { RecordRange } from './range-solver.ts';
import type { RangeAnswer, RangeMessage } from './serve-ranges.ts';
import type { Thread, ThreadPool } from './thread-pool.ts';

/** At first 8 ordinary 9x9 puzzles, 2 of 16x16, 1 of 25x25. */
const FIRST_CELLS = 8 * CELLS;
/** Milliseconds of a task of a thread: those below take more time for messages. */
const THREAD_SIZE = { firstCells: FIRST_CELLS, maxCells: 2048 * CELLS, shortMs: 2, longMs: 8 };
/** The job's own thread has other work, too. */
const OWN_SIZE = { firstCells: FIRST_CELLS, maxCells: 256 * CELLS, shortMs: 0.2, longMs: 1 };

interface PendingBlock {
  readonly block: RecordBlock;
  readonly limits: PuzzleLimits;
  readonly answers: BlockAnswers;
  /** The next record of a task, and records that are not solved. */
  next: number;
  left: number;
  resolve(): void;
  reject(error: unknown): void;
}

/** @param isShared whether blocks and answers are in shared memory */
export function blockTasks(pool: ThreadPool, engine: EngineName, clock: Clock, isShared: boolean) {
  const threadSize = new AdaptiveSize(THREAD_SIZE);
  const ownSize = new AdaptiveSize(OWN_SIZE);
  /** Blocks being solved, oldest first. */
  const blocks = new Set<PendingBlock>();
  /** The geometry that was last sent to each thread. */
  const sent = new WeakMap<Thread, Geometry>();
  /** Whether tasks take so little time that a thread gets one ahead. */
  let isQuick = false;

  /** The oldest block with records left. */
  const oldest = () => [...blocks].find(({ next, block }) => next < block.count);

  const reject = (pending: PendingBlock, error: unknown) => {
    blocks.delete(pending);
    pending.reject(error);
  };

  const finish = (pending: PendingBlock, records: number) => {
    pending.left -= records;
    if (pending.left === 0 && blocks.delete(pending)) pending.resolve();
  };

  pool.sources.push({
    next(thread) {
      if (thread.tasks.size > (isQuick ? 1 : 0)) return undefined;
      const pending = oldest();
      if (pending === undefined) return undefined;
      const { block, limits, answers } = pending;
      const { geometry, cells, count } = block;
      const [from, to] = take(pending, isShared ? threadSize.puzzleCount(geometry.cellCount) : count);
      const message: Omit<RangeMessage, 'id'> = {
        kind: 'range',
        engine,
        geometry: sent.get(thread) === geometry ? undefined : geometry,
        cells: isShared ? cells : cells.slice(0, count * geometry.cellCount),
        answers: isShared ? answers : { ...answers, status: answers.status.slice(0, count) },
        from,
        to,
        limits,
        leftMs: limits.deadlineMs - clock.monotonicMs(),
        isShared,
      };
      sent.set(thread, geometry);
      return {
        message,
        receive({ known, error }) {
          if (error !== undefined) {
            reject(pending, error === OutOfTimeError.name ? new OutOfTimeError() : error);
            return;
          }
          const { ms, answers: copied } = known as RangeAnswer;
          threadSize.adjust(ms);
          isQuick = ms < THREAD_SIZE.longMs;
          if (copied !== undefined) copyAnswers(copied, answers);
          finish(pending, to - from);
        },
      };
    },
    fail(error) {
      for (const pending of [...blocks]) reject(pending, error);
    },
  });

  return {
    /** Resolves when a block is solved. */
    async solve(block: RecordBlock, limits: PuzzleLimits, answers: BlockAnswers): Promise<void> {
      if (pool.failure !== undefined) throw pool.failure;
      markUnreadable(block, answers);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      blocks.add({ block, limits, answers, next: 0, left: block.count, resolve, reject });
      pool.give();
      return promise;
    },

    /**
     * Solves the next records of the oldest block in this thread.
     *
     * @returns false if none are left
     */
    async solveHere(solve: (range: RecordRange) => Promise<void>): Promise<boolean> {
      const pending = oldest();
      if (pending === undefined) return false;
      const { block: puzzles, limits, answers } = pending;
      const [from, to] = take(pending, ownSize.puzzleCount(puzzles.geometry.cellCount));
      const startMs = clock.monotonicMs();
      try {
        await solve({ puzzles, from, to, limits, answers });
        ownSize.adjust(clock.monotonicMs() - startMs);
        finish(pending, to - from);
      } catch (error) {
        reject(pending, error);
      }
      return true;
    },
  };
}

/** Takes the next records of a block. @returns the first one, and the end (exclusive) */
function take(pending: PendingBlock, records: number): [from: number, to: number] {
  const from = pending.next;
  pending.next = Math.min(from + records, pending.block.count);
  return [from, pending.next];
}

/** Copies the answers to a whole block. */
function copyAnswers({ largeCounts: _, ...arrays }: BlockAnswers, to: BlockAnswers): void {
  for (const name of Object.keys(arrays) as (keyof typeof arrays)[]) to[name].set(arrays[name]);
}
