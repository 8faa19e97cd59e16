/**
 * How long a failed message stays hidden before its next try: 10 s, then four times as long each time, at most
 * 15 minutes; less up to a fifth at random, so that messages that fail together do not return together.
 *
 *     failed try       1      2        3        4   5 and later
 *     seconds       8-10  32-40  128-160  512-640       720-900
 */
import type { RandomFraction } from '../ports.ts';

const FIRST_DELAY_SECONDS = 10;
const GROWTH = 4;
export const MAX_DELAY_SECONDS = 900;
/** The random part of a delay. */
const JITTER = 0.2;

/**
 * The delay before the next try, in whole seconds.
 *
 * @param failures tries that failed, from 1
 */
export function retryDelaySeconds(failures: number, random: RandomFraction): number {
  const longest = Math.min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * GROWTH ** (failures - 1));
  return Math.ceil(longest * (1 - JITTER * random()));
}

/** Receives after which a message that failed at once each time, with the shortest delays, has been tried this long. */
export function receivesForOutage(seconds: number): number {
  let receives = 1;
  for (let waited = 0; waited < seconds; receives++) waited += retryDelaySeconds(receives, () => 1);
  return receives;
}
