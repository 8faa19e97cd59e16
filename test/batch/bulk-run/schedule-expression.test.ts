import { describe, expect, it } from 'vitest';
import {
  checkTimeZone,
  dueTest,
  parseSchedule,
  type ScheduleExpression,
} from '../../../lib/batch/bulk-run/schedule-expression.ts';

type ClockSchedule = Exclude<ScheduleExpression, { kind: 'rate' }>;

const DUE: readonly (readonly [name: string, schedule: string, zone: string, due: string, notDue: string])[] =
  [
    ['every night', 'cron(0 2 * * ? *)', 'UTC', '2026-11-21T02:00:59Z', '2026-11-21T02:01:00Z'],
    ['in a time zone', 'cron(0 2 * * ? *)', 'Europe/Berlin', '2026-07-01T00:00:00Z', '2026-07-01T02:00:00Z'],
    ['in its winter', 'cron(0 2 * * ? *)', 'Europe/Berlin', '2026-12-01T01:00:00Z', '2026-12-01T00:00:00Z'],
    ['with steps', 'cron(5/20 * * * ? *)', 'UTC', '2026-01-01T00:45:00Z', '2026-01-01T00:40:00Z'],
    [
      'with lists and ranges',
      'cron(0,30 8-10 * * ? *)',
      'UTC',
      '2026-01-01T10:30:00Z',
      '2026-01-01T11:00:00Z',
    ],
    ['on working days', 'cron(0 0 ? * MON-FRI *)', 'UTC', '2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z'],
    ['on the last day', 'cron(0 0 L * ? *)', 'UTC', '2028-02-29T00:00:00Z', '2028-02-28T00:00:00Z'],
    ['on the last Friday', 'cron(0 0 ? * 6L *)', 'UTC', '2026-11-27T00:00:00Z', '2026-11-20T00:00:00Z'],
    ['on the second Tuesday', 'cron(0 0 ? * TUE#2 *)', 'UTC', '2026-11-10T00:00:00Z', '2026-11-03T00:00:00Z'],
    [
      'on the working day next to Sunday the 1st',
      'cron(0 0 1W * ? *)',
      'UTC',
      '2026-11-02T00:00:00Z',
      '2026-11-01T00:00:00Z',
    ],
    [
      'in a month by its name',
      'cron(0 0 1 jan ? 2027)',
      'UTC',
      '2027-01-01T00:00:00Z',
      '2026-01-01T00:00:00Z',
    ],
    [
      'on the last day of the week',
      'cron(0 0 ? * L *)',
      'UTC',
      '2026-11-21T00:00:00Z',
      '2026-11-20T00:00:00Z',
    ],
    ['in every sixth year', 'cron(0 0 1 1 ? */6)', 'UTC', '2030-01-01T00:00:00Z', '2028-01-01T00:00:00Z'],
    ['once', 'at(2026-12-24T18:00:00)', 'UTC', '2026-12-24T18:00:30Z', '2026-12-24T18:01:00Z'],
  ];

describe('a schedule', () => {
  for (const [name, text, zone, due, notDue] of DUE) {
    it(`fires ${name}`, () => {
      const schedule = parseSchedule(text) as ClockSchedule;
      expect(dueTest(schedule, zone)(Date.parse(due))).toBe(true);
      expect(dueTest(schedule, zone)(Date.parse(notDue))).toBe(false);
    });
  }

  it('fires repeatedly at a rate', () => {
    expect(parseSchedule('rate(1 minute)')).toEqual({ kind: 'rate', minutes: 1 });
    expect(parseSchedule('rate(12 hours)')).toEqual({ kind: 'rate', minutes: 720 });
    expect(parseSchedule('rate(2 days)')).toEqual({ kind: 'rate', minutes: 2880 });
  });

  it.each([
    ['no expression', 'every night', /expected cron\(0 2 \* \* \? \*\), rate\(12 hours\) or at\(/],
    ['five fields', 'cron(0 2 * * *)', /six fields .* found 5/],
    ['both days', 'cron(0 2 * * * *)', /"\?" in either day-of-month or day-of-week/],
    ['neither day', 'cron(0 2 ? * ? *)', /, not in both/],
    ['a minute too many', 'cron(60 2 * * ? *)', /the field minutes is "60", expected 0-59 , - \* \//],
    ['an unknown month', 'cron(0 2 * FOO ? *)', /the field month is "FOO", expected 1-12 or JAN-DEC/],
    ['a range backwards', 'cron(0 5-2 * * ? *)', /the field hours is "5-2"/],
    ['an eighth weekday', 'cron(0 2 ? * 8 *)', /the field day-of-week is "8"/],
    ['the last working day', 'cron(0 2 LW * ? *)', /the field day-of-month is "LW"/],
    ['an early year', 'cron(0 2 * * ? 1969)', /the field year is "1969", expected 1970-2199/],
    ['any minute', 'cron(? 2 * * ? *)', /the field minutes is "\?"/],
    ['a sixth Friday', 'cron(0 2 ? * 6#6 *)', /the field day-of-week is "6#6"/],
    ['a step of nothing', 'cron(0/0 2 * * ? *)', /the field minutes is "0\/0"/],
    ['an empty term', 'cron(0, 2 * * ? *)', /the field minutes is "0,"/],
    ['a rate of nothing', 'rate(0 minutes)', /N a whole number from 1/],
    ['a rate in weeks', 'rate(1 week)', /rate\(N minutes\), rate\(N hours\) or rate\(N days\)/],
    ['a day that no month has', 'at(2026-02-30T00:00:00)', /expected at\(yyyy-mm-ddThh:mm:ss\)/],
    ['a time with its zone', 'at(2026-02-20T00:00:00Z)', /expected at\(yyyy-mm-ddThh:mm:ss\)/],
  ])('with %s says what is allowed', (_, text, message) => {
    expect(() => parseSchedule(text)).toThrow(message);
  });
});

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/New_York'])('may be %s', (zone) => {
    expect(() => checkTimeZone(zone)).not.toThrow();
  });

  it.each(['', 'Berlin', '+01:00', 'Mars/Olympus'])('may not be "%s"', (zone) => {
    expect(() => checkTimeZone(zone)).toThrow(/IANA time zone database, such as UTC/);
  });
});
