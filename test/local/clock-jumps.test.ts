/** The system's time is set while the local stack runs: forward or back, by NTP, by the user, or after a suspension. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LocalSchedule } from '../../lib/local/schedule.ts';
import { systemTimerClock, type TimerClock } from '../../lib/local/timer-clock.ts';
import { ManualClock } from './manual-clock.ts';
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

describe('a schedule', () => {
  /** A clock whose time of day is set, while its timers run on. */
  class JumpingClock implements TimerClock {
    readonly #clock = new ManualClock();
    #aheadMs = 0;

    nowEpochMs(): number {
      return this.#clock.nowEpochMs() + this.#aheadMs;
    }

    after(delayMs: number, run: () => void): () => void {
      return this.#clock.after(delayMs, run);
    }

    advance(byMs: number): void {
      this.#clock.advance(byMs);
    }

    jump(byMs: number): void {
      this.#aheadMs += byMs;
    }
  }

  /** The times for which a schedule fires in `minutes` after a jump 90 seconds after its start at midnight. */
  function firedAfter(byMs: number, expression: string, minutes: number): string[] {
    const clock = new JumpingClock();
    const fired: string[] = [];
    const schedule = new LocalSchedule({ expression, clock, fire: (time) => void fired.push(time) });
    clock.advance(1.5 * MINUTE_MS);
    clock.jump(byMs);
    fired.length = 0;
    clock.advance(minutes * MINUTE_MS);
    schedule.stop();
    return fired;
  }

  test.each(JUMPS)('with a rate fires once for each interval: %s', (_name, byMs) => {
    expect(firedAfter(byMs, 'rate(2 minutes)', 10)).toHaveLength(5);
  });

  test.each([
    ['forward over the time: it fires once, for that time', 29 * MINUTE_MS, ['2026-01-01T00:30:00Z']],
    ['forward over several times: it fires for the last one', 10 * 60 * MINUTE_MS, ['2026-01-01T10:00:00Z']],
    ['forward by a month: it fires only for times of the last day', 30 * DAY_MS, ['2026-01-31T00:00:00Z']],
    ['back by a month: it continues from there', -30 * DAY_MS, ['2025-12-02T00:30:00Z']],
    [
      'back by a minute: it does not fire again for a time that has passed',
      -MINUTE_MS,
      ['2026-01-01T00:30:00Z'],
    ],
  ])('with a cron expression, %s', (_name, byMs, expected) => {
    const fired = firedAfter(byMs, 'cron(0/30 * * * ? *)', 30);
    expect(fired.slice(0, 1)).toEqual(expected);
    expect(fired.length).toBeLessThanOrEqual(2);
  });

  test('does not fire twice if a timer runs early, or the time is set back by seconds', () => {
    const clock = new JumpingClock();
    const fired: string[] = [];
    const fire = (time: string) => void fired.push(time);
    const schedule = new LocalSchedule({ expression: 'cron(* * * * ? *)', clock, fire });
    for (let minute = 0; minute < 10; minute++) {
      clock.advance(MINUTE_MS);
      clock.jump(minute % 2 === 0 ? -300 : 250);
    }
    schedule.stop();
    expect(new Set(fired).size).toBe(fired.length);
    expect(fired.length).toBeGreaterThanOrEqual(9);
  });
});
