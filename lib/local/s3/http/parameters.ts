/** Numeric query parameters. */

import { invalidArgument } from './errors.ts';

/** A non-negative integer parameter, or the default if it is missing. @throws S3Error InvalidArgument */
export function integerParameter(
  parameters: ReadonlyMap<string, string>,
  name: string,
  defaultValue: number,
): number {
  const text = parameters.get(name);
  if (text === undefined) return defaultValue;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw invalidArgument(`Provided ${name} not an integer or within integer range`, name, text);
}
