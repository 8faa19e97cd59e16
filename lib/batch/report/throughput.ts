/**
 * How many puzzles were done after which time, in memory that does not grow.
 *
 * Each time it is told, one sample is taken; when there are too many, every other one is dropped, and from then on
 * only every second, fourth, ... time counts. So samples stay evenly spread over the blocks, however many come.
 *
 *     told      1 2 3 4 5 6 7 8 9        with at most 4 samples
 *     stride 1  1 2 3 4|
 *     stride 2    2   4   6   8|
 *     stride 4        4       8          and the last one, 9, at the end
 */

/** Puzzles done, and milliseconds from the beginning until then. */
export interface ThroughputSample {
  readonly puzzles: number;
  readonly elapsedMs: number;
}

const MOST_SAMPLES = 200;

export class Throughput {
  readonly #most: number;
  #samples: ThroughputSample[] = [];
  #stride = 1;
  #told = 0;

  /** @param most samples that are kept, an even number */
  constructor(most = MOST_SAMPLES) {
    this.#most = most;
  }

  /** Both numbers grow from one time to the next. */
  add(puzzles: number, elapsedMs: number): void {
    this.#told++;
    if (this.#told % this.#stride !== 0) return;
    if (this.#samples.length === this.#most) {
      this.#samples = this.#samples.filter((_, k) => k % 2 === 1);
      this.#stride *= 2;
      if (this.#told % this.#stride !== 0) return;
    }
    this.#samples.push({ puzzles, elapsedMs });
  }

  /** Samples so far, ascending. */
  samples(): readonly ThroughputSample[] {
    return this.#samples;
  }
}

/** A stretch of a job that ran beside others. */
export interface ThroughputInterval {
  /** Milliseconds from the beginning of the job. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly puzzles: number;
}

/**
 * Samples at equal distances over stretches that ran side by side; within a stretch puzzles count as evenly spread.
 *
 * @param count of samples
 */
export function samplesOfIntervals(
  stretches: readonly ThroughputInterval[],
  count = MOST_SAMPLES / 4,
): ThroughputSample[] {
  const endMs = stretches.reduce((end, { startMs, durationMs }) => Math.max(end, startMs + durationMs), 0);
  const beginMs = stretches.reduce((begin, { startMs }) => Math.min(begin, startMs), endMs);
  if (endMs <= beginMs) return [];
  return Array.from({ length: count }, (_, k) => {
    const elapsedMs = beginMs + ((endMs - beginMs) * (k + 1)) / count;
    let puzzles = 0;
    for (const { startMs, durationMs, puzzles: all } of stretches) {
      const share = durationMs > 0 ? (elapsedMs - startMs) / durationMs : elapsedMs >= startMs ? 1 : 0;
      puzzles += all * Math.min(1, Math.max(0, share));
    }
    return { puzzles: Math.round(puzzles), elapsedMs };
  });
}
