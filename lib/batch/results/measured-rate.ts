import type { JobStats } from './statistics.ts';

/** In less time, a rate is that of the start of the program. */
export const MIN_RATE_MS = 1000;

/** The rate to show; undefined after less than a second of solving. */
export function measuredRate({ timing }: Pick<JobStats, 'timing'>): number | undefined {
  const { wallMs, solveMs, puzzlesPerSecond } = timing;
  return Math.min(wallMs, solveMs) < MIN_RATE_MS ? undefined : puzzlesPerSecond;
}
