/**
 * Counts puzzles over time, in bounded memory: in intervals of one length, which doubles when they are too many.
 *
 *     12 | 20 | 18 | 15 |            four intervals of 50 ms, if there may be four
 *        32    |   33   | 9 |        the fifth makes three of 100 ms
 */

const MAX_INTERVALS = 40;
const FIRST_MS = 25;
/** Puzzles are counted by blocks: a few show nothing but their ends. */
const MIN_BLOCKS = 12;

/** An interval of the batch. */
export interface RateStep {
  readonly fromMs: number;
  readonly toMs: number;
  readonly perSecond: number;
}

export class Throughput {
  #intervalMs = FIRST_MS;
  /** Puzzles of each interval, and the end of the last one. */
  #puzzles: number[] = [];
  #endMs = 0;
  #blocks = 0;
  /** Puzzles that were done one after the other, and when. */
  #reached = { puzzles: 0, ms: 0 };

  /** The puzzles done so far, one after the other. */
  reach(puzzles: number, ms: number): void {
    this.add(puzzles - this.#reached.puzzles, this.#reached.ms, ms);
    this.#reached = { puzzles, ms };
  }

  /** Puzzles that were solved at an even rate from one time to another, at which others may have been solved too. */
  add(puzzles: number, fromMs: number, toMs: number): void {
    this.#blocks++;
    this.#endMs = Math.max(this.#endMs, toMs);
    while (toMs > this.#intervalMs * MAX_INTERVALS) this.#double();
    const interval = this.#intervalMs;
    let k = Math.floor(fromMs / interval);
    do {
      const ms = Math.min(toMs, (k + 1) * interval) - Math.max(fromMs, k * interval);
      while (this.#puzzles.length <= k) this.#puzzles.push(0);
      this.#puzzles[k]! += toMs > fromMs ? (puzzles * ms) / (toMs - fromMs) : puzzles;
      k++;
    } while (k * interval < toMs);
  }

  /** All intervals so far; none after a few blocks. */
  steps(): RateStep[] {
    if (this.#blocks < MIN_BLOCKS) return [];
    return this.#puzzles.flatMap((puzzles, k) => {
      const fromMs = k * this.#intervalMs;
      const toMs = Math.min(fromMs + this.#intervalMs, this.#endMs);
      return toMs > fromMs ? { fromMs, toMs, perSecond: (puzzles / (toMs - fromMs)) * 1000 } : [];
    });
  }

  #double(): void {
    const halves = this.#puzzles;
    const length = Math.ceil(halves.length / 2);
    this.#puzzles = Array.from({ length }, (_, k) => halves[2 * k]! + (halves[2 * k + 1] ?? 0));
    this.#intervalMs *= 2;
  }
}
