/**
 * Parses the schedule expressions of EventBridge Scheduler, which start bulk runs.
 *
 *     cron(0 2 * * ? *)          minutes hours day-of-month month day-of-week year, in a time zone
 *     rate(12 hours)             repeatedly, after each interval
 *     at(2026-12-24T18:00:00)    once, in a time zone
 *
 * Source: EventBridge Scheduler User Guide, "Schedule types".
 */
import { Cron } from 'croner';

export type ScheduleExpression =
  | { readonly kind: 'rate'; readonly minutes: number }
  /** Local time in the time zone: `2026-12-24T18:00`. */
  | { readonly kind: 'at'; readonly minute: string }
  /** The six fields of the scheduler. */
  | { readonly kind: 'cron'; readonly fields: readonly string[] };

/** An invalid schedule or time zone; the message names the allowed values. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
}

const UNIT_MINUTES: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1440 };

interface FieldRules {
  readonly name: string;
  /** Pattern of one value. */
  readonly value: string;
  /** Pattern of terms other than `*`, values, ranges and steps. */
  readonly special?: string;
  /** The allowed values and characters, for error messages. */
  readonly allowed: string;
}

const FIELDS: readonly FieldRules[] = [
  { name: 'minutes', value: '[0-5]?\\d', allowed: '0-59 , - * /' },
  { name: 'hours', value: '[01]?\\d|2[0-3]', allowed: '0-23 , - * /' },
  {
    name: 'day-of-month',
    value: '0?[1-9]|[12]\\d|3[01]',
    special: '\\?|L|\\d+W',
    allowed: '1-31 , - * / ? L W',
  },
  { name: 'month', value: '0?[1-9]|1[0-2]|[A-Z]{3}', allowed: '1-12 or JAN-DEC , - * /' },
  {
    name: 'day-of-week',
    value: '[1-7]|[A-Z]{3}',
    special: '\\?|L|([1-7]|[A-Z]{3})(L|#[1-5])',
    allowed: '1-7 or SUN-SAT , - * / ? L #',
  },
  { name: 'year', value: '19[7-9]\\d|2[01]\\d\\d', allowed: '1970-2199 , - * /' },
];

/** @throws ScheduleError */
export function parseSchedule(text: string): ScheduleExpression {
  const [, kind, inner = ''] = /^(cron|rate|at)\((.*)\)$/.exec(text) ?? [];
  if (kind === 'rate') return rate(text, inner);
  if (kind === 'at') return at(text, inner);
  if (kind === 'cron') return { kind, fields: cron(text, inner) };
  throw new ScheduleError(
    `the schedule is "${text}": expected cron(0 2 * * ? *), rate(12 hours) or at(2026-12-24T18:00:00)`,
  );
}

/** @throws ScheduleError if it is not a time zone of the IANA database */
export function checkTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone });
    // JavaScript takes offsets such as +01:00, the scheduler does not.
    if (!/^[+-]/.test(timeZone)) return;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new ScheduleError(
    `the time zone is "${timeZone}": expected a name of the IANA time zone database, such as UTC, Europe/Berlin or America/New_York`,
  );
}

/** A test whether a schedule fires in a minute, given any time in it in milliseconds since 1970. */
export function dueTest(
  schedule: Exclude<ScheduleExpression, { readonly kind: 'rate' }>,
  timeZone: string,
): (epochMs: number) => boolean {
  if (schedule.kind === 'cron') {
    const job = cronJob(schedule.fields, timeZone);
    return (epochMs) => job.match(new Date(epochMs));
  }
  // The format of Sweden: 2026-12-24 18:00:00.
  return (epochMs) =>
    schedule.minute ===
    new Date(epochMs).toLocaleString('sv-SE', { timeZone }).slice(0, 16).replace(' ', 'T');
}

function rate(text: string, inner: string): ScheduleExpression {
  const [, value = '', unit = ''] = /^([1-9]\d{0,5}) (minute|hour|day)s?$/.exec(inner) ?? [];
  const unitMinutes = UNIT_MINUTES[unit];
  if (unitMinutes === undefined) {
    throw new ScheduleError(
      `the schedule is "${text}": expected rate(N minutes), rate(N hours) or rate(N days), N a whole number from 1`,
    );
  }
  return { kind: 'rate', minutes: Number(value) * unitMinutes };
}

function at(text: string, inner: string): ScheduleExpression {
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(inner);
  const ms = isTime ? Date.parse(`${inner}Z`) : Number.NaN;
  // Date.parse takes the 31st of a short month as the 1st of the next one.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== inner) {
    throw new ScheduleError(
      `the schedule is "${text}": expected at(yyyy-mm-ddThh:mm:ss), such as at(2026-12-24T18:00:00), in the schedule's time zone`,
    );
  }
  return { kind: 'at', minute: inner.slice(0, 16) };
}

function cron(text: string, inner: string): readonly string[] {
  const fields = inner.split(' ');
  if (fields.length !== FIELDS.length) {
    throw new ScheduleError(
      `the schedule is "${text}": expected cron with six fields (minutes hours day-of-month month day-of-week year), such as cron(0 2 * * ? *); found ${fields.length}`,
    );
  }
  if ((fields[2] === '?') === (fields[4] === '?')) {
    throw new ScheduleError(
      `the schedule is "${text}": expected "?" in either day-of-month or day-of-week, not in both, such as cron(0 2 * * ? *)`,
    );
  }
  for (const [index, { name, allowed }] of FIELDS.entries()) {
    if (isField(fields[index]!, index)) continue;
    throw new ScheduleError(
      `the schedule is "${text}": the field ${name} is "${fields[index]}", expected ${allowed}`,
    );
  }
  return fields;
}

/** Whether a field is valid. The library checks names and the order of ranges, and accepts terms that the scheduler does not. */
function isField(field: string, index: number): boolean {
  const { value, special = '\\*' } = FIELDS[index]!;
  const term = new RegExp(`^(${special}|(\\*|(${value})(-(${value}))?)(/\\d+)?)$`, 'i');
  if (!field.split(',').every((each) => term.test(each))) return false;
  try {
    cronJob(FIELDS.map(() => '*').with(index, field), 'UTC');
    return true;
  } catch {
    return false;
  }
}

/** @throws TypeError or RangeError if a field is invalid */
function cronJob(fields: readonly string[], timezone: string): Cron {
  // The scheduler's L is Saturday, the last day of the week, and its years begin with 1970.
  const weekdays = fields[4]!.replace(/(?<![^,])L(?![^,])/gi, '7');
  const years = fields[5]!.replaceAll('*/', '1970/');
  // The first field is seconds.
  return new Cron(['*', ...fields.slice(0, 4), weekdays, years].join(' '), {
    timezone,
    mode: '7-part',
    // 1 is Sunday; 5/20 counts from 5; a day must match both fields of days, one of which is always `?`.
    alternativeWeekdays: true,
    sloppyRanges: true,
    domAndDow: true,
  });
}
