import { describe, expect, it } from 'vitest';
import { LocalSchedule } from '../../lib/local/schedule.ts';
import { ManualClock } from './manual-clock.ts';

const MINUTE_MS = 60_000;

/** The times for which a schedule fired in the given minutes from 2026-01-01T00:00:00Z. */
function firedIn(minutes: number, expression: string, timeZone?: string): string[] {
  const clock = new ManualClock();
  const fired: string[] = [];
  const schedule = new LocalSchedule({ expression, timeZone, clock, fire: (time) => void fired.push(time) });
  clock.advance(minutes * MINUTE_MS);
  schedule.stop();
  clock.advance(1000 * MINUTE_MS);
  return fired;
}

describe('the local schedule', () => {
  it('fires at a rate, first after one interval, until it is stopped', () => {
    expect(firedIn(5, 'rate(2 minutes)')).toEqual(['2026-01-01T00:02:00Z', '2026-01-01T00:04:00Z']);
  });

  it('fires in the minutes of a cron expression, in its time zone', () => {
    const expected = ['2026-01-01T00:30:00Z', '2026-01-01T01:00:00Z'];
    expect(firedIn(75, 'cron(0/30 1,2 * * ? *)', 'Europe/Berlin')).toEqual(expected);
  });

  it('fires once for an at expression', () => {
    expect(firedIn(90, 'at(2026-01-01T01:00:00)')).toEqual(['2026-01-01T01:00:00Z']);
  });

  it('waits longer than a timer can', () => {
    expect(firedIn(61 * 1440, 'rate(30 days)')).toEqual(['2026-01-31T00:00:00Z', '2026-03-02T00:00:00Z']);
  });
});
