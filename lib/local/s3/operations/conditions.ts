/**
 * Conditional requests: headers that must match for a read or a write to succeed.
 *
 * For a write S3 returns 412 if another version exists, 404 if the version to replace does not exist, and 409 if a
 * delete of the key succeeded during the write, or any write of it during an upload in parts.
 */

import { S3Error, UNSUPPORTED_HEADER } from '../http/errors.ts';
import type { S3Request } from '../http/request.ts';
import { headerTime } from '../http/time-formats.ts';
import { type Bucket, currentObject, type StoredVersion } from '../storage/catalog.ts';

/** The condition of a write, checked just before it. */
export type WriteCondition =
  | { readonly kind: 'none' }
  /** `If-None-Match: *` */
  | { readonly kind: 'absent' }
  /** `If-Match: "etag"` */
  | { readonly kind: 'match'; readonly etag: string }
  /** `If-Match: *`, for a delete */
  | { readonly kind: 'present' };

/** Reads the condition of a write. @throws S3Error NotImplemented for forms that S3 does not implement either */
export function writeCondition(request: S3Request): WriteCondition {
  const ifMatch = request.headers.get('if-match');
  const ifNoneMatch = request.headers.get('if-none-match');
  if (ifMatch === undefined && ifNoneMatch === undefined) return { kind: 'none' };
  if (ifMatch === undefined && ifNoneMatch === '*') return { kind: 'absent' };
  if (ifNoneMatch === undefined && ifMatch !== undefined && ifMatch !== '*') {
    return { kind: 'match', etag: unquote(ifMatch) };
  }
  if (ifMatch !== undefined && ifNoneMatch !== undefined) {
    throw headerNotImplemented(
      'If-Match,If-None-Match',
      'Multiple conditional request headers present in the request',
    );
  }
  const header = ifMatch === undefined ? 'If-None-Match' : 'If-Match';
  throw headerNotImplemented(header, `We don't accept the provided value of ${header} header for this API`);
}

/** The error of a header that S3 implements elsewhere only. */
export function headerNotImplemented(header: string, additionalMessage?: string): S3Error {
  return new S3Error('NotImplemented', UNSUPPORTED_HEADER, {
    fields: { Header: header, ...(additionalMessage && { additionalMessage }) },
  });
}

/** The condition of a delete. @param ifMatch an ETag, or `*` */
export function deleteCondition(ifMatch: string | undefined): WriteCondition {
  if (ifMatch === undefined) return { kind: 'none' };
  return ifMatch === '*' ? { kind: 'present' } : { kind: 'match', etag: unquote(ifMatch) };
}

/** @throws S3Error PreconditionFailed, NoSuchKey */
export function checkDelete(condition: WriteCondition, bucket: Bucket, key: string): void {
  checkWrite(condition, currentObject(bucket, key), false, key);
}

/** A running conditional write. */
export interface WriteGuard {
  /** Throws if the condition is not met; the write must follow in the same turn of the event loop. */
  check(bucket: Bucket): void;
  /** To be called when the write has finished or failed. */
  end(): void;
}

interface PendingWrite {
  deleted: boolean;
}

/** The running conditional writes, by bucket and key: a delete must mark those of its key. */
export class ConditionalWrites {
  readonly #pending = new Map<string, Set<PendingWrite>>();

  /**
   * To be called before the body is read.
   *
   * @param isChanged whether the key was written or deleted since the upload in parts began that this write completes
   */
  begin(
    bucketName: string,
    key: string,
    condition: WriteCondition,
    isChanged: () => boolean = () => false,
  ): WriteGuard {
    const id = qualifiedKey(bucketName, key);
    const write: PendingWrite = { deleted: false };
    const writes = this.#pending.get(id) ?? new Set();
    this.#pending.set(id, writes.add(write));
    return {
      check: (bucket) => checkWrite(condition, currentObject(bucket, key), write.deleted || isChanged(), key),
      end: () => {
        writes.delete(write);
        if (writes.size === 0 && this.#pending.get(id) === writes) this.#pending.delete(id);
      },
    };
  }

  /** Marks the running writes of a deleted key. */
  noteDelete(bucketName: string, key: string): void {
    for (const write of this.#pending.get(qualifiedKey(bucketName, key)) ?? []) write.deleted = true;
  }
}

/** Unique, since bucket names contain no slash. */
function qualifiedKey(bucketName: string, key: string): string {
  return `${bucketName}/${key}`;
}

function checkWrite(
  condition: WriteCondition,
  existing: StoredVersion | undefined,
  isChanged: boolean,
  key: string,
): void {
  if (condition.kind === 'none') return;
  if (condition.kind === 'match' || condition.kind === 'present') {
    if (existing === undefined)
      throw new S3Error('NoSuchKey', 'The specified key does not exist.', { fields: { Key: key } });
    if (condition.kind === 'match' && existing.etag !== condition.etag) throw preconditionFailed('If-Match');
  } else if (existing !== undefined) throw preconditionFailed('If-None-Match');
  if (!isChanged) return;
  throw new S3Error(
    'ConditionalRequestConflict',
    'The conditional request cannot succeed due to a conflicting operation against this resource.',
    { fields: { Condition: condition.kind === 'absent' ? 'If-None-Match' : 'If-Match', Key: key } },
  );
}

/** Headers of a read's conditions; a copy prefixes them with `x-amz-copy-source-`. */
export const READ_CONDITION_HEADERS = [
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
] as const;

/**
 * Checks a read's conditions, in the order of RFC 9110: an ETag condition takes precedence over a date.
 *
 * @param prefix `''`, or `x-amz-copy-source-` for the source of a copy, for which 304 becomes 412
 * @throws S3Error PreconditionFailed, NotModified
 */
export function checkReadConditions(request: S3Request, version: StoredVersion, prefix = ''): void {
  const [ifMatch, ifNoneMatch, modifiedSince, unmodifiedSince] = READ_CONDITION_HEADERS.map((name) =>
    request.headers.get(prefix + name),
  );
  // Dates in headers have no milliseconds.
  const modifiedMs = Math.floor(version.lastModifiedMs / 1000) * 1000;
  if (ifMatch !== undefined) {
    if (!listsEtag(ifMatch, version.etag)) throw preconditionFailed(`${prefix}If-Match`);
  } else if (unmodifiedSince !== undefined && modifiedMs > Date.parse(unmodifiedSince)) {
    throw preconditionFailed(`${prefix}If-Unmodified-Since`);
  }
  const unchanged =
    ifNoneMatch !== undefined
      ? listsEtag(ifNoneMatch, version.etag)
      : modifiedSince !== undefined &&
        modifiedMs <= Date.parse(modifiedSince) &&
        // A time in the future is ignored.
        Date.parse(modifiedSince) <= Date.now();
  if (!unchanged) return;
  if (prefix !== '')
    throw preconditionFailed(`${prefix}${ifNoneMatch === undefined ? 'If-Modified-Since' : 'If-None-Match'}`);
  throw new S3Error('NotModified', 'Not Modified', {
    headers: { etag: `"${version.etag}"`, 'last-modified': headerTime(modifiedMs) },
  });
}

function listsEtag(header: string, etag: string): boolean {
  return header.split(',').some((entry) => entry.trim() === '*' || unquote(entry.trim()) === etag);
}

function unquote(etag: string): string {
  return etag.replace(/^"(.*)"$/, '$1');
}

export function preconditionFailed(condition: string): S3Error {
  return new S3Error('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
    fields: { Condition: condition },
  });
}
