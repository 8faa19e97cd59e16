import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SkippingTimerClock, systemTimerClock, wallTimerClock } from '../../lib/local/timer-clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A clock with three timers; `ended` lists their names and times in the order in which they ran. */
function clockWithTimers() {
  const clock = new SkippingTimerClock();
  const startMs = clock.nowEpochMs();
  const ended: [string, number][] = [];
  const cancels = Object.entries({ long: 5_400_000, short: 8_000, middle: 40_000 }).map(([name, delayMs]) =>
    clock.after(delayMs, () => ended.push([name, clock.nowEpochMs() - startMs])),
  );
  return { clock, ended, cancels, startMs };
}

describe('a clock that can skip', () => {
  it('runs timers at their time when nothing is skipped', () => {
    const { ended } = clockWithTimers();
    vi.advanceTimersByTime(40_000);
    expect(ended).toEqual([
      ['short', 8_000],
      ['middle', 40_000],
    ]);
  });

  it('skips to the next timer, runs each once and in order, and returns false when there is none', () => {
    const { clock, ended } = clockWithTimers();
    expect([clock.skip(), clock.skip(), clock.skip(), clock.skip()]).toEqual([true, true, true, false]);
    expect(ended).toEqual([
      ['short', 8_000],
      ['middle', 40_000],
      ['long', 5_400_000],
    ]);
    vi.advanceTimersByTime(10_000_000);
    expect(ended).toHaveLength(3);
  });

  it('runs the other timers earlier by the skipped time', () => {
    const { clock, ended, startMs } = clockWithTimers();
    vi.advanceTimersByTime(3_000);
    clock.skip();
    expect(clock.nowEpochMs() - startMs).toBe(8_000);
    vi.advanceTimersByTime(31_999);
    expect(ended).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(ended[1]).toEqual(['middle', 40_000]);
  });

  it('neither runs nor skips to a cancelled timer', () => {
    const { clock, ended, cancels } = clockWithTimers();
    for (const cancel of cancels.slice(1)) cancel();
    clock.skip();
    expect(ended).toEqual([['long', 5_400_000]]);
  });
});

const DAY_MS = 86_400_000;

describe.each([
  ['the clock for durations', systemTimerClock],
  ['the clock for times of day', wallTimerClock],
  ['the clock that can skip', new SkippingTimerClock()],
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
