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
import { AdaptiveSize } from './adaptive-size.ts';
import { type BlockAnswers, markUnreadable } from './block-answers.ts';
import { OutOfTimeError, type PuzzleLimits } from './drive.ts';
import type { RecordRange } from './range-solver.ts';
import type { RangeAnswer, RangeMessage } from './serve-ranges.ts';
import type { Reply, Task, TaskSource, Thread, ThreadPool } from './thread-pool.ts';

/** Cells of an ordinary 9x9 puzzle. */
const CELLS = 81;
/** At first 8 ordinary 9x9 puzzles, 2 of 16x16, 1 of 25x25. */
const FIRST = { firstCells: 8 * CELLS, minCells: CELLS };
/** Milliseconds of a task of a thread: those below take more time for messages. */
const THREAD_SIZE = { ...FIRST, maxCells: 2048 * CELLS, shortMs: 2, longMs: 8 };
/** The job's own thread has other work, too. */
const OWN_SIZE = { ...FIRST, maxCells: 256 * CELLS, shortMs: 0.2, longMs: 1 };

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

export class BlockTasks implements TaskSource {
  readonly #pool: ThreadPool;
  readonly #engine: EngineName;
  readonly #clock: Clock;
  readonly #isShared: boolean;
  readonly #threadSize = new AdaptiveSize(THREAD_SIZE);
  readonly #ownSize = new AdaptiveSize(OWN_SIZE);
  /** Blocks being solved, oldest first. */
  readonly #blocks = new Set<PendingBlock>();
  /** The geometry that was last sent to each thread. */
  readonly #sent = new WeakMap<Thread, Geometry>();
  /** Whether tasks take so little time that a thread gets one ahead. */
  #isQuick = false;

  /** @param isShared whether blocks and answers are in shared memory */
  constructor(pool: ThreadPool, engine: EngineName, clock: Clock, isShared: boolean) {
    this.#pool = pool;
    this.#engine = engine;
    this.#clock = clock;
    this.#isShared = isShared;
    pool.sources.push(this);
  }

  /** Resolves when a block is solved. */
  async solve(block: RecordBlock, limits: PuzzleLimits, answers: BlockAnswers): Promise<void> {
    if (this.#pool.failure !== undefined) throw this.#pool.failure;
    markUnreadable(block, answers);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#blocks.add({ block, limits, answers, next: 0, left: block.count, resolve, reject });
    this.#pool.give();
    return promise;
  }

  /**
   * Solves the next records of the oldest block in this thread.
   *
   * @returns false if none are left
   */
  async solveHere(solve: (range: RecordRange) => Promise<void>): Promise<boolean> {
    const pending = this.#oldest();
    if (pending === undefined) return false;
    const { block: puzzles, limits, answers } = pending;
    const [from, to] = take(pending, this.#ownSize.puzzleCount(puzzles.geometry.cellCount));
    const startMs = this.#clock.monotonicMs();
    try {
      await solve({ puzzles, from, to, limits, answers });
      this.#ownSize.adjust(this.#clock.monotonicMs() - startMs);
      this.#finish(pending, to - from);
    } catch (error) {
      this.#reject(pending, error);
    }
    return true;
  }

  next(thread: Thread): Task | undefined {
    if (thread.tasks.size > (this.#isQuick ? 1 : 0)) return undefined;
    const pending = this.#oldest();
    if (pending === undefined) return undefined;
    const { block, limits, answers } = pending;
    const { geometry, cells, count } = block;
    const size = this.#isShared ? this.#threadSize.puzzleCount(geometry.cellCount) : count;
    const [from, to] = take(pending, size);
    const message: Omit<RangeMessage, 'id'> = {
      kind: 'range',
      engine: this.#engine,
      geometry: this.#sent.get(thread) === geometry ? undefined : geometry,
      cells: this.#isShared ? cells : cells.slice(0, count * geometry.cellCount),
      answers: this.#isShared ? answers : { ...answers, status: answers.status.slice(0, count) },
      from,
      to,
      limits,
      leftMs: limits.deadlineMs - this.#clock.monotonicMs(),
      isShared: this.#isShared,
    };
    this.#sent.set(thread, geometry);
    return { message, receive: (reply) => this.#receive(pending, to - from, reply) };
  }

  fail(error: unknown): void {
    for (const pending of [...this.#blocks]) this.#reject(pending, error);
  }

  /** The oldest block with records left. */
  #oldest(): PendingBlock | undefined {
    for (const pending of this.#blocks) if (pending.next < pending.block.count) return pending;
    return undefined;
  }

  #receive(pending: PendingBlock, records: number, { known, error }: Reply): void {
    if (error !== undefined) {
      this.#reject(pending, error === OutOfTimeError.name ? new OutOfTimeError() : error);
      return;
    }
    const { ms, answers } = known as RangeAnswer;
    this.#threadSize.adjust(ms);
    this.#isQuick = ms < THREAD_SIZE.longMs;
    if (answers !== undefined) copyAnswers(answers, pending.answers);
    this.#finish(pending, records);
  }

  #finish(pending: PendingBlock, records: number): void {
    pending.left -= records;
    if (pending.left > 0 || !this.#blocks.delete(pending)) return;
    pending.resolve();
  }

  #reject(pending: PendingBlock, error: unknown): void {
    this.#blocks.delete(pending);
    pending.reject(error);
  }
}

/** Takes the next records of a block. @returns the first one, and the end (exclusive) */
function take(pending: PendingBlock, records: number): [from: number, to: number] {
  const from = pending.next;
  pending.next = Math.min(from + records, pending.block.count);
  return [from, pending.next];
}

/** Copies the answers to a whole block. */
function copyAnswers(from: BlockAnswers, to: BlockAnswers): void {
  to.solutions.set(from.solutions);
  to.stop.set(from.stop);
  to.nodes.set(from.nodes);
  to.guesses.set(from.guesses);
  to.cells.set(from.cells);
  to.status.set(from.status);
  to.rating.set(from.rating);
  to.solveUs.set(from.solveUs);
  to.searchBytes.set(from.searchBytes);
}
