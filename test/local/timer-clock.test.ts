import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemTimerClock, wallTimerClock } from '../../lib/local/timer-clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const DAY_MS = 86_400_000;

describe.each([
  ['the clock for durations', systemTimerClock],
  ['the clock for times of day', wallTimerClock],
])('a delay of more days than setTimeout takes, by %s', (_name, clock) => {
  it.each([24, 25, 60])('ends after %d days', (days) => {
    let ended = 0;
    clock.after(days * DAY_MS, () => ended++);
    vi.advanceTimersByTime(days * DAY_MS - 1);
    expect(ended).toBe(0);
    vi.advanceTimersByTime(1);
    expect(ended).toBe(1);
  });

  it('can be cancelled at any time', () => {
    let ended = 0;
    const cancel = clock.after(60 * DAY_MS, () => ended++);
    vi.advanceTimersByTime(59 * DAY_MS);
    cancel();
    vi.advanceTimersByTime(10 * DAY_MS);
    expect(ended).toBe(0);
  });
});
