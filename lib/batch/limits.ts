/** Limits that the stack and the functions share; each with its unit and what binds it. */
import { receivesForOutage } from './delivery/retry-delay.ts';

/** Search nodes for one puzzle where nobody sets another budget. */
export const DEFAULT_MAX_NODES = 50_000_000;

/** How long one invocation may take: Lambda's own maximum. */
export const DEFAULT_TIMEOUT_SECONDS = 900;

/** The function stops between puzzles when less than this is left: time to close files and commit. */
export const DEADLINE_RESERVE_MS = 20_000;

/** What is kept of the time at hand: that much, or a fifth where there is little. */
export function deadlineReserveMs(timeMs: number, reserveMs = DEADLINE_RESERVE_MS): number {
  return Math.min(reserveMs, timeMs / 5);
}

/** Memory in MiB for which Lambda gives one full vCPU. */
export const MB_PER_VCPU = 1769;

/** Memory of a function in MiB: one vCPU. */
export const DEFAULT_MEMORY_MB = MB_PER_VCPU;

/** A file that would take one function longer than this is parted among many, and done sooner. */
export const LARGE_JOB_SECONDS = 60;

/**
 * Messages for one invocation. One file may take nearly the whole timeout; a second message behind it would lose its
 * receives without ever being tried, and end in the dead-letter queue.
 */
export const BATCH_SIZE = 1;

/** Trouble that ends before this costs no message: the shortest delays between its tries add up to it. */
export const TOLERATED_OUTAGE_SECONDS = 4 * 3600;

/** Times a message is received before it goes to the dead-letter queue. */
export const MAX_RECEIVES = receivesForOutage(TOLERATED_OUTAGE_SECONDS);

/** The failed try of a message that sets off an alarm; earlier ones are transient in most cases. */
export const ALARM_FAILURE_COUNT = 3;

/** The queue hides a message for so many function timeouts, as AWS asks of an SQS trigger. */
export const VISIBILITY_TIMEOUT_FACTOR = 6;

/** A version under `inbox/` that is younger is left to its event: a message of it may still wait to be solved. */
export const DEFAULT_GRACE_MINUTES = 120;

/** A compressed file may unpack to at most so many times its size, past the first 64 MiB. */
export const MAX_UNPACK_RATIO = 1000;
/** Unpacked bytes below which no ratio is looked at. */
export const MIN_RATIO_CHECK_BYTES = 64 * 1024 * 1024;

/** Longest input key, in UTF-8 bytes, that result keys carry whole. */
export const MAX_RESULT_KEY_BYTES = 800;
