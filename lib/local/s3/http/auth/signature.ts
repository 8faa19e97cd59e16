/**
 * Verification of Signature Version 4, in the Authorization header and in the query of a presigned URL.
 *
 * signature = HMAC(HMAC(HMAC(HMAC("AWS4" + secret, date), region), "s3"), "aws4_request") over
 * `AWS4-HMAC-SHA256 \n time \n date/region/s3/aws4_request \n SHA-256 of the canonical request`.
 */

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { S3Error } from '../errors.ts';
import type { S3Request } from '../request.ts';
import { canonicalRequest } from './canonical-request.ts';

/** The keys of the owner, who may do everything, and those of roles. */
export interface SigningCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  /** Keys of roles. @default none */
  readonly roles?: Iterable<RoleKeys>;
}

export interface RoleKeys {
  readonly role: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A verified signature; the chunks of a signed stream are chained to it. */
export interface VerifiedSignature {
  readonly signature: string;
  /** `20130524T000000Z` */
  readonly timestamp: string;
  /** `20130524/us-east-1/s3/aws4_request` */
  readonly scope: string;
  readonly signingKey: Buffer;
  /** SHA-256 of the body in hex, or a keyword for how the body is sent, such as `UNSIGNED-PAYLOAD`. */
  readonly payloadHash: string;
  /** The role that signed; undefined for the owner. */
  readonly role: string | undefined;
}

/** The signature fields of a request, not verified yet. */
interface Claim {
  readonly accessKeyId: string;
  readonly scope: string;
  readonly timestamp: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly payloadHash: string;
  /** Validity after `timestamp`; `undefined` for a header, whose `timestamp` must be recent. */
  readonly expiresSeconds: number | undefined;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const MAX_CLOCK_SKEW_MS = 15 * 60 * 1000;
const MAX_EXPIRES_SECONDS = 7 * 24 * 60 * 60;

/**
 * Verifies a request's signature.
 *
 * @param nowMs the server's time, milliseconds since 1970
 * @throws S3Error AccessDenied (no signature, an expired URL, unsigned `x-amz-*` headers),
 *   InvalidAccessKeyId, SignatureDoesNotMatch, RequestTimeTooSkewed, AuthorizationHeaderMalformed and similar
 */
export function verifySignature(
  request: S3Request,
  credentials: SigningCredentials,
  nowMs: number,
): VerifiedSignature {
  return verifyClaim(request, readClaim(request), 's3', credentials, nowMs);
}

/**
 * Verifies the Authorization header of a request to another service, whose signature covers the body.
 *
 * @param service as in the scope of the signature, such as `sqs`
 * @throws S3Error as `verifySignature`
 */
export function verifyBodySignature(
  request: S3Request,
  body: string,
  service: string,
  credentials: SigningCredentials,
  nowMs: number,
): VerifiedSignature {
  const authorization = request.headers.get('authorization');
  if (authorization === undefined) throw notSigned();
  const payloadHash = createHash('sha256').update(body).digest('hex');
  const claim = readHeaderClaim(request, authorization, payloadHash);
  return verifyClaim(request, claim, service, credentials, nowMs);
}

function verifyClaim(
  request: S3Request,
  claim: Claim,
  service: string,
  credentials: SigningCredentials,
  nowMs: number,
): VerifiedSignature {
  const keys = signerOf(claim, credentials);
  checkScope(claim, service, credentials);
  checkTime(claim, nowMs);
  checkCoverage(request, claim);
  const signingKey = signingKeyOf(keys, claim.scope);
  const canonical = canonicalRequest(request, claim.signedHeaders, claim.payloadHash);
  const stringToSign = [ALGORITHM, claim.timestamp, claim.scope, sha256Hex(canonical)].join('\n');
  if (!equalsInConstantTime(hmacHex(signingKey, stringToSign), claim.signature)) {
    throw mismatch({
      AWSAccessKeyId: claim.accessKeyId,
      StringToSign: stringToSign,
      SignatureProvided: claim.signature,
      CanonicalRequest: canonical,
    });
  }
  const { signature, timestamp, scope, payloadHash } = claim;
  return { signature, timestamp, scope, signingKey, payloadHash, role: keys.role };
}

function mismatch(fields: Readonly<Record<string, string>>): S3Error {
  const bytes = Object.entries(fields)
    .filter(([name]) => ['StringToSign', 'CanonicalRequest'].includes(name))
    .map(([name, text]) => [`${name}Bytes`, hexBytes(text)]);
  return new S3Error(
    'SignatureDoesNotMatch',
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    { fields: { ...fields, ...Object.fromEntries(bytes) } },
  );
}

/** A character of such a text is one byte. */
function hexBytes(text: string): string {
  return Buffer.from(text, 'latin1')
    .toString('hex')
    .replace(/..(?=.)/g, '$& ');
}

/** HMAC-SHA256 of a text, in hex: the last step of every signature. */
export function hmacHex(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text, 'latin1').digest('hex');
}

/** Compares two texts in a time that does not depend on where they differ. */
export function equalsInConstantTime(a: string, b: string): boolean {
  const bytesA = Buffer.from(a);
  const bytesB = Buffer.from(b);
  return bytesA.length === bytesB.length && timingSafeEqual(bytesA, bytesB);
}

/** Node decodes each byte of a header value to one character, so latin1 restores the bytes that were sent. */
function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex');
}

/** The key of Signature Version 4 for a day, region and service. @param scope `20250301/us-east-1/s3/aws4_request` */
export function deriveSigningKey(secretAccessKey: string, scope: string): Buffer {
  return scope
    .split('/')
    .reduce<Buffer>(
      (key, step) => createHmac('sha256', key).update(step).digest(),
      Buffer.from(`AWS4${secretAccessKey}`),
    );
}

/** A cache: a signing key is valid for a day, and takes four of the five HMACs of a request. */
const lastKeys = new WeakMap<Signer, { readonly scope: string; readonly signingKey: Buffer }>();

function signingKeyOf(credentials: Signer, scope: string): Buffer {
  const last = lastKeys.get(credentials);
  if (last?.scope === scope) return last.signingKey;
  const signingKey = deriveSigningKey(credentials.secretAccessKey, scope);
  lastKeys.set(credentials, { scope, signingKey });
  return signingKey;
}

function readClaim(request: S3Request): Claim {
  const authorization = request.headers.get('authorization');
  const presigned = new Map(request.query.filter(([name]) => /^X-Amz-/i.test(name)));
  if (authorization !== undefined && presigned.has('X-Amz-Signature')) {
    throw new S3Error('InvalidArgument', 'Only one auth mechanism allowed');
  }
  if (authorization !== undefined) {
    return readHeaderClaim(request, authorization, request.headers.get('x-amz-content-sha256'));
  }
  if (presigned.has('X-Amz-Algorithm')) return readPresignedClaim(request, presigned);
  if (request.parameters.has('AWSAccessKeyId')) throw unsupportedVersion();
  throw notSigned();
}

function notSigned(): S3Error {
  return new S3Error('AccessDenied', 'Access Denied: the request is not signed');
}

function readHeaderClaim(request: S3Request, authorization: string, payloadHash: string | undefined): Claim {
  const malformed = (what: string) =>
    new S3Error('AuthorizationHeaderMalformed', `The authorization header is malformed; ${what}`);
  const [algorithm, ...rest] = authorization.split(' ');
  if (algorithm === 'AWS') throw unsupportedVersion();
  if (algorithm !== ALGORITHM) throw malformed(`expected ${ALGORITHM}, found ${algorithm}.`);
  const fields = new Map(
    rest
      .join(' ')
      .split(',')
      .map((field) => {
        const [name = '', ...value] = field.trim().split('=');
        return [name, value.join('=')] as const;
      }),
  );
  const required = requiredIn(fields, malformed);
  if (payloadHash === undefined) {
    throw new S3Error('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256');
  }
  const timestamp = request.headers.get('x-amz-date');
  if (timestamp === undefined) {
    throw new S3Error('AccessDenied', 'AWS authentication requires a valid x-amz-date header');
  }
  return {
    ...readCredential(required('Credential'), malformed),
    timestamp,
    signedHeaders: required('SignedHeaders').split(';'),
    signature: required('Signature'),
    payloadHash,
    expiresSeconds: undefined,
  };
}

function requiredIn(values: ReadonlyMap<string, string>, malformed: (what: string) => S3Error) {
  return (name: string) => {
    const value = values.get(name);
    if (value === undefined) throw malformed(`${name} is missing.`);
    return value;
  };
}

/** The error for Signature Version 2, with which the AWS CLI still presigns by default. */
function unsupportedVersion(): S3Error {
  return new S3Error(
    'InvalidRequest',
    'The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.',
  );
}

function readPresignedClaim(request: S3Request, parameters: ReadonlyMap<string, string>): Claim {
  const malformed = (what: string) => new S3Error('AuthorizationQueryParametersError', what);
  const required = requiredIn(parameters, () =>
    malformed(
      'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
    ),
  );
  if (required('X-Amz-Algorithm') !== ALGORITHM) throw malformed(`X-Amz-Algorithm must be ${ALGORITHM}.`);
  const expiresSeconds = Number(required('X-Amz-Expires'));
  if (!Number.isInteger(expiresSeconds) || expiresSeconds < 0 || expiresSeconds > MAX_EXPIRES_SECONDS) {
    throw malformed(`X-Amz-Expires must be a number of seconds from 0 to ${MAX_EXPIRES_SECONDS}.`);
  }
  return {
    ...readCredential(required('X-Amz-Credential'), () =>
      malformed(
        'Error parsing the X-Amz-Credential parameter; the Credential is mal-formed; expecting "<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/aws4_request".',
      ),
    ),
    timestamp: required('X-Amz-Date'),
    signedHeaders: required('X-Amz-SignedHeaders').split(';'),
    signature: required('X-Amz-Signature'),
    payloadHash:
      parameters.get('X-Amz-Content-Sha256') ??
      request.headers.get('x-amz-content-sha256') ??
      'UNSIGNED-PAYLOAD',
    expiresSeconds,
  };
}

/** An access key id may contain slashes, so the scope's four parts are counted from the end. */
function readCredential(credential: string, malformed: (what: string) => S3Error) {
  const parts = credential.split('/');
  if (parts.length < 5)
    throw malformed(`expected Credential KEY/DATE/REGION/s3/aws4_request, found ${credential}.`);
  return { accessKeyId: parts.slice(0, -4).join('/'), scope: parts.slice(-4).join('/') };
}

type Signer = Pick<SigningCredentials, 'accessKeyId' | 'secretAccessKey'> & { readonly role?: string };

/** @throws S3Error InvalidAccessKeyId */
function signerOf({ accessKeyId }: Pick<Claim, 'accessKeyId'>, credentials: SigningCredentials): Signer {
  const known: readonly Signer[] = [credentials, ...(credentials.roles ?? [])];
  const signer = known.find((keys) => equalsInConstantTime(accessKeyId, keys.accessKeyId));
  if (signer !== undefined) return signer;
  throw new S3Error(
    'InvalidAccessKeyId',
    'The AWS Access Key Id you provided does not exist in our records.',
    {
      fields: { AWSAccessKeyId: accessKeyId },
    },
  );
}

function checkScope(
  claim: Pick<Claim, 'scope' | 'timestamp' | 'expiresSeconds'>,
  service: string,
  credentials: SigningCredentials,
): void {
  const expected = [claim.timestamp.slice(0, 8), credentials.region, service, 'aws4_request'].join('/');
  if (claim.scope === expected) return;
  const code =
    claim.expiresSeconds === undefined ? 'AuthorizationHeaderMalformed' : 'AuthorizationQueryParametersError';
  throw new S3Error(code, `The credential scope is wrong: expecting '${expected}', found '${claim.scope}'`, {
    fields: { Region: credentials.region },
  });
}

function checkTime(claim: Claim, nowMs: number): void {
  const signedMs = parseTimestamp(claim.timestamp);
  const latestMs = claim.expiresSeconds === undefined ? MAX_CLOCK_SKEW_MS : claim.expiresSeconds * 1000;
  if (nowMs - signedMs <= latestMs && signedMs - nowMs <= MAX_CLOCK_SKEW_MS) return;
  const fields = { ServerTime: new Date(nowMs).toISOString() };
  if (claim.expiresSeconds === undefined) {
    throw new S3Error(
      'RequestTimeTooSkewed',
      'The difference between the request time and the current time is too large.',
      { fields: { ...fields, RequestTime: claim.timestamp } },
    );
  }
  const message = signedMs > nowMs ? 'Request is not yet valid' : 'Request has expired';
  throw new S3Error('AccessDenied', message, {
    fields: {
      ...fields,
      'X-Amz-Expires': String(claim.expiresSeconds),
      Expires: new Date(signedMs + latestMs).toISOString(),
    },
  });
}

function parseTimestamp(timestamp: string): number {
  const iso = timestamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  const ms = iso === timestamp ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(ms)) {
    throw new S3Error('AccessDenied', `Expected a signing time such as 20130524T000000Z, found ${timestamp}`);
  }
  return ms;
}

/** Headers that change the meaning of a request must be signed; otherwise an intermediary could add them. */
function checkCoverage(request: S3Request, claim: Claim): void {
  const unsigned = [...request.sentHeaders.keys()].filter(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !claim.signedHeaders.includes(name),
  );
  if (unsigned.length === 0 && claim.signedHeaders.includes('host')) return;
  throw new S3Error('AccessDenied', 'There were headers present in the request which were not signed', {
    fields: { HeadersNotSigned: unsigned.join(', ') },
  });
}
