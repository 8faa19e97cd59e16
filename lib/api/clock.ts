import type { Clock } from '../batch/ports.ts';

/** The clock of every environment. */
export const clock: Clock = {
  monotonicMs: () => performance.now(),
  timeOfDay: () => new Date().toISOString(),
};
