/**
 * The delay before the next attempt of a failed message: 10 s, then four times as long each time, at most 15 minutes; up to a
 * fifth less at random, so that messages that fail together are not retried together.
 *
 *     failed attempt       1      2        3        4   5 and later
 *     seconds       8-10  32-40  128-160  512-640       720-900
 */
const FIRST_DELAY_SECONDS = 10;
const GROWTH = 4;
export const MAX_DELAY_SECONDS = 900;
/** The random part of a delay. */
const JITTER = 0.2;

/**
 * The delay before the next attempt, in whole seconds.
 *
 * @param failures failed attempts, from 1
 * @param random gives a random number from 0 (inclusive) to 1 (exclusive)
 */
export function retryDelaySeconds(failures: number, random: () => number): number {
  const longest = Math.min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * GROWTH ** (failures - 1));
  return Math.ceil(longest * (1 - JITTER * random()));
}

/** Receives of a message that always fails immediately during an outage of this length, with the shortest delays. */
export function receivesForOutage(seconds: number): number {
  let receives = 1;
  for (let waited = 0; waited < seconds; receives++) waited += retryDelaySeconds(receives, () => 1);
  return receives;
}
