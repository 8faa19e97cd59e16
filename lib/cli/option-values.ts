/** Reads the values of options, which commander passes on as text. */
import { JobLimitError, type JobLimits, parseJobLimits } from '../batch/job-limits.ts';
import { JOB_LIMIT_NAMES } from '../batch/limits.ts';
import { OPTION_NAMES, type OptionTexts, parseOptions, type SolveOptions } from '../batch/options.ts';
import { CommandError } from './exit.ts';

/** The values of a command's options, by the names that commander gives them. */
export type Flags = Readonly<Record<string, unknown>>;

/** The options of a job among a command's flags, under their names in object metadata. */
export function optionTextsFromFlags(flags: Flags): OptionTexts {
  return textsOf(OPTION_NAMES, flags);
}

/** @throws CommandError that names each invalid option */
export function readSolveOptions(texts: OptionTexts): SolveOptions {
  const parsed = parseOptions(texts);
  if ('options' in parsed) return parsed.options;
  throw new CommandError(parsed.errors.map(({ message }) => asFlag(message)).join('; '));
}

/** The limits that a command's flags set. @throws CommandError that names the invalid flag */
export function readJobLimits(flags: Flags): JobLimits {
  return checkedLimits(textsOf([...JOB_LIMIT_NAMES, 'max-nodes'], flags));
}

/** @throws CommandError that names the invalid limit */
export function checkedLimits(texts: OptionTexts): JobLimits {
  try {
    return parseJobLimits(texts);
  } catch (error) {
    if (!(error instanceof JobLimitError)) throw error;
    throw new CommandError(asFlag(error.message));
  }
}

function asFlag(message: string): string {
  return message.replace('option "', 'option "--');
}

/** The options with these names that are given; a switch is `true`. */
function textsOf(names: readonly string[], flags: Flags): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name of names) {
    // Commander stores `max-nodes` as `maxNodes`.
    const value = flags[name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    if (value !== undefined) texts[name] = String(value);
  }
  return texts;
}

/**
 * Parses the value of a numeric flag.
 *
 * @param name of the flag, without dashes
 * @throws CommandError if the text is not a whole number from `min` to `max`
 */
export function readWholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d{1,16}$/.test(text) && value >= min && value <= max) return value;
  throw new CommandError(`option "--${name}" is "${text}": expected a whole number from ${min} to ${max}`);
}

/** The value of a flag that is one of some names. @throws CommandError if it is none of them */
export function readChoice<Name extends string>(flag: string, text: string, names: readonly Name[]): Name {
  const known = names.find((name) => name === text);
  if (known !== undefined) return known;
  throw new CommandError(`option "--${flag}" is "${text}": expected one of ${names.join(', ')}`);
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Parses a duration such as `90m` into seconds.
 *
 * @throws CommandError if it is malformed or not from `min` to `max` seconds, which `expected` describes
 */
export function readDuration(
  name: string,
  text: string,
  { min, max, expected }: { readonly min: number; readonly max: number; readonly expected: string },
): number {
  const [, number, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (UNIT_SECONDS[unit ?? ''] ?? Number.NaN);
  if (seconds >= min && seconds <= max) return seconds;
  throw new CommandError(`option "--${name}" is "${text}": expected ${expected}`);
}
