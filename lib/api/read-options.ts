/** Checks the options that a caller passes: unknown names and invalid values throw. */
import { DlxBatchError } from './errors.ts';

/** Returns the value to use. @throws DlxBatchError `bad_option` if the value is invalid */
export type OptionReader<T> = (value: unknown, name: string) => T;

/** The values that the readers of a table return; an option that is absent has its default. */
export type Values<Readers> = {
  [Name in keyof Readers]: Readers[Name] extends OptionReader<infer T> ? T : never;
};

/**
 * Reads options by a table of readers.
 *
 * @param options what the caller passed; `undefined` values count as absent
 * @param readers a reader for each name; it receives `undefined` for an absent option
 * @throws DlxBatchError `bad_argument` if the options are not an object, `bad_option` for an unknown name or a bad value
 */
export function readOptions<Readers extends Readonly<Record<string, OptionReader<unknown>>>>(
  options: unknown,
  readers: Readers,
): Values<Readers> {
  if (!isPlainObject(options)) {
    throw new DlxBatchError('bad_argument', `options are ${shown(options)}: expected an object`);
  }
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(readers, name)) continue;
    const known = Object.keys(readers).join(', ');
    throw new DlxBatchError('bad_option', `option "${name}" is unknown: expected one of ${known}`);
  }
  return Object.fromEntries(
    Object.entries(readers).map(([name, read]) => [name, read(options[name], name)]),
  ) as Values<Readers>;
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value of a list. @param otherwise its default, if it has one */
export function oneOf<T extends string, Otherwise extends T | undefined = undefined>(
  values: readonly T[],
  otherwise?: Otherwise,
): OptionReader<T | Otherwise> {
  return (value, name) => {
    if (value === undefined) return otherwise as Otherwise;
    if (values.includes(value as T)) return value as T;
    throw badOption(name, value, `one of ${values.join(', ')}`);
  };
}

/** A whole number from `min` to `max`; Infinity too if that is the maximum. @param otherwise its default, if it has one */
export function whole<Otherwise extends number | undefined = undefined>(
  min: number,
  max: number,
  otherwise?: Otherwise,
): OptionReader<number | Otherwise> {
  return (value, name) => {
    if (value === undefined) return otherwise as Otherwise;
    const fits = typeof value === 'number' && value >= min && value <= max;
    if (fits && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY)) return value;
    const range = max === Number.POSITIVE_INFINITY ? `${min} up, or Infinity` : `${min} to ${max}`;
    throw badOption(name, value, `a whole number from ${range}`);
  };
}

/** A number above 0, or Infinity, which is the default. */
export const milliseconds: OptionReader<number> = (value = Number.POSITIVE_INFINITY, name) => {
  if (typeof value === 'number' && value > 0) return value;
  throw badOption(name, value, 'a number of milliseconds above 0');
};

export const flag =
  (otherwise: boolean): OptionReader<boolean> =>
  (value = otherwise, name) => {
    if (typeof value === 'boolean') return value;
    throw badOption(name, value, 'true or false');
  };

export const text: OptionReader<string | undefined> = (value, name) => {
  if (value === undefined || typeof value === 'string') return value;
  throw badOption(name, value, 'a string');
};

export const abortSignal: OptionReader<AbortSignal | undefined> = (value, name) => {
  if (value === undefined) return undefined;
  // A signal may come from another realm, such as a frame.
  if (typeof value === 'object' && value !== null && 'throwIfAborted' in value) return value as AbortSignal;
  throw badOption(name, value, 'an AbortSignal');
};

export function badOption(name: string, value: unknown, expected: string): DlxBatchError {
  return new DlxBatchError('bad_option', `option "${name}" is ${shown(value)}: expected ${expected}`);
}

/** A value in a message, in at most a few words. */
export function shown(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}
