/** How long commands wait for a network. Tests set shorter times. */
import { RETRY_LIMITS, type RetryLimits } from '../../aws/retries.ts';
import { TIMEOUTS, type Timeouts } from '../../aws/timeouts.ts';

export const networkSettings: { timeouts: Timeouts; retries: Omit<RetryLimits, 'forMs'> } = {
  // Commands copy no objects, and may repeat the completion of an upload.
  timeouts: { ...TIMEOUTS, copyMs: TIMEOUTS.idleMs },
  retries: RETRY_LIMITS,
};
