/** Durations, sizes and amounts as short, rounded texts. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats seconds as `0.4 s`, `80 s`, `12 min`, `3.4 h`, `5 days`. */
export function secondsText(seconds: number): string {
  if (seconds < 10) return `${Number(seconds.toPrecision(2))} s`;
  if (seconds < 2 * MINUTE) return `${Math.round(seconds)} s`;
  if (seconds < 2 * HOUR) return `${Math.round(seconds / MINUTE)} min`;
  if (seconds < 2 * DAY) return `${(seconds / HOUR).toFixed(1)} h`;
  return `${Math.round(seconds / DAY)} days`;
}

/** Formats the age of a timestamp in whole seconds or coarser; a future timestamp has age 0. */
export function ageText(time: string, nowMs: number): string {
  return secondsText(Math.max(0, Math.round((nowMs - Date.parse(time)) / 1000)));
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Formats bytes as `817 bytes`, `4.2 kB`, `35 MB`, in units of 1,000 like disks and networks. */
export function bytesText(bytes: number): string {
  let unit = 0;
  let value = bytes;
  // A value that would round to 1,000 is written in the next unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}

/** Formats an amount in dollars: with cents from 1 cent, with two significant digits below, never with an exponent. */
export function dollarsText(dollars: number): string {
  const digits =
    dollars < 0.01 ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `$${dollars.toLocaleString('en-US', digits)}`;
}
