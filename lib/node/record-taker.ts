/**
 * One thread's way through shared blocks: as many records at a time as it solves in well under a millisecond.
 *
 *     easy     | 8 | 16 | 32 | 64 | 128 | 256 | 256 | ...     what is done once for each taking costs a puzzle nothing
 *     hard     | 8 | 4 | 2 | 1 | 1 | ...                      the last ones are shared out to the last
 */
import type { Clock } from '../batch/ports.ts';
import { endRecords, type SharedBlock, takeRecords } from './shared-block.ts';

/** Cells of the records taken at first: 8 ordinary 9x9 puzzles, 2 of 16x16, one of 25x25. */
const FIRST_CELLS = 8 * 81;
const LEAST_CELLS = 81;
const MOST_CELLS = 256 * 81;
/** Records that took less are taken twice as many at a time from then on; those that took more, half as many. */
const SHORT_MS = 0.2;
const LONG_MS = 1;

export class RecordTaker {
  readonly #clock: Clock;
  #cells = FIRST_CELLS;
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
    const records = Math.max(1, Math.floor(this.#cells / cellCount));
    this.from = takeRecords(block, records);
    this.to = Math.min(this.from + records, block.count);
    this.#startMs = this.#clock.monotonicMs();
    return this.from < block.count;
  }

  /** Says that the records taken are solved; whether they were the block's last ones. */
  end(block: SharedBlock): boolean {
    const tookMs = this.#clock.monotonicMs() - this.#startMs;
    if (tookMs < SHORT_MS) this.#cells = Math.min(2 * this.#cells, MOST_CELLS);
    else if (tookMs > LONG_MS) this.#cells = Math.max(this.#cells / 2, LEAST_CELLS);
    return endRecords(block, this.from, this.to);
  }
}
