/**
 * Takes records of shared blocks for one thread: as many at a time as the thread solves in well under a millisecond.
 *
 *     easy     | 8 | 16 | 32 | 64 | 128 | 256 | 256 | ...     the cost of taking records is negligible for each puzzle
 *     hard     | 8 | 4 | 2 | 1 | 1 | ...                      all threads share the last records
 */

import type { Clock } from '../batch/ports.ts';
import { AdaptiveSize } from '../batch/solving/adaptive-size.ts';
import { finishRecords, type SharedBlock, takeRecords } from './shared-block.ts';

/** Cells of an ordinary 9x9 puzzle. */
const CELLS = 81;

/** At first 8 ordinary 9x9 puzzles, 2 of 16x16, 1 of 25x25; the times are well below a turn of the job's thread. */
const SIZE = { firstCells: 8 * CELLS, minCells: CELLS, maxCells: 256 * CELLS, shortMs: 0.2, longMs: 1 };

export class RecordTaker {
  readonly #clock: Clock;
  readonly #size = new AdaptiveSize(SIZE);
  #startMs = 0;
  /** The records taken, `to` exclusive. */
  from = 0;
  to = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Takes the next records of a block.
   *
   * @param cellCount cells of a record
   * @returns false if none are left
   */
  take(block: SharedBlock, cellCount: number): boolean {
    const records = this.#size.puzzleCount(cellCount);
    this.from = takeRecords(block, records);
    this.to = Math.min(this.from + records, block.count);
    this.#startMs = this.#clock.monotonicMs();
    return this.from < block.count;
  }

  /** Marks the taken records as solved. @returns whether all records of the block are solved */
  finish(block: SharedBlock): boolean {
    this.#size.adjust(this.#clock.monotonicMs() - this.#startMs);
    return finishRecords(block, this.from, this.to);
  }
}
