/** An HTTP request as S3 reads it: the bucket in the path or in the host, the key decoded and otherwise unchanged. */
import { invalidArgument, S3Error } from './errors.ts';

/** Maximum length of a key, in UTF-8 bytes, inclusive. */
const MAX_KEY_BYTES = 1024;

/** One request, without its body. */
export interface S3Request {
  readonly method: string;
  /** The raw path, without the query. */
  readonly rawPath: string;
  /** From the host, or the first segment of the path; empty for the service itself. */
  readonly bucket: string;
  /** Everything after the slash that follows the bucket, with `..` and `//` unchanged; empty for a bucket or the service. */
  readonly key: string;
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
const PRESIGN_PARAMETERS =
  /^x-amz-(algorithm|credential|date|expires|signedheaders|signature|security-token|content-sha256)$/;

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
  if (!target.startsWith('/')) throw invalidUri(target);
  const [, rawPath = '', queryText = ''] = /^([^?]*)\??(.*)$/s.exec(target)!;
  const query = queryText.split('&').flatMap((pair) => (pair === '' ? [] : [parsePair(pair)]));
  const presigned = query.some(([name]) => name === 'X-Amz-Signature');
  const parameters = new Map<string, string>();
  const headers = new Map<string, string>();
  for (const [name, value] of query) {
    const lowerCase = name.toLowerCase();
    if (!presigned || !lowerCase.startsWith('x-amz-')) parameters.set(name, value);
    else if (!PRESIGN_PARAMETERS.test(lowerCase)) {
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw notInHeader(name);
      checkHeaderValue(name, value);
      headers.set(lowerCase, value);
    }
  }
  const sentHeaders = new Map<string, string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    const before = sentHeaders.get(name);
    const value = rawHeaders[i + 1]!.trim();
    sentHeaders.set(name, before === undefined ? value : `${before},${value}`);
  }
  for (const [name, value] of sentHeaders) headers.set(name, value);
  const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(
    bucketInHost === undefined ? rawPath : `/${bucketInHost}${rawPath}`,
  )!;
  const decodedKey = decode(key);
  checkKeyLength(decodedKey);
  return {
    method,
    rawPath,
    bucket: decode(bucket),
    key: decodedKey,
    query,
    parameters,
    headers,
    sentHeaders,
  };
}

/** In a query `+` is a space; in a path it is a plus. */
function parsePair(pair: string): [string, string] {
  const [name = '', ...value] = pair.replaceAll('+', ' ').split('=');
  return [decode(name), decode(value.join('='))];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidUri(text);
  }
}

function invalidUri(text: string): S3Error {
  return new S3Error(400, 'InvalidURI', `Couldn't parse the specified URI: ${text}`);
}

/** @throws S3Error KeyTooLongError */
export function checkKeyLength(key: string): void {
  if (Buffer.byteLength(key) <= MAX_KEY_BYTES) return;
  throw new S3Error(400, 'KeyTooLongError', 'Your key is too long');
}

/** @throws S3Error InvalidArgument if a parameter's value is not a valid header value */
export function checkHeaderValue(name: string, value: string): void {
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw notInHeader(name);
}

function notInHeader(name: string): S3Error {
  return invalidArgument(`${name} contains a character that is not allowed in a header`);
}

/** A non-negative integer parameter, or the default if it is missing or empty. @throws S3Error InvalidArgument */
export function integerParameter(
  { parameters }: Pick<S3Request, 'parameters'>,
  name: string,
  defaultValue: number,
): number {
  const text = parameters.get(name) || String(defaultValue);
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw invalidArgument(`Provided ${name} not an integer or within integer range`);
}
