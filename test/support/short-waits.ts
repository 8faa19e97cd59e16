/** Short waits of a local stack in this process. */
import { vi } from 'vitest';
import { systemTimerClock } from '../../lib/local/timer-clock.ts';

/**
 * From now on state machines wait a hundredth of the time; their timeouts, which are longer than ten minutes, stay.
 * `vi.restoreAllMocks` ends it.
 */
export function shortenWaits(): void {
  const { after } = systemTimerClock;
  vi.spyOn(systemTimerClock, 'after').mockImplementation((delayMs, run) =>
    after(delayMs > 600_000 ? delayMs : delayMs / 100, run),
  );
}
