/** An HTTP request as S3 reads it: the bucket in the path or in the host, the key decoded and otherwise unchanged. */

import { S3Error } from './errors.ts';

/** Maximum length of a key, in UTF-8 bytes, inclusive. */
export const MAX_KEY_BYTES = 1024;

/** One request, without its body. */
export interface S3Request {
  readonly method: string;
  /** The raw path, without the query. */
  readonly rawPath: string;
  /** From the host, or the first segment of the path; `undefined` for the service itself. */
  readonly bucket: string | undefined;
  /** Everything after the slash that follows the bucket, with `..` and `//` unchanged; `undefined` for a bucket or the service. */
  readonly key: string | undefined;
  /** All query parameters in order, decoded, as the signature covers them. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The parameters of the operation, without those of a presigned URL. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Names in lower case; as in S3, a presigned URL's `x-amz-*` parameters count as headers. */
  readonly headers: ReadonlyMap<string, string>;
  /** The headers that were sent as headers, which a signature can cover. */
  readonly sentHeaders: ReadonlyMap<string, string>;
}

/** Parameters of a presigned URL's signature. */
const PRESIGN_PARAMETERS = new Set([
  'x-amz-algorithm',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-expires',
  'x-amz-signedheaders',
  'x-amz-signature',
  'x-amz-security-token',
  'x-amz-content-sha256',
]);

/**
 * Parses a request.
 *
 * @param target path and query, as in the request line
 * @param rawHeaders name, value, name, value, as in Node
 * @param bucketInHost the bucket that the host names, if it names one: the whole path is then the key
 * @throws S3Error InvalidURI, KeyTooLongError
 */
export function parseRequest(
  method: string,
  target: string,
  rawHeaders: readonly string[],
  bucketInHost?: string,
): S3Request {
  if (!target.startsWith('/')) throw new S3Error('InvalidURI', `Couldn't parse the specified URI: ${target}`);
  const questionMark = target.indexOf('?');
  const rawPath = questionMark < 0 ? target : target.slice(0, questionMark);
  const query = questionMark < 0 ? [] : parseQuery(target.slice(questionMark + 1));
  const sentHeaders = joinHeaders(rawHeaders);
  const { parameters, hoisted } = splitParameters(query);
  return {
    method,
    rawPath,
    ...parsePath(bucketInHost === undefined ? rawPath : `/${bucketInHost}${rawPath}`),
    query,
    parameters,
    headers: new Map([...hoisted, ...sentHeaders]),
    sentHeaders,
  };
}

function parsePath(rawPath: string): { bucket: string | undefined; key: string | undefined } {
  const path = rawPath.slice(1);
  const slash = path.indexOf('/');
  const bucket = decode(slash < 0 ? path : path.slice(0, slash));
  const key = slash < 0 ? '' : decode(path.slice(slash + 1));
  checkKeyLength(key);
  return { bucket: bucket === '' ? undefined : bucket, key: key === '' ? undefined : key };
}

/** @throws S3Error KeyTooLongError past 1,024 bytes of UTF-8 */
export function checkKeyLength(key: string): void {
  const bytes = Buffer.byteLength(key);
  if (bytes <= MAX_KEY_BYTES) return;
  throw new S3Error('KeyTooLongError', 'Your key is too long', {
    fields: { Size: String(bytes), MaxSizeAllowed: String(MAX_KEY_BYTES) },
  });
}

/** In a query `+` is a space; in a path it is a plus. */
function parseQuery(text: string): [string, string][] {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = equals < 0 ? pair : pair.slice(0, equals);
      const value = equals < 0 ? '' : pair.slice(equals + 1);
      return [decode(name.replaceAll('+', ' ')), decode(value.replaceAll('+', ' '))];
    });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new S3Error(
      'InvalidURI',
      `Couldn't parse the specified URI: ${text} (${(cause as Error).message})`,
    );
  }
}

function joinHeaders(rawHeaders: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    const before = headers.get(name);
    const value = rawHeaders[i + 1]!.trim();
    headers.set(name, before === undefined ? value : `${before},${value}`);
  }
  return headers;
}

function splitParameters(query: readonly (readonly [string, string])[]): {
  parameters: Map<string, string>;
  hoisted: Map<string, string>;
} {
  const presigned = query.some(([name]) => name === 'X-Amz-Signature');
  const parameters = new Map<string, string>();
  const hoisted = new Map<string, string>();
  for (const [name, value] of query) {
    const lowerCase = name.toLowerCase();
    if (!presigned || !lowerCase.startsWith('x-amz-')) parameters.set(name, value);
    else if (!PRESIGN_PARAMETERS.has(lowerCase)) {
      checkHeader(name, value);
      hoisted.set(lowerCase, value);
    }
  }
  return { parameters, hoisted };
}

/** @throws S3Error InvalidArgument if a response could not have this header */
export function checkHeader(name: string, value: string): void {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw notInHeader(name);
  checkHeaderValue(name, value);
}

/** @throws S3Error InvalidArgument if a parameter's value is not a valid header value */
export function checkHeaderValue(name: string, value: string): void {
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw notInHeader(name);
}

function notInHeader(name: string): S3Error {
  return new S3Error('InvalidArgument', `${name} contains a character that is not allowed in a header`, {
    fields: { ArgumentName: name },
  });
}
