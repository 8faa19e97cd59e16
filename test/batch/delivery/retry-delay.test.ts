import { describe, expect, it } from 'vitest';
import { MAX_RECEIVES, TOLERATED_OUTAGE_SECONDS } from '../../../lib/batch/limits.ts';
import { receivesForOutage, retryDelaySeconds } from '../../../lib/batch/retry-delay.ts';

/** Seconds from the first try to the last, for a message that always fails immediately. */
function secondsOfAllTries(random: () => number): number {
  let seconds = 0;
  for (let failures = 1; failures < MAX_RECEIVES; failures++) seconds += retryDelaySeconds(failures, random);
  return seconds;
}

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
