/**
 * Conditional requests: headers that must match for a read or a write to succeed.
 *
 * For a write S3 returns 412 if another version exists, and 404 if the version to replace does not exist. It may answer 409
 * if the key was written during the write: here the condition is checked when the write takes effect.
 */

import type { StoredVersion } from './catalog.ts';
import { noSuchKey, notImplemented, S3Error } from './errors.ts';
import type { S3Request } from './request.ts';
import type { ChangeCondition } from './storage.ts';

/** Headers of a read's conditions; a copy prefixes them with `x-amz-copy-source-`. */
export const READ_CONDITIONS = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];

/**
 * The condition of a write.
 *
 * @throws S3Error NotImplemented for forms that S3 does not implement either
 */
export function writeCondition({ headers }: S3Request): ChangeCondition | undefined {
  const ifMatch = headers.get('if-match');
  const ifNoneMatch = headers.get('if-none-match');
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  if (
    (ifMatch !== undefined && ifNoneMatch !== undefined) ||
    ifMatch === '*' ||
    (ifNoneMatch ?? '*') !== '*'
  ) {
    throw notImplemented('such a condition of a write: expected If-None-Match: * or If-Match with an ETag');
  }
  return (current) => {
    const exists = current?.deleteMarker === false;
    if (ifMatch !== undefined && !exists) throw noSuchKey();
    if (exists && (ifMatch === undefined || !listsEtag(ifMatch, current.etag))) throw preconditionFailed();
  };
}

/**
 * Checks a read's conditions, in the order of RFC 9110: an ETag condition takes precedence over a date.
 *
 * @param prefix `''`, or `x-amz-copy-source-` for the source of a copy, for which 304 becomes 412
 * @throws S3Error PreconditionFailed, NotModified
 */
export function checkReadConditions({ headers }: S3Request, version: StoredVersion, prefix = ''): void {
  const [ifMatch, ifNoneMatch, modifiedSince, unmodifiedSince] = READ_CONDITIONS.map((name) =>
    headers.get(prefix + name),
  );
  // Dates in headers have no milliseconds.
  const modifiedMs = Math.floor(version.lastModifiedMs / 1000) * 1000;
  const isChangedSince = (time = '') => modifiedMs > Date.parse(time);
  if (ifMatch === undefined ? isChangedSince(unmodifiedSince) : !listsEtag(ifMatch, version.etag)) {
    throw preconditionFailed();
  }
  const sinceMs = Date.parse(modifiedSince ?? '');
  // A time in the future is ignored.
  const isUnchanged =
    ifNoneMatch === undefined
      ? modifiedMs <= sinceMs && sinceMs <= Date.now()
      : listsEtag(ifNoneMatch, version.etag);
  if (!isUnchanged) return;
  if (prefix !== '') throw preconditionFailed();
  const etag = `"${version.etag}"`;
  throw new S3Error(304, 'NotModified', '', { etag, 'last-modified': new Date(modifiedMs).toUTCString() });
}

function listsEtag(header: string, etag: string): boolean {
  return header.split(',').some((entry) => ['*', etag, `"${etag}"`].includes(entry.trim()));
}

function preconditionFailed(): S3Error {
  const message = 'At least one of the pre-conditions you specified did not hold';
  return new S3Error(412, 'PreconditionFailed', message);
}
