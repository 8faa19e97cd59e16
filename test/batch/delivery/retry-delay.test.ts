import { describe, expect, it } from 'vitest';
import { MAX_RECEIVES, TOLERATED_OUTAGE_SECONDS } from '../../../lib/batch/limits.ts';
import { receivesForOutage, retryDelaySeconds } from '../../../lib/batch/retry-delay.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);

/** Fractions from 0 (inclusive) to 1 (exclusive). */
function fractions(seed: number): () => number {
  const source = new RandomSource(seed);
  return () => source.next() / 2 ** 32;
}

/** Seconds from the first try to the last, for a message that always fails immediately. */
function secondsOfAllTries(random: () => number): number {
  let seconds = 0;
  for (let failures = 1; failures < MAX_RECEIVES; failures++) seconds += retryDelaySeconds(failures, random);
  return seconds;
}

describe('the delay before the next try', () => {
  it.each([
    [1, 8, 10],
    [2, 32, 40],
    [3, 128, 160],
    [4, 512, 640],
    [5, 720, 900],
    [6, 720, 900],
    [1_000, 720, 900],
  ])('after %i failed tries is from %i to %i whole seconds', (failures, shortest, longest) => {
    expect(retryDelaySeconds(failures, () => 0)).toBe(longest);
    expect(retryDelaySeconds(failures, () => 1)).toBe(shortest);
    for (const seed of SEEDS) {
      const seconds = retryDelaySeconds(failures, fractions(seed));
      expect(Number.isInteger(seconds)).toBe(true);
      expect(seconds).toBeGreaterThanOrEqual(shortest);
      expect(seconds).toBeLessThanOrEqual(longest);
    }
  });

  it('differs between messages that fail together', () => {
    const delays = new Set(SEEDS.map((seed) => retryDelaySeconds(5, fractions(seed))));
    expect(delays.size).toBeGreaterThan(100);
  });
});

describe('the number of receives', () => {
  it('tolerates an outage of four hours with the shortest delays; one receive less does not', () => {
    expect(TOLERATED_OUTAGE_SECONDS).toBe(14_400);
    // The first four delays, and then delays of 720 s.
    const delays = 4 + Math.ceil((14_400 - (8 + 32 + 128 + 512)) / 720);
    expect(MAX_RECEIVES).toBe(delays + 1);
    // The number in ARCHITECTURE.md.
    expect(MAX_RECEIVES).toBe(25);
    const shortest = secondsOfAllTries(() => 1);
    expect(shortest).toBeGreaterThanOrEqual(14_400);
    expect(shortest - 720).toBeLessThan(14_400);
  });

  it('tolerates an outage of four hours with random delays', () => {
    const totals = SEEDS.map((seed) => secondsOfAllTries(fractions(seed)));
    expect(Math.min(...totals)).toBeGreaterThanOrEqual(TOLERATED_OUTAGE_SECONDS);
    expect(new Set(totals).size).toBeGreaterThan(100);
  });

  it.each([
    [0, 1],
    [1, 2],
    [8, 2],
    [9, 3],
    [40, 3],
    [41, 4],
  ])('for an outage of %i seconds is %i', (seconds, receives) => {
    expect(receivesForOutage(seconds)).toBe(receives);
  });
});
