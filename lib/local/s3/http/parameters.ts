/** Numeric query parameters. */

import { S3Error } from './errors.ts';

/** A non-negative integer parameter, or the default if it is missing. @throws S3Error InvalidArgument */
export function integerParameter(
  parameters: ReadonlyMap<string, string>,
  name: string,
  defaultValue: number,
): number {
  const text = parameters.get(name);
  if (text === undefined) return defaultValue;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new S3Error('InvalidArgument', `Provided ${name} not an integer or within integer range`, {
    fields: { ArgumentName: name, ArgumentValue: text },
  });
}
