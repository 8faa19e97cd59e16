/** Lengths of time and amounts of data in words, coarse enough to be read at a glance. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Seconds as `0.4 s`, `80 s`, `12 min`, `3.4 h`, `5 days`. */
export function secondsText(seconds: number): string {
  if (seconds < 10) return `${Number(seconds.toPrecision(2))} s`;
  if (seconds < 2 * MINUTE) return `${Math.round(seconds)} s`;
  if (seconds < 2 * HOUR) return `${Math.round(seconds / MINUTE)} min`;
  if (seconds < 2 * DAY) return `${(seconds / HOUR).toFixed(1)} h`;
  return `${Math.round(seconds / DAY)} days`;
}

/** How long ago a time of day was, in whole seconds and coarser; nothing is ever in the future. */
export function ageText(time: string, nowMs: number): string {
  return secondsText(Math.max(0, Math.round((nowMs - Date.parse(time)) / 1000)));
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Bytes as `817 bytes`, `4.2 kB`, `35 MB`: units of a thousand, as disks and networks have them. */
export function bytesText(bytes: number): string {
  let unit = 0;
  let value = bytes;
  // What would round to a thousand is one of the next unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}
