/** Schedule expressions. */
import {
  checkTimeZone,
  dueTest,
  parseSchedule,
  ScheduleError,
} from '../../../lib/batch/bulk-run/schedule-expression.ts';
import { check, checkSame, documented, type Target } from '../target.ts';

const TIMES = [
  '1970-01-01T00:00:00Z',
  '2024-02-29T02:30:00Z',
  '2026-03-29T01:30:00Z',
  '2026-12-31T23:59:00Z',
];

/** A schedule, and after a line end a time zone. */
export const schedules: Target = {
  name: 'schedules',
  seeds: () => [
    'cron(0 2 * * ? *)\nUTC',
    'cron(*/5 8-18 ? * MON-FRI 2026-2030)\nEurope/Berlin',
    'cron(0 10 L * ? *)',
    'cron(15 10 ? * 6L 2022-2023)',
    'cron(0 0 15W * ? *)',
    'cron(0/15 1,2,3 ? JAN,DEC 2#3 */2)\nAmerica/New_York',
    'rate(12 hours)',
    'rate(1 day)',
    'at(2026-12-24T18:00:00)\nAsia/Kolkata',
    'at(2024-02-30T00:00:00)',
  ],
  tokens: [
    'cron(',
    'rate(',
    'at(',
    ')',
    '*',
    '?',
    'L',
    'W',
    '#',
    '/',
    '-',
    ',',
    'SUN',
    'MON-FRI',
    'JAN',
    'minutes',
    'hours',
    '2026',
    '1970',
    '2199',
    '59',
    '31',
    ' ? ',
    '5L',
    '#5',
    'LW',
  ],
  maxBytes: 200,
  maxWork: { base: 50_000, perByte: 1_000 },
  async run(input) {
    const [text = '', timeZone = 'UTC'] = input.toString().split('\n');
    const isScheduleError = (error: unknown) => error instanceof ScheduleError;
    const zone = (await documented(() => checkTimeZone(timeZone), isScheduleError)).error ? 'UTC' : timeZone;
    const { value: schedule, error } = await documented(() => parseSchedule(text), isScheduleError);
    if (error !== undefined) check(error.message.includes(text), 'the message has the schedule');
    if (schedule === undefined) return;
    checkSame(parseSchedule(text), schedule, 'a schedule is read the same again');
    if (schedule.kind === 'rate')
      check(Number.isSafeInteger(schedule.minutes) && schedule.minutes > 0, 'a rate is positive');
    else
      for (const time of TIMES)
        check(typeof dueTest(schedule, zone)(Date.parse(time)) === 'boolean', 'a schedule is due or not');
  },
};
