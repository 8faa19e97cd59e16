/**
 * Blocks and their answers, used again and again, so that memory stays flat whatever the file's size.
 *
 * A block of easy puzzles has many records, which pay for what is done once a block; one of hard puzzles has few, so that
 * progress is told, and limits are looked at, several times a second. The first ones are small, and what a block took
 * decides upon those to come:
 *
 *     easy     | 16 | 32 | 64 | ... | 512 | 512 | ...          2,048 where several threads solve
 *     hard     | 16 | 8 | 4 | 2 | 1 | 1 | ...
 *
 * Where a file's blocks begin and end changes nothing in its results.
 */
import type { Layout } from '../../formats/records/layout.ts';
import { RecordBlock } from '../../formats/records/record-block.ts';
import { AdaptiveSize } from './adaptive-size.ts';
import { type BlockAnswers, createBlockAnswers } from './solve-block.ts';

/** Most ordinary 9x9 puzzles in a block that this thread solves: enough to pay for it, few enough to stay in cache. */
const MOST_RECORDS = 512;
/** The same in shared memory: telling other threads of a block takes the time of a dozen puzzles. */
const MOST_SHARED_RECORDS = 2048;
const FIRST_RECORDS = 16;
/** Cells of such a puzzle: a block of larger ones has as many cells. */
const CELLS = 81;
/** Milliseconds between the ends of two blocks: below the first, blocks to come are twice as large; above, half. */
const SHORT_MS = 10;
const LONG_MS = 100;
/** Sizes of which free blocks are kept. */
const SIZES_KEPT = 4;

/** A block, and room for the answers to its records. */
interface PooledBlock {
  readonly block: RecordBlock;
  readonly answers: BlockAnswers;
}

export class BlockPool {
  readonly #shared: boolean;
  readonly #mostCells: number;
  readonly #maxRecords: number;
  readonly #size: AdaptiveSize;
  /** Free blocks by the cells of a puzzle, the sizes used last at the end: of a few, as layouts may change with every puzzle. */
  readonly #free = new Map<number, PooledBlock[]>();
  readonly #answersOf = new Map<RecordBlock, BlockAnswers>();

  /**
   * @param shared whether memory is shared with worker threads
   * @param maxRecords most records of a block; at least 1
   */
  constructor(shared: boolean, maxRecords = Number.POSITIVE_INFINITY) {
    this.#shared = shared;
    this.#mostCells = (shared ? MOST_SHARED_RECORDS : MOST_RECORDS) * CELLS;
    this.#maxRecords = maxRecords;
    this.#size = new AdaptiveSize({
      firstCells: FIRST_RECORDS * CELLS,
      minCells: CELLS,
      maxCells: this.#mostCells,
      shortMs: SHORT_MS,
      longMs: LONG_MS,
    });
  }

  acquire(layout: Layout): RecordBlock {
    const { cellCount } = layout.geometry;
    const pooled = this.#free.get(cellCount)?.pop() ?? this.#create(layout);
    const { block, answers } = pooled;
    block.reuse(layout, Math.min(this.#size.puzzleCount(cellCount), block.room));
    this.#answersOf.set(block, answers);
    return block;
  }

  /** The answers that belong to an acquired block. */
  answersOf(block: RecordBlock): BlockAnswers {
    const answers = this.#answersOf.get(block);
    if (answers === undefined) throw new Error('a block came from elsewhere, or was released before its end');
    return answers;
  }

  /**
   * Gives a block back; neither it nor its answers may be used afterwards.
   *
   * @param tookMs milliseconds from the end of the previous block to the end of this one; undefined for a block that was
   *   not solved, which says nothing about the size of the next ones
   */
  release(block: RecordBlock, tookMs?: number): void {
    const answers = this.answersOf(block);
    this.#answersOf.delete(block);
    const { cellCount } = block.geometry;
    const free = this.#free.get(cellCount) ?? [];
    free.push({ block, answers });
    this.#free.delete(cellCount);
    this.#free.set(cellCount, free);
    if (this.#free.size > SIZES_KEPT) this.#free.delete(this.#free.keys().next().value ?? cellCount);
    if (tookMs !== undefined) this.#size.adjust(tookMs);
  }

  #create(layout: Layout): PooledBlock {
    const { cellCount } = layout.geometry;
    const room = Math.max(1, Math.min(this.#maxRecords, Math.floor(this.#mostCells / cellCount)));
    return {
      block: new RecordBlock(layout, room, this.#shared),
      answers: createBlockAnswers(room, cellCount, this.#shared),
    };
  }
}
