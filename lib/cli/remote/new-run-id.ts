import { randomBytes } from 'node:crypto';
import { runIdAt } from '../../batch/bulk-run/run-keys.ts';
import { systemClock } from '../../node/system.ts';

/**
 * Makes the id of a run that a user starts, such as `2026-11-21T02-00-00Z-1234762e0`. After the second come the milliseconds,
 * so that the runs of one second are listed in their order, and a random number, which tells those of one millisecond apart.
 */
export function newRunId(): string {
  const time = systemClock.timeOfDay();
  const milliseconds = time.slice(20, 23);
  return runIdAt(time, milliseconds + randomBytes(3).toString('hex'));
}
