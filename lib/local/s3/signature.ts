/**
 * Verification of Signature Version 4, in the Authorization header and in the query of a presigned URL.
 *
 * signature = HMAC(HMAC(HMAC(HMAC(HMAC("AWS4" + secret, date), region), service), "aws4_request"), text), of the text
 *
 *     AWS4-HMAC-SHA256
 *     20130524T000000Z                          time
 *     20130524/us-east-1/s3/aws4_request        scope
 *     44ce7dd6...                               SHA-256 of the canonical request:
 *
 *         GET                                   method
 *         /bucket/a%20b                         path, each byte outside A-Z a-z 0-9 - . _ ~ / encoded once
 *         prefix=x%2Fy&versions=                query, encoded the same way including `/`, sorted
 *         host:127.0.0.1:9000                   signed headers, lower case, spaces collapsed, sorted
 *
 *         host                                  their names
 *         UNSIGNED-PAYLOAD                      SHA-256 of the body, or a keyword for how it is sent
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { compareUtf8 } from '../../batch/storage/key-order.ts';
import { accessDenied, invalidArgument, invalidRequest, S3Error } from './errors.ts';
import type { S3Request } from './request.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The keys of the owner, who may do everything, and those of roles. */
export interface SigningCredentials extends Credentials {
  readonly region: string;
  /** Keys of roles. @default none */
  readonly roles?: () => readonly RoleKeys[];
}

export interface RoleKeys extends Credentials {
  readonly role: string;
}

export interface VerifiedSignature {
  /** SHA-256 of the body in hex, or a keyword for how the body is sent, such as `UNSIGNED-PAYLOAD`. */
  readonly payloadHash: string;
  /** The role that signed; undefined for the owner. */
  readonly role: string | undefined;
}

/** The signature fields of a request, not verified yet. */
interface Claim {
  readonly credential: string;
  readonly timestamp: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly payloadHash: string;
  /** Validity after `timestamp`; `undefined` for a header, whose `timestamp` must be recent. */
  readonly expiresSeconds?: number;
  /** The error of a field that is malformed. */
  readonly malformed: (what: string) => S3Error;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const MAX_CLOCK_SKEW_MS = 15 * 60 * 1000;
const MAX_EXPIRES_SECONDS = 7 * 24 * 60 * 60;
const LINK_FIELDS =
  'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.';
const OLD_VERSION =
  'The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.';

/**
 * Verifies a request's signature.
 *
 * @param nowMs the server's time, milliseconds since 1970
 * @param other a service other than S3, and the SHA-256 of the body, which its signature covers
 * @throws S3Error AccessDenied (no signature, an expired URL, unsigned `x-amz-*` headers),
 *   InvalidAccessKeyId, SignatureDoesNotMatch, RequestTimeTooSkewed, AuthorizationHeaderMalformed and similar
 */
export function verifySignature(
  request: S3Request,
  credentials: SigningCredentials,
  nowMs: number,
  other?: { readonly service: string; readonly payloadHash: string },
): VerifiedSignature {
  const claim = readClaim(request, other?.payloadHash);
  const { credential, timestamp, signedHeaders, signature, payloadHash, malformed } = claim;
  // An access key id may contain slashes, so the scope's four parts are counted from the end.
  const [, accessKeyId, scope] = /^(.+)\/([^/]*\/[^/]*\/[^/]*\/[^/]*)$/.exec(credential) ?? [];
  if (accessKeyId === undefined || scope === undefined) {
    throw malformed(
      'Error parsing the X-Amz-Credential parameter; the Credential is mal-formed; expecting "<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/aws4_request".',
    );
  }
  const known: readonly Signer[] = [credentials, ...(credentials.roles?.() ?? [])];
  const signer = known.find((keys) => equalsInConstantTime(accessKeyId, keys.accessKeyId));
  if (signer === undefined) {
    const message = 'The AWS Access Key Id you provided does not exist in our records.';
    throw new S3Error(403, 'InvalidAccessKeyId', message);
  }
  const expected = `${timestamp.slice(0, 8)}/${credentials.region}/${other?.service ?? 's3'}/aws4_request`;
  if (scope !== expected) {
    throw malformed(`The credential scope is wrong: expecting '${expected}', found '${scope}'`);
  }
  checkTime(claim, nowMs);
  checkCoverage(request, signedHeaders);
  const canonical = sha256Hex(canonicalRequest(request, signedHeaders, payloadHash));
  const text = [ALGORITHM, timestamp, scope, canonical].join('\n');
  const computed = createHmac('sha256', signingKeyOf(signer, scope)).update(text, 'latin1').digest('hex');
  if (!equalsInConstantTime(computed, signature)) {
    throw new S3Error(
      403,
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    );
  }
  return { payloadHash, role: signer.role };
}

/** Compares two texts in a time that does not depend on where they differ. */
function equalsInConstantTime(a: string, b: string): boolean {
  const bytesA = Buffer.from(a);
  const bytesB = Buffer.from(b);
  return bytesA.length === bytesB.length && timingSafeEqual(bytesA, bytesB);
}

/** Node decodes each byte of a header value to one character, so latin1 restores the bytes that were sent. */
function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex');
}

type Signer = Credentials & { readonly role?: string };

/** A cache: a signing key is valid for a day, and takes four of the five HMACs of a request. */
const lastKeys = new WeakMap<Signer, { readonly scope: string; readonly signingKey: Buffer }>();

function signingKeyOf(signer: Signer, scope: string): Buffer {
  const last = lastKeys.get(signer);
  if (last?.scope === scope) return last.signingKey;
  const hmac = (key: Buffer, step: string) => createHmac('sha256', key).update(step).digest();
  const signingKey = scope.split('/').reduce<Buffer>(hmac, Buffer.from(`AWS4${signer.secretAccessKey}`));
  lastKeys.set(signer, { scope, signingKey });
  return signingKey;
}

/**
 * The fields of a signature, from where they are: all but the time in the header Authorization, or in the query of a link.
 *
 * @param bodyHash of another service, which has no links
 */
function readClaim({ headers, query, parameters }: S3Request, bodyHash: string | undefined): Claim {
  const authorization = headers.get('authorization');
  const inQuery = new Map(
    query.flatMap(([name, value]) => (name.startsWith('X-Amz-') ? [[name.slice(6), value]] : [])),
  );
  const isLink = authorization === undefined;
  if (!isLink && inQuery.has('Signature')) throw invalidArgument('Only one auth mechanism allowed');
  if (authorization?.startsWith('AWS ') || parameters.has('AWSAccessKeyId'))
    throw invalidRequest(OLD_VERSION);
  if (isLink && (!inQuery.has('Algorithm') || bodyHash !== undefined)) {
    throw accessDenied('Access Denied: the request is not signed');
  }
  const code = isLink ? 'AuthorizationQueryParametersError' : 'AuthorizationHeaderMalformed';
  const malformed = (what: string) =>
    new S3Error(400, code, isLink ? what : `The authorization header is malformed; ${what}`);
  const fields = isLink ? inQuery : headerFields(authorization, headers.get('x-amz-date'));
  const required = (name: string) => {
    const value = fields.get(name);
    if (value === undefined) throw malformed(isLink ? LINK_FIELDS : `${name} is missing`);
    return value;
  };
  const algorithm = required('Algorithm');
  if (algorithm !== ALGORITHM) throw malformed(`expected ${ALGORITHM}, found ${algorithm}`);
  const payloadHash =
    bodyHash ??
    inQuery.get('Content-Sha256') ??
    headers.get('x-amz-content-sha256') ??
    (isLink ? 'UNSIGNED-PAYLOAD' : undefined);
  if (payloadHash === undefined) {
    throw invalidRequest('Missing required header for this request: x-amz-content-sha256');
  }
  const expiresSeconds = isLink ? Number(required('Expires')) : 0;
  if (!Number.isInteger(expiresSeconds) || expiresSeconds < 0 || expiresSeconds > MAX_EXPIRES_SECONDS) {
    throw malformed(`X-Amz-Expires must be a number of seconds from 0 to ${MAX_EXPIRES_SECONDS}`);
  }
  return {
    credential: required('Credential'),
    timestamp: required('Date'),
    signedHeaders: required('SignedHeaders').split(';'),
    signature: required('Signature'),
    payloadHash,
    expiresSeconds: isLink ? expiresSeconds : undefined,
    malformed,
  };
}

/** `AWS4-HMAC-SHA256 Credential=..., SignedHeaders=..., Signature=...` */
function headerFields(authorization: string, date: string | undefined): Map<string, string> {
  const [, algorithm = '', rest = ''] = /^(\S*) ?(.*)$/s.exec(authorization)!;
  const fields = new Map([['Algorithm', algorithm]]);
  for (const field of rest.split(',')) {
    const [name = '', ...value] = field.trim().split('=');
    fields.set(name, value.join('='));
  }
  if (date !== undefined) fields.set('Date', date);
  return fields;
}

function checkTime({ timestamp, expiresSeconds }: Claim, nowMs: number): void {
  const iso = timestamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  const signedMs = iso === timestamp ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(signedMs)) {
    throw accessDenied(`Expected a signing time such as 20130524T000000Z, found ${timestamp}`);
  }
  const validMs = expiresSeconds === undefined ? MAX_CLOCK_SKEW_MS : expiresSeconds * 1000;
  if (nowMs - signedMs <= validMs && signedMs - nowMs <= MAX_CLOCK_SKEW_MS) return;
  if (expiresSeconds !== undefined) {
    throw accessDenied(signedMs > nowMs ? 'Request is not yet valid' : 'Request has expired');
  }
  throw new S3Error(
    403,
    'RequestTimeTooSkewed',
    'The difference between the request time and the current time is too large.',
  );
}

/** Headers that change the meaning of a request must be signed; otherwise an intermediary could add them. */
function checkCoverage({ sentHeaders }: S3Request, signedHeaders: readonly string[]): void {
  const mustBeSigned = [...sentHeaders.keys()].filter((name) => name.startsWith('x-amz-'));
  if (['host', ...mustBeSigned].every((name) => signedHeaders.includes(name))) return;
  throw accessDenied('There were headers present in the request which were not signed');
}

function canonicalRequest(
  { method, rawPath, query, sentHeaders }: S3Request,
  signedHeaders: readonly string[],
  payloadHash: string,
): string {
  return [
    method,
    // Clients encode the path that they send differently, but all sign the strict form.
    rawPath
      .split('/')
      .map((segment) => encodeStrictly(decodeURIComponent(segment)))
      .join('/'),
    query
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => [encodeStrictly(name), encodeStrictly(value)] as const)
      .sort(([nameA, valueA], [nameB, valueB]) => compareUtf8(nameA, nameB) || compareUtf8(valueA, valueB))
      .map(([name, value]) => `${name}=${value}`)
      .join('&'),
    ...signedHeaders.map((name) => `${name}:${(sentHeaders.get(name) ?? '').replace(/ +/g, ' ')}`),
    '',
    signedHeaders.join(';'),
    payloadHash,
  ].join('\n');
}

/** Percent-encodes every UTF-8 byte except A-Z, a-z, 0-9, `-`, `.`, `_` and `~`. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
