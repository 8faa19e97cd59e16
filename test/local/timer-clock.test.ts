import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SkippingTimerClock } from '../../lib/local/timer-clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A clock with three delays, the times at which they end, and their names in that order. */
function clockWithDelays() {
  const clock = new SkippingTimerClock();
  const startMs = clock.nowEpochMs();
  const ended: [string, number][] = [];
  const stops = Object.entries({ long: 5_400_000, short: 8_000, middle: 40_000 }).map(([name, delayMs]) =>
    clock.after(delayMs, () => ended.push([name, clock.nowEpochMs() - startMs])),
  );
  return { clock, ended, stops, startMs };
}

describe('a clock that can skip', () => {
  it('runs what is due at its time when nothing is skipped', () => {
    const { ended } = clockWithDelays();
    vi.advanceTimersByTime(40_000);
    expect(ended).toEqual([
      ['short', 8_000],
      ['middle', 40_000],
    ]);
  });

  it('moves on to what is due next, each once and in order, and says when nothing is to come', () => {
    const { clock, ended } = clockWithDelays();
    expect([clock.skip(), clock.skip(), clock.skip(), clock.skip()]).toEqual([true, true, true, false]);
    expect(ended).toEqual([
      ['short', 8_000],
      ['middle', 40_000],
      ['long', 5_400_000],
    ]);
    vi.advanceTimersByTime(10_000_000);
    expect(ended).toHaveLength(3);
  });

  it('ends the other delays earlier by what was skipped', () => {
    const { clock, ended, startMs } = clockWithDelays();
    vi.advanceTimersByTime(3_000);
    clock.skip();
    expect(clock.nowEpochMs() - startMs).toBe(8_000);
    vi.advanceTimersByTime(31_999);
    expect(ended).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(ended[1]).toEqual(['middle', 40_000]);
  });

  it('neither runs nor skips to a delay that was stopped', () => {
    const { clock, ended, stops } = clockWithDelays();
    for (const stop of stops.slice(1)) stop();
    clock.skip();
    expect(ended).toEqual([['long', 5_400_000]]);
  });
});
