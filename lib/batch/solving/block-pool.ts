/**
 * A pool of blocks and their answers, so that memory does not grow with the file.
 *
 * A block of easy puzzles has many records, to spread its fixed cost; a block of hard puzzles has few, so that progress
 * is reported and limits are checked several times a second. The first blocks are small; the duration of a block
 * determines the size of the next ones:
 *
 *     easy     | 16 | 32 | 64 | ... | 512 | 512 | ...          2,048 with several threads
 *     hard     | 16 | 8 | 4 | 2 | 1 | 1 | ...
 *
 * The bounds of the blocks do not affect the results.
 */
import type { Layout } from '../../formats/records/layout.ts';
import { RecordBlock } from '../../formats/records/record-block.ts';
import { AdaptiveSize, CELLS } from './adaptive-size.ts';
import { type BlockAnswers, createBlockAnswers } from './block-answers.ts';

/**
 * Maximum number of 9x9 puzzles in a block that this thread solves: enough to amortise its cost, few enough to stay in
 * cache.
 */
const MAX_RECORDS = 512;
/** The same in shared memory: announcing a block to other threads takes the time of a dozen puzzles. */
const MAX_SHARED_RECORDS = 2048;
const FIRST_RECORDS = 16;
/** Milliseconds between the ends of two blocks: below the first, the block size doubles; above the second, it halves. */
const SHORT_MS = 10;
const LONG_MS = 100;
/** Number of grid sizes whose free blocks are kept. */
const MAX_FREE_SIZES = 4;

export class BlockPool {
  readonly #shared: boolean;
  readonly #maxCells: number;
  readonly #maxRecords: number;
  readonly #size: AdaptiveSize;
  /** Free blocks by the cells of a puzzle, least recently used first; bounded, as the layout may change with every puzzle. */
  readonly #free = new Map<number, RecordBlock[]>();
  readonly #answersOf = new WeakMap<RecordBlock, BlockAnswers>();

  /**
   * @param shared whether memory is shared with worker threads
   * @param maxRecords largest number of records of a block, at least 1
   */
  constructor(shared: boolean, maxRecords = Number.POSITIVE_INFINITY) {
    this.#shared = shared;
    this.#maxCells = (shared ? MAX_SHARED_RECORDS : MAX_RECORDS) * CELLS;
    this.#maxRecords = maxRecords;
    this.#size = new AdaptiveSize({
      firstCells: FIRST_RECORDS * CELLS,
      maxCells: this.#maxCells,
      shortMs: SHORT_MS,
      longMs: LONG_MS,
    });
  }

  /** A block for records of a layout; return it with `release`. */
  acquire(layout: Layout): RecordBlock {
    const { cellCount } = layout.geometry;
    const block = this.#free.get(cellCount)?.pop() ?? this.#create(layout);
    block.reuse(layout, Math.min(this.#size.puzzleCount(cellCount), block.maxCapacity));
    return block;
  }

  /** The answers to a block of this pool. */
  answersOf(block: RecordBlock): BlockAnswers {
    return this.#answersOf.get(block)!;
  }

  /**
   * Returns a block to the pool; neither it nor its answers may be used afterwards.
   *
   * @param tookMs milliseconds from the end of the previous block to the end of this one; undefined for a block that was
   *   not solved: it does not change the size of the next ones
   */
  release(block: RecordBlock, tookMs?: number): void {
    const { cellCount } = block.geometry;
    const free = this.#free.get(cellCount) ?? [];
    free.push(block);
    this.#free.delete(cellCount);
    this.#free.set(cellCount, free);
    if (this.#free.size > MAX_FREE_SIZES) this.#free.delete(this.#free.keys().next().value ?? cellCount);
    if (tookMs !== undefined) this.#size.adjust(tookMs);
  }

  #create(layout: Layout): RecordBlock {
    const { cellCount } = layout.geometry;
    const capacity = Math.max(1, Math.min(this.#maxRecords, Math.floor(this.#maxCells / cellCount)));
    const block = new RecordBlock(layout, capacity, this.#shared);
    this.#answersOf.set(block, createBlockAnswers(capacity, cellCount, this.#shared));
    return block;
  }
}
