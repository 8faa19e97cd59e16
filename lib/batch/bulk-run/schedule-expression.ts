/**
 * Parses the schedule expressions of EventBridge Scheduler, which start bulk runs.
 *
 *     cron(0 2 * * ? *)          minutes hours day-of-month month day-of-week year, in a time zone
 *     rate(12 hours)             repeatedly, after each interval
 *     at(2026-12-24T18:00:00)    once, in a time zone
 *
 * Source: EventBridge Scheduler User Guide, "Schedule types".
 */

export type ScheduleExpression =
  | { readonly kind: 'rate'; readonly minutes: number }
  /** Local time in the time zone: `2026-12-24T18:00`. */
  | { readonly kind: 'at'; readonly minute: string }
  | { readonly kind: 'cron'; readonly fields: CronFields };

interface LocalTime {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** Whether a field matches its value in a local time. */
type Test = (value: number, time: LocalTime) => boolean;
type CronFields = Readonly<Record<CronFieldName, readonly Test[]>>;
type CronFieldName = 'minutes' | 'hours' | 'day-of-month' | 'month' | 'day-of-week' | 'year';

/** An invalid schedule or time zone; the message names the allowed values. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
}

const UNIT_MINUTES: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1440 };
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

interface FieldRules {
  readonly name: CronFieldName;
  readonly min: number;
  readonly max: number;
  /** Names of `min`, `min` + 1 and so on. */
  readonly words?: readonly string[];
  /** The allowed values and characters, for error messages. */
  readonly allowed: string;
}

const FIELDS: readonly FieldRules[] = [
  { name: 'minutes', min: 0, max: 59, allowed: '0-59 , - * /' },
  { name: 'hours', min: 0, max: 23, allowed: '0-23 , - * /' },
  { name: 'day-of-month', min: 1, max: 31, allowed: '1-31 , - * / ? L W' },
  { name: 'month', min: 1, max: 12, words: MONTHS, allowed: '1-12 or JAN-DEC , - * /' },
  { name: 'day-of-week', min: 1, max: 7, words: WEEKDAYS, allowed: '1-7 or SUN-SAT , - * / ? L #' },
  { name: 'year', min: 1970, max: 2199, allowed: '1970-2199 , - * /' },
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

/** Whether a schedule fires in a minute. @param epochMs any time in the minute */
export function isDue(
  schedule: Exclude<ScheduleExpression, { readonly kind: 'rate' }>,
  epochMs: number,
  timeZone: string,
): boolean {
  const time = localTime(epochMs, timeZone);
  if (schedule.kind === 'at') {
    const { year, month, day, hour, minute } = time;
    const two = (value: number) => String(value).padStart(2, '0');
    return schedule.minute === `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`;
  }
  const { fields } = schedule;
  const fires = (name: CronFieldName, value: number) => fields[name].some((test) => test(value, time));
  return (
    fires('minutes', time.minute) &&
    fires('hours', time.hour) &&
    fires('day-of-month', time.day) &&
    fires('month', time.month) &&
    fires('day-of-week', weekday(time.year, time.month, time.day)) &&
    fires('year', time.year)
  );
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

function cron(text: string, inner: string): CronFields {
  const parts = inner.split(' ');
  if (parts.length !== FIELDS.length) {
    throw new ScheduleError(
      `the schedule is "${text}": expected cron with six fields (minutes hours day-of-month month day-of-week year), such as cron(0 2 * * ? *); found ${parts.length}`,
    );
  }
  if ((parts[2] === '?') === (parts[4] === '?')) {
    throw new ScheduleError(
      `the schedule is "${text}": expected "?" in either day-of-month or day-of-week, not in both, such as cron(0 2 * * ? *)`,
    );
  }
  const read = FIELDS.map((rules, index) => {
    const part = parts[index]!;
    const tests = part.split(',').map((term) => fieldTest(term.toUpperCase(), rules));
    if (tests.some((test) => test === undefined)) {
      throw new ScheduleError(
        `the schedule is "${text}": the field ${rules.name} is "${part}", expected ${rules.allowed}`,
      );
    }
    return [rules.name, tests] as const;
  });
  return Object.fromEntries(read) as unknown as CronFields;
}

/** @returns undefined if the term is invalid */
function fieldTest(term: string, rules: FieldRules): Test | undefined {
  if (rules.name === 'day-of-month' || rules.name === 'day-of-week') {
    const special = term === '?' ? () => true : dayTest(term, rules);
    if (special !== undefined) return special;
  }
  const [, range = '', step] = /^([^/]+)(?:\/([1-9]\d{0,3}))?$/.exec(term) ?? [];
  const [, first = '', last] = /^([^-]+)(?:-([^-]+))?$/.exec(range) ?? [];
  const from = range === '*' ? rules.min : fieldValue(first, rules);
  const to =
    range === '*' || (step !== undefined && last === undefined)
      ? rules.max
      : fieldValue(last ?? first, rules);
  if (from === undefined || to === undefined || from > to) return undefined;
  const every = Number(step ?? 1);
  return (value) => value >= from && value <= to && (value - from) % every === 0;
}

/** Days that depend on the month: the last day, the working day nearest to a day, the last or the nth of a weekday. */
function dayTest(term: string, rules: FieldRules): Test | undefined {
  if (rules.name === 'day-of-month') {
    if (term === 'L') return (day, { year, month }) => day === daysIn(year, month);
    const [, nearest] = /^(\d{1,2})W$/.exec(term) ?? [];
    const target = nearest === undefined ? undefined : fieldValue(nearest, rules);
    return target === undefined
      ? undefined
      : (day, { year, month }) => day === workingDayNear(year, month, target);
  }
  if (term === 'L') return (value) => value === rules.max;
  const [, name = '', nth] = /^(\w+?)(?:L|#([1-5]))$/.exec(term) ?? [];
  const wanted = fieldValue(name, rules);
  if (wanted === undefined) return undefined;
  return (value, { year, month, day }) =>
    value === wanted &&
    (nth === undefined ? day + 7 > daysIn(year, month) : Math.ceil(day / 7) === Number(nth));
}

function fieldValue(text: string, { min, max, words = [] }: FieldRules): number | undefined {
  const word = words.indexOf(text);
  if (word >= 0) return min + word;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** 1 for Sunday to 7 for Saturday. */
function weekday(year: number, month: number, day: number): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1;
}

/** Monday to Friday, in the same month. */
function workingDayNear(year: number, month: number, target: number): number {
  const last = daysIn(year, month);
  const day = Math.min(target, last);
  const name = weekday(year, month, day);
  if (name === 7) return day > 1 ? day - 1 : day + 2;
  if (name === 1) return day < last ? day + 1 : day - 2;
  return day;
}

function localTime(epochMs: number, timeZone: string): LocalTime {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(new Date(epochMs));
  return Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)])) as unknown as LocalTime;
}
