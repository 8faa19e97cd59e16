/** The headers that are stored with an object, read from requests and written to responses. */

import type { Bucket, ObjectHeaders, StoredVersion } from '../storage/catalog.ts';
import { S3Error } from './errors.ts';
import { checkHeaderValue, type S3Request } from './request.ts';
import { headerTime } from './time-formats.ts';

/** Of the headers of user metadata. */
export const METADATA_PREFIX = 'x-amz-meta-';
/** Maximum bytes of names and values of user metadata, inclusive. */
const MAX_METADATA_BYTES = 2048;
/** Headers that are stored unchanged. */
export const STORED_HEADERS: readonly string[] = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
];
const DEFAULT_CONTENT_TYPE = 'binary/octet-stream';

/** Parameters of a read that override a header of its response: `response-content-type` and so on. */
export const OVERRIDE_PARAMETERS: readonly string[] = STORED_HEADERS.map(overrideParameter);

function overrideParameter(header: string): string {
  return `response-${header}`;
}

/** Headers of the object that a request creates. @throws S3Error MetadataTooLarge, NotImplemented */
export function objectHeaders(request: S3Request): ObjectHeaders {
  checkWriteSettings(request);
  const storageClass = request.headers.get('x-amz-storage-class') ?? 'STANDARD';
  if (storageClass !== 'STANDARD')
    throw new S3Error('NotImplemented', `Storage class ${storageClass} is not implemented`);
  const system: Record<string, string> = { 'content-type': DEFAULT_CONTENT_TYPE };
  for (const name of STORED_HEADERS) {
    const value = request.headers.get(name);
    const stored = name === 'content-encoding' ? withoutAwsChunked(value) : value;
    if (stored !== undefined && stored !== '') system[name] = stored;
  }
  return { system, metadata: userMetadata(request) };
}

function userMetadata(request: S3Request): Record<string, string> {
  const pairs: [string, string][] = [];
  let bytes = 0;
  for (const [name, value] of request.headers) {
    if (!name.startsWith(METADATA_PREFIX)) continue;
    const shortName = name.slice(METADATA_PREFIX.length);
    // Header values have one character per byte.
    bytes += shortName.length + value.length;
    pairs.push([shortName, value]);
  }
  if (bytes <= MAX_METADATA_BYTES) return Object.fromEntries(pairs);
  throw new S3Error('MetadataTooLarge', 'Your metadata headers exceed the maximum allowed metadata size', {
    fields: { Size: String(bytes), MaxSizeAllowed: String(MAX_METADATA_BYTES) },
  });
}

/** `aws-chunked` describes the transfer, not the object. Another encoding is stored as it is sent. */
function withoutAwsChunked(encoding: string | undefined): string | undefined {
  if (encoding?.includes('aws-chunked') !== true) return encoding;
  return encoding
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== 'aws-chunked')
    .join(',');
}

/** Headers of a read's response, without those that depend on the requested range. */
export function responseHeaders(
  bucket: Bucket,
  version: StoredVersion,
  request: S3Request,
): Record<string, string> {
  const headers: Record<string, string> = {
    'accept-ranges': 'bytes',
    ...ENCRYPTION_HEADER,
    etag: `"${version.etag}"`,
    'last-modified': headerTime(version.lastModifiedMs),
    ...version.system,
    ...versionHeader(bucket, version.versionId),
  };
  for (const [name, value] of Object.entries(version.metadata)) headers[METADATA_PREFIX + name] = value;
  for (const name of STORED_HEADERS) {
    const override = request.parameters.get(overrideParameter(name));
    if (override === undefined) continue;
    checkHeaderValue(overrideParameter(name), override);
    headers[name] = override;
  }
  return headers;
}

/** The version id header; none for a bucket that is not versioned. */
export function versionHeader(bucket: Bucket, versionId: string): Record<string, string> {
  return bucket.versioned ? { 'x-amz-version-id': versionId } : {};
}

/** As S3 encrypts every object. */
export const ENCRYPTION_HEADER = { 'x-amz-server-side-encryption': 'AES256' } as const;

const ENCRYPTION = 'x-amz-server-side-encryption';
const GRANTS = [
  'x-amz-grant-full-control',
  'x-amz-grant-read',
  'x-amz-grant-read-acp',
  'x-amz-grant-write',
  'x-amz-grant-write-acp',
];
/** Headers that set an ACL. */
export const ACL_HEADERS: readonly string[] = ['x-amz-acl', ...GRANTS];

/** Headers of a write that ask for what a bucket with these settings does anyway; other values are errors. */
export const WRITE_SETTING_HEADERS: readonly string[] = [ENCRYPTION, 'x-amz-tagging', ...ACL_HEADERS];

/** @throws S3Error AccessControlListNotSupported, NotImplemented */
export function checkWriteSettings({ headers }: S3Request): void {
  if (setsAcl(headers)) throw aclNotSupported();
  const encryption = headers.get(ENCRYPTION) ?? 'AES256';
  if (encryption !== 'AES256')
    throw new S3Error('NotImplemented', `Encryption ${encryption} is not implemented`);
  if ((headers.get('x-amz-tagging') ?? '') !== '')
    throw new S3Error('NotImplemented', 'Tags are not implemented');
}

/** Whether headers set an ACL other than that of a new object or bucket, which many clients send. */
export function setsAcl(headers: S3Request['headers']): boolean {
  const withoutEffect = ['', 'private', 'bucket-owner-full-control'];
  return !withoutEffect.includes(headers.get('x-amz-acl') ?? '') || GRANTS.some((name) => headers.has(name));
}

export function aclNotSupported(): S3Error {
  return new S3Error('AccessControlListNotSupported', 'The bucket does not allow ACLs');
}
