import type { SolutionCount } from '../../exact-cover/solution-count.ts';

/**
 * Pseudo-random numbers that are the same everywhere: integers from a seed, without floating point.
 *
 * The generator is sfc32 ("small fast counting", 32 bits) by Chris Doty-Humphrey, from PractRand 0.9 (public domain),
 * with its seeding: 128 bits of state, a period of at least 2^32 for every seed.
 *
 *     a, b, c     three words that are mixed
 *     counter     one word that only counts, so that no seed enters a short cycle
 */
export class RandomSource {
  private a = 0;
  private b: number;
  private c: number;
  private counter = 1;

  /**
   * @param seed an integer from 0 to 2^53 - 1; neighbouring seeds give unrelated numbers
   * @throws RangeError if it is out of range
   */
  constructor(seed: number) {
    if (!Number.isSafeInteger(seed) || seed < 0) {
      throw new RangeError(`seed ${seed} is out of range: expected an integer from 0 to 2^53 - 1`);
    }
    this.b = seed | 0;
    this.c = Math.floor(seed / 2 ** 32) | 0;
    for (let round = 0; round < 12; round++) this.next();
  }

  /** Returns an integer from 0 to 2^32 - 1. */
  next(): number {
    const { a, b, c, counter } = this;
    const result = (a + b + counter) | 0;
    this.counter = (counter + 1) | 0;
    this.a = b ^ (b >>> 9);
    this.b = (c + (c << 3)) | 0;
    this.c = (((c << 21) | (c >>> 11)) + result) | 0;
    return result >>> 0;
  }

  /** Returns an integer from 0 to `bound` - 1, each with equal probability; `bound` is 1 to 2^32. */
  below(bound: number): number {
    // The remainder of 2^32 modulo `bound` would favour small numbers: numbers in it are drawn again.
    const usable = 2 ** 32 - (2 ** 32 % bound);
    let drawn = this.next();
    while (drawn >= usable) drawn = this.next();
    return drawn % bound;
  }

  /** Returns an integer from 0 to `bound` - 1, each with equal probability; `bound` has any size from 1. */
  belowLarge(bound: SolutionCount): SolutionCount {
    if (bound <= 2 ** 32) return this.below(Number(bound));
    const largest = BigInt(bound) - 1n;
    const bits = largest.toString(2).length;
    // At least every second number of so many bits is small enough.
    for (;;) {
      let drawn = 0n;
      for (let got = 0; got < bits; got += 32) drawn = (drawn << 32n) | BigInt(this.next());
      drawn = BigInt.asUintN(bits, drawn);
      if (drawn <= largest) return drawn <= Number.MAX_SAFE_INTEGER ? Number(drawn) : drawn;
    }
  }

  /** Returns the integers from 0 to `count` - 1 in random order (Fisher and Yates), each order with equal probability. */
  permutation(count: number): Int32Array {
    const order = Int32Array.from({ length: count }, (_, index) => index);
    for (let last = count - 1; last > 0; last--) {
      const other = this.below(last + 1);
      const entry = order[last];
      order[last] = order[other];
      order[other] = entry;
    }
    return order;
  }
}
