/**
 * Samples the number of puzzles done over time, in bounded memory.
 *
 * Each call of `add` takes a sample. If there are too many, every other one is dropped, and from then on only every
 * second, fourth, ... call takes one. So the samples stay evenly spread over the blocks.
 *
 *     call      1 2 3 4 5 6 7 8 9        with at most 4 samples
 *     stride 1  1 2 3 4|
 *     stride 2    2   4   6   8|
 *     stride 4        4       8
 */

/** Puzzles done, and milliseconds since the beginning. */
export interface ThroughputSample {
  readonly puzzles: number;
  readonly elapsedMs: number;
}

const MAX_SAMPLES = 200;

export class Throughput {
  readonly #maxSamples: number;
  #samples: ThroughputSample[] = [];
  #stride = 1;
  #calls = 0;

  /** @param maxSamples an even number */
  constructor(maxSamples = MAX_SAMPLES) {
    this.#maxSamples = maxSamples;
  }

  /** Neither number is smaller than in the previous call. */
  add(puzzles: number, elapsedMs: number): void {
    this.#calls++;
    if (this.#calls % this.#stride !== 0) return;
    if (this.#samples.length === this.#maxSamples) {
      this.#samples = this.#samples.filter((_, k) => k % 2 === 1);
      this.#stride *= 2;
      if (this.#calls % this.#stride !== 0) return;
    }
    this.#samples.push({ puzzles, elapsedMs });
  }

  /** The samples so far, ascending. */
  samples(): readonly ThroughputSample[] {
    return this.#samples;
  }
}

/** A part of a job that ran in parallel with others. */
export interface ThroughputInterval {
  /** Milliseconds since the beginning of the job. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly puzzles: number;
}

/**
 * Samples parallel intervals at equal distances; within an interval puzzles count as evenly spread.
 *
 * @param count number of samples
 */
export function samplesOfIntervals(
  intervals: readonly ThroughputInterval[],
  count = MAX_SAMPLES / 4,
): ThroughputSample[] {
  const endMs = intervals.reduce((end, { startMs, durationMs }) => Math.max(end, startMs + durationMs), 0);
  const beginMs = intervals.reduce((begin, { startMs }) => Math.min(begin, startMs), endMs);
  if (endMs <= beginMs) return [];
  return Array.from({ length: count }, (_, k) => {
    const elapsedMs = beginMs + ((endMs - beginMs) * (k + 1)) / count;
    let puzzles = 0;
    for (const { startMs, durationMs, puzzles: all } of intervals) {
      const share = durationMs > 0 ? (elapsedMs - startMs) / durationMs : elapsedMs >= startMs ? 1 : 0;
      puzzles += all * Math.min(1, Math.max(0, share));
    }
    return { puzzles: Math.round(puzzles), elapsedMs };
  });
}
