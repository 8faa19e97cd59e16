/** How long commands wait for a network. Tests set shorter times. */
import { RETRY_LIMITS, type RetryLimits } from '../../aws/retries.ts';
import { TIMEOUTS, type Timeouts } from '../../aws/timeouts.ts';

export const networkSettings: { timeouts: Timeouts; retries: Omit<RetryLimits, 'forMs'> } = {
  timeouts: TIMEOUTS,
  retries: RETRY_LIMITS,
};
