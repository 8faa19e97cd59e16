import { CommandError } from '../exit.ts';

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Parses a duration such as `90m` into seconds.
 *
 * @param expected the error's description of a valid value
 * @throws CommandError if it is malformed or not from `min` to `max` seconds
 */
export function readDuration(
  option: string,
  text: string,
  { min, max, expected }: { readonly min: number; readonly max: number; readonly expected: string },
): number {
  const [, number, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (UNIT_SECONDS[unit ?? ''] ?? Number.NaN);
  if (seconds >= min && seconds <= max) return seconds;
  throw new CommandError(`option "--${option}" is "${text}": expected ${expected}`);
}
