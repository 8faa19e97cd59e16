/** Who solves blocks: this thread, or (behind the same interface, in lib/node) a pool of worker threads. */
import type { Layout } from '../formats/layout.ts';
import { RecordBlock } from '../formats/record-block.ts';
import type { Engine } from '../sudoku/engine.ts';
import type { Clock } from './ports.ts';
import {
  type BlockAnswers,
  createBlockAnswers,
  markUnreadable,
  type PuzzleLimits,
  RangeSolver,
} from './solve-block.ts';

/** A block on its way through the solver. */
export interface SolvedBlock {
  readonly block: RecordBlock;
  readonly answers: BlockAnswers;
}

export interface BlockSolver {
  /** Threads that solve. */
  readonly workers: number;
  /** Blocks that may be under way at once; the job reads on until so many are. */
  readonly depth: number;
  /** Whether blocks and answers must lie in shared memory. */
  readonly sharedMemory: boolean;
  /** Solves every record of a block. */
  solve(block: RecordBlock, limits: PuzzleLimits, answers: BlockAnswers): Promise<void>;
}

/** Solves in this thread. */
export class InlineSolver implements BlockSolver {
  readonly workers = 1;
  readonly depth = 1;
  readonly sharedMemory = false;
  readonly #solver: RangeSolver;

  constructor(engine: Engine, clock: Clock) {
    this.#solver = new RangeSolver(engine, clock);
  }

  async solve(block: RecordBlock, limits: PuzzleLimits, answers: BlockAnswers): Promise<void> {
    markUnreadable(block, answers);
    this.#solver.begin({ puzzles: block, from: 0, to: block.count, limits, answers });
    this.#solver.run();
  }
}

/** Records in a block of ordinary 9x9 puzzles: enough to pay for what is done once a block, few enough to stay in cache. */
const BLOCK_RECORDS = 512;
/** The same of a block that other threads are told of, which takes the time of five puzzles. */
const SHARED_BLOCK_RECORDS = 1024;
/** Cells of such a puzzle. */
const CELLS_OF_RECORD = 81;
/** Sizes of which free blocks are kept. */
const SIZES_KEPT = 4;

/**
 * Blocks and their answers, used again and again, so that memory stays flat whatever the file's size.
 *
 * Keeps those of the last few sizes: a file may change its layout, or its jigsaw's regions, with every puzzle.
 */
export class BlockPool {
  readonly #shared: boolean;
  /** Cells in a block. */
  readonly #cells: number;
  readonly #maxRecords: number;
  /** Free blocks by the cells of a puzzle, the sizes used last at the end. */
  readonly #free = new Map<number, SolvedBlock[]>();
  readonly #answersOf = new Map<RecordBlock, BlockAnswers>();

  /**
   * @param shared whether memory is shared with worker threads
   * @param maxRecords most records of a block; at least 1
   */
  constructor(shared: boolean, maxRecords = Number.POSITIVE_INFINITY) {
    this.#shared = shared;
    this.#cells = (shared ? SHARED_BLOCK_RECORDS : BLOCK_RECORDS) * CELLS_OF_RECORD;
    this.#maxRecords = maxRecords;
  }

  acquire(layout: Layout): RecordBlock {
    const { cellCount } = layout.geometry;
    const free = this.#free.get(cellCount)?.pop();
    if (free !== undefined) {
      free.block.reuse(layout);
      this.#answersOf.set(free.block, free.answers);
      return free.block;
    }
    const capacity = Math.max(1, Math.min(this.#maxRecords, Math.floor(this.#cells / cellCount)));
    const block = new RecordBlock(layout, capacity, this.#shared);
    this.#answersOf.set(block, createBlockAnswers(capacity, cellCount, this.#shared));
    return block;
  }

  /** The answers that belong to an acquired block. */
  answersOf(block: RecordBlock): BlockAnswers {
    const answers = this.#answersOf.get(block);
    if (answers === undefined) throw new Error('a block came from elsewhere, or was released before its end');
    return answers;
  }

  /** Gives a block back; neither it nor its answers may be used afterwards. */
  release(block: RecordBlock): void {
    const answers = this.answersOf(block);
    this.#answersOf.delete(block);
    const { cellCount } = block.geometry;
    const free = this.#free.get(cellCount) ?? [];
    free.push({ block, answers });
    this.#free.delete(cellCount);
    this.#free.set(cellCount, free);
    if (this.#free.size > SIZES_KEPT) this.#free.delete(this.#free.keys().next().value ?? cellCount);
  }
}
