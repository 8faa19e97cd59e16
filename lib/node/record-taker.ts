/**
 * One thread's way through shared blocks: as many records at a time as it solves in well under a millisecond.
 *
 *     easy     | 8 | 16 | 32 | 64 | 128 | 256 | 256 | ...     what is done once for each taking costs a puzzle nothing
 *     hard     | 8 | 4 | 2 | 1 | 1 | ...                      the last ones are shared out to the last
 */

import type { Clock } from '../batch/ports.ts';
import { AdaptiveSize } from '../batch/solving/adaptive-size.ts';
import { endRecords, type SharedBlock, takeRecords } from './shared-block.ts';

/** Cells of an ordinary 9x9 puzzle. */
const CELLS = 81;

/** At first 8 ordinary 9x9 puzzles, 2 of 16x16, one of 25x25; the limits are well under a turn of the job's thread. */
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
   * Takes records of a block; false where none are left.
   *
   * @param cellCount cells of a record
   */
  take(block: SharedBlock, cellCount: number): boolean {
    const records = this.#size.puzzleCount(cellCount);
    this.from = takeRecords(block, records);
    this.to = Math.min(this.from + records, block.count);
    this.#startMs = this.#clock.monotonicMs();
    return this.from < block.count;
  }

  /** Says that the records taken are solved; whether they were the block's last ones. */
  end(block: SharedBlock): boolean {
    this.#size.adjust(this.#clock.monotonicMs() - this.#startMs);
    return endRecords(block, this.from, this.to);
  }
}
