import { expect, it } from 'vitest';
import { LocalSchedule } from '../../lib/local/schedule.ts';
import { expectTable } from '../support/text-table.ts';
import { ManualClock } from './manual-clock.ts';

const MINUTE_MS = 60_000;

/** @returns the times for which a schedule fires from midnight until it is stopped, while a clock does this */
function firedWhile(expression: string, timeZone: string | undefined, run: (clock: ManualClock) => void) {
  const clock = new ManualClock();
  const fired: string[] = [];
  const schedule = new LocalSchedule({ expression, timeZone, clock, fire: (time) => void fired.push(time) });
  run(clock);
  schedule.stop();
  clock.advance(1000 * MINUTE_MS);
  return fired;
}

it('schedules fire for the times of schedule.txt', () =>
  expectTable(new URL('schedule.txt', import.meta.url), {
    'the first two of the times for which a schedule fires from the start of 2026, and their number': ({
      expression,
      timeZone,
      minutes,
      setSeconds = 0,
    }) => {
      const fired = firedWhile(expression, timeZone, (clock) => {
        // The time of day is set between two minutes.
        clock.advance(1.5 * MINUTE_MS);
        clock.aheadMs += setSeconds * 1000;
        clock.advance((minutes - 1.5) * MINUTE_MS);
      });
      return [...fired.slice(0, 2), String(fired.length)];
    },
  }));

it('a schedule does not fire twice if a timer runs early, or the time is set back by seconds', () => {
  const fired = firedWhile('cron(* * * * ? *)', undefined, (clock) => {
    for (let minute = 0; minute < 10; minute++) {
      clock.advance(MINUTE_MS);
      clock.aheadMs += minute % 2 === 0 ? -300 : 250;
    }
  });
  expect(new Set(fired).size).toBe(fired.length);
  expect(fired.length).toBeGreaterThanOrEqual(9);
});
