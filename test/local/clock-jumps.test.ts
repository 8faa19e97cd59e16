/**
 * The system's time is set while the local stack runs: forward or back, by NTP, by the user, or after a suspension. (What
 * schedules do then: `schedule.txt`.)
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemTimerClock } from '../../lib/local/timer-clock.ts';
import { testQueue } from './test-queue.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const JUMPS = [
  ['back by a second', -1000],
  ['forward by an hour', 60 * MINUTE_MS],
  ['back by an hour', -60 * MINUTE_MS],
  ['forward by a month', 30 * DAY_MS],
  ['back by a month', -30 * DAY_MS],
] as const;

describe('after the time is set', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Sets the time of day; timers and the monotonic clock do not notice. */
  const jump = (byMs: number) => vi.setSystemTime(Date.now() + byMs);

  test.each(JUMPS)('%s, a message becomes visible after its visibility timeout', (_name, byMs) => {
    const { queue } = testQueue({ clock: systemTimerClock });
    queue.send('a');
    const [first] = queue.receive(1);
    vi.advanceTimersByTime(500);
    jump(byMs);
    expect(queue.changeVisibility(first!.receiptHandle, 1000)).toBe(true);
    vi.advanceTimersByTime(999);
    expect(queue.receive(1)).toEqual([]);
    vi.advanceTimersByTime(2);
    const [second] = queue.receive(1);
    expect(second!.attributes.SentTimestamp).toMatch(/^\d+$/);
    const sent = Number(second!.attributes.SentTimestamp);
    expect(Number(first!.attributes.ApproximateFirstReceiveTimestamp) - sent).toBeLessThan(1000);
    queue.close();
  });

  test.each(JUMPS)('%s, the clock for durations advances by the time that passes', (_name, byMs) => {
    const before = systemTimerClock.nowEpochMs();
    vi.advanceTimersByTime(5000);
    jump(byMs);
    expect(Math.abs(systemTimerClock.nowEpochMs() - before - 5000)).toBeLessThanOrEqual(1);
    expect(Number.isInteger(before)).toBe(true);
  });
});
