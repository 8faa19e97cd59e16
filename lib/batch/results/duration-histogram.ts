/**
 * A mergeable histogram of durations in constant memory: percentiles within 0.1 %; minimum, maximum and mean to floating
 * point, the standard deviation to a ten-millionth of the mean.
 *
 * The buckets are those of HdrHistogram, in nanoseconds, with three significant digits: single nanoseconds up to 2047,
 * then 1024 buckets from each power of two to the next.
 *
 *     5 ns       bucket 5
 *     5000 ns    = 1250 * 4     bucket 2 * 1024 + 1250, for 5000 to 5003 ns
 */

import { thousandths } from '../quantities.ts';

const NS_PER_US = 1000;

/** Buckets from one power of two to the next, and their logarithm. */
const HALF = 1024;
const LOG_HALF = 10;
/** Of all durations up to 2^53 ns, 104 days. */
const BUCKETS = HALF * (53 - LOG_HALF + 1);

/** Durations in microseconds, with up to three decimals. */
export interface DurationSummary {
  /** The shortest time in microseconds. */
  readonly min: number;
  /** The mean of the times. */
  readonly mean: number;
  /** The standard deviation of the times. */
  readonly stddev: number;
  /** The median: half of the searches take at most this time. */
  readonly p50: number;
  /** 90 % of the searches take at most this time. */
  readonly p90: number;
  /** 95 % of the searches take at most this time. */
  readonly p95: number;
  /** 99 % of the searches take at most this time. */
  readonly p99: number;
  /** 99.9 % of the searches take at most this time. */
  readonly p999: number;
  /** The longest time. */
  readonly max: number;
}

/** Durations of at least `fromUs` and below `toUs` microseconds. */
export interface DurationBar {
  /** The shortest time of the bar in microseconds. */
  readonly fromUs: number;
  /** The bar ends below this time. */
  readonly toUs: number;
  /** Puzzles whose search took such a time. */
  readonly count: number;
}

/** A histogram as JSON data. */
export interface DurationSnapshot {
  /** Counts of the non-empty buckets. */
  readonly counts: readonly (readonly [index: number, count: number])[];
  readonly minUs: number;
  readonly maxUs: number;
  /** Sum of all durations, and of their squares. */
  readonly sumUs: number;
  readonly squaresUs: number;
}

export class DurationHistogram {
  readonly #counts = new Float64Array(BUCKETS);
  #count = 0;
  #minUs = Number.POSITIVE_INFINITY;
  #maxUs = 0;
  #sumUs = 0;
  #squaresUs = 0;

  get sumUs(): number {
    return this.#sumUs;
  }

  /** Adds one duration in microseconds, 0 or more. */
  add(us: number): void {
    this.#count++;
    this.#sumUs += us;
    this.#squaresUs += us * us;
    if (us < this.#minUs) this.#minUs = us;
    if (us > this.#maxUs) this.#maxUs = us;
    this.#counts[bucketOf(Math.round(us * NS_PER_US))]!++;
  }

  /** Adds all durations of a snapshot. */
  merge({ counts, minUs, maxUs, sumUs, squaresUs }: DurationSnapshot): void {
    if (counts.length === 0) return;
    for (const [index, count] of counts) {
      this.#counts[index]! += count;
      this.#count += count;
    }
    this.#sumUs += sumUs;
    this.#squaresUs += squaresUs;
    this.#minUs = Math.min(this.#minUs, minUs);
    this.#maxUs = Math.max(this.#maxUs, maxUs);
  }

  /** All durations, as JSON data. */
  snapshot(): DurationSnapshot {
    const minUs = this.#count === 0 ? 0 : this.#minUs;
    return {
      counts: this.#filled(),
      minUs,
      maxUs: this.#maxUs,
      sumUs: this.#sumUs,
      squaresUs: this.#squaresUs,
    };
  }

  /** Undefined if no duration was added. The standard deviation is that of the population, not of a sample. */
  summary(): DurationSummary | undefined {
    if (this.#count === 0) return undefined;
    const mean = this.#sumUs / this.#count;
    // The difference may be below 0 by rounding.
    const variance = Math.max(0, this.#squaresUs / this.#count - mean * mean);
    const percentile = (percent: number) => {
      const us = this.#atPercentile(percent) / NS_PER_US;
      return thousandths(Math.min(Math.max(us, this.#minUs), this.#maxUs));
    };
    return {
      min: thousandths(this.#minUs),
      mean: thousandths(mean),
      stddev: thousandths(Math.sqrt(variance)),
      p50: percentile(50),
      p90: percentile(90),
      p95: percentile(95),
      p99: percentile(99),
      p999: percentile(99.9),
      max: thousandths(this.#maxUs),
    };
  }

  /** Bars whose bounds double, from the first non-empty one to the last. */
  bars(): DurationBar[] {
    const bars: { fromUs: number; toUs: number; count: number }[] = [];
    for (const [index, count] of this.#filled()) {
      const us = firstIn(index) / NS_PER_US;
      let toUs = bars.at(-1)?.toUs ?? 1;
      while (us >= toUs) {
        toUs *= 2;
        if (bars.length > 0) bars.push({ fromUs: toUs / 2, toUs, count: 0 });
      }
      if (bars.length === 0) bars.push({ fromUs: toUs === 1 ? 0 : toUs / 2, toUs, count: 0 });
      bars.at(-1)!.count += count;
    }
    return bars;
  }

  /** The buckets that are not empty. */
  #filled(): [index: number, count: number][] {
    const filled: [index: number, count: number][] = [];
    this.#counts.forEach((count, index) => {
      if (count > 0) filled.push([index, count]);
    });
    return filled;
  }

  /** The last nanosecond of the bucket below which this percentage of the durations ends. */
  #atPercentile(percent: number): number {
    // The product may be one unit in the last place above a whole number.
    let left = Math.max(1, Math.ceil((percent / 100) * this.#count * (1 - Number.EPSILON)));
    const index = this.#counts.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    return firstIn(index + 1) - 1;
  }
}

/** The bucket of a duration, in nanoseconds below 2^53. */
function bucketOf(ns: number): number {
  if (ns >= 2 ** 31) {
    const scale = Math.floor(Math.log2(ns)) - LOG_HALF;
    return scale * HALF + Math.floor(ns / 2 ** scale);
  }
  const scale = Math.max(31 - LOG_HALF - Math.clz32(ns), 0);
  return scale * HALF + (ns >> scale);
}

/** The first nanosecond of a bucket. */
function firstIn(index: number): number {
  const scale = Math.max(Math.floor(index / HALF) - 1, 0);
  return (index - scale * HALF) * 2 ** scale;
}
