/**
 * Durations of one kind, in a histogram that merges: percentiles within 0.1 %, count, minimum, maximum, mean and
 * standard deviation exact (to floating point), in memory that does not grow.
 *
 * The buckets are those of HdrHistogram, in nanoseconds, with three significant digits.
 */

// The package's index also loads codecs and WebAssembly that are not used here: 100 ms of a cold start.
import hdr from 'hdr-histogram-js/dist/Float64Histogram.js';

type Buckets = InstanceType<typeof hdr.default>;

const NS_PER_US = 1000;
const SIGNIFICANT_DIGITS = 3;

/** Durations in microseconds, with up to three decimals. */
export interface DurationSummary {
  readonly min: number;
  readonly mean: number;
  readonly stddev: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** Durations of at least `fromUs` and below `toUs` microseconds. */
export interface DurationBar {
  readonly fromUs: number;
  readonly toUs: number;
  readonly count: number;
}

export class DurationHistogram {
  readonly #buckets: Buckets;
  #count = 0;
  #minUs = Number.POSITIVE_INFINITY;
  #maxUs = 0;
  #meanUs = 0;
  /** Sum of squared differences from the mean (Welford); merges after Chan, Golub and LeVeque. */
  #squaresUs = 0;

  constructor() {
    this.#buckets = new hdr.default(1, Number.MAX_SAFE_INTEGER, SIGNIFICANT_DIGITS);
  }

  get count(): number {
    return this.#count;
  }

  /** Adds one duration in microseconds, 0 or more. */
  add(us: number): void {
    this.#count++;
    if (us < this.#minUs) this.#minUs = us;
    if (us > this.#maxUs) this.#maxUs = us;
    const difference = us - this.#meanUs;
    this.#meanUs += difference / this.#count;
    this.#squaresUs += difference * (us - this.#meanUs);
    this.#buckets.recordValue(Math.round(us * NS_PER_US));
  }

  /** Adds all of another's durations; the other stays as it is. */
  merge(other: DurationHistogram): void {
    if (other.#count === 0) return;
    const count = this.#count + other.#count;
    const difference = other.#meanUs - this.#meanUs;
    this.#squaresUs += other.#squaresUs + (difference * difference * this.#count * other.#count) / count;
    this.#meanUs += (difference * other.#count) / count;
    this.#count = count;
    this.#minUs = Math.min(this.#minUs, other.#minUs);
    this.#maxUs = Math.max(this.#maxUs, other.#maxUs);
    this.#buckets.add(other.#buckets);
  }

  /** Undefined where nothing was added. The standard deviation is that of the whole, not of a sample. */
  summary(): DurationSummary | undefined {
    if (this.#count === 0) return undefined;
    const percentile = (percent: number) => {
      const us = this.#buckets.getValueAtPercentile(percent) / NS_PER_US;
      return rounded(Math.min(Math.max(us, this.#minUs), this.#maxUs));
    };
    return {
      min: rounded(this.#minUs),
      mean: rounded(this.#meanUs),
      stddev: rounded(Math.sqrt(this.#squaresUs / this.#count)),
      p50: percentile(50),
      p90: percentile(90),
      p95: percentile(95),
      p99: percentile(99),
      p999: percentile(99.9),
      max: rounded(this.#maxUs),
    };
  }

  /** Bars of a histogram whose bounds double, from the first that holds something to the last. */
  bars(): DurationBar[] {
    const bars: { fromUs: number; toUs: number; count: number }[] = [];
    let toUs = 1;
    for (let index = 0; index < this.#buckets.countsArrayLength; index++) {
      const count = this.#buckets.getCountAtIndex(index);
      if (count === 0) continue;
      const us = this.#buckets.valueFromIndex(index) / NS_PER_US;
      while (us >= toUs) {
        toUs *= 2;
        if (bars.length > 0) bars.push({ fromUs: toUs / 2, toUs, count: 0 });
      }
      if (bars.length === 0) bars.push({ fromUs: toUs === 1 ? 0 : toUs / 2, toUs, count: 0 });
      bars[bars.length - 1]!.count += count;
    }
    return bars;
  }
}

function rounded(us: number): number {
  return Math.round(us * 1000) / 1000;
}
