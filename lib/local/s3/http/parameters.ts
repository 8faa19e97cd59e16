/** Numbers in the query of a request. */

import { S3Error } from './errors.ts';

/** A parameter that is a whole number from 0 on, or the default where it is not there. @throws S3Error InvalidArgument */
export function integerParameter(
  parameters: ReadonlyMap<string, string>,
  name: string,
  byDefault: number,
): number {
  const text = parameters.get(name);
  if (text === undefined) return byDefault;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new S3Error('InvalidArgument', `Provided ${name} not an integer or within integer range`, {
    fields: { ArgumentName: name, ArgumentValue: text },
  });
}
