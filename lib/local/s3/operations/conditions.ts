/**
 * Conditions of requests: what must hold for a read to be answered, or for a write to happen.
 *
 * For a write S3 answers 412 where something else is there, 404 where what was to be replaced is gone, and 409
 * where a delete of that key succeeded while the write was under way.
 */

import { S3Error } from '../http/errors.ts';
import type { S3Request } from '../http/request.ts';
import { headerTime } from '../http/time-formats.ts';
import { type Bucket, currentVersion, type StoredVersion } from '../storage/catalog.ts';

/** What must hold when a write is about to happen. */
export type WriteCondition =
  | { readonly kind: 'none' }
  /** `If-None-Match: *` */
  | { readonly kind: 'absent' }
  /** `If-Match: "etag"` */
  | { readonly kind: 'match'; readonly etag: string };

/** Reads the condition of a write. @throws S3Error NotImplemented for the forms that S3 does not know either */
export function writeCondition(request: S3Request): WriteCondition {
  const ifMatch = request.headers.get('if-match');
  const ifNoneMatch = request.headers.get('if-none-match');
  if (ifMatch === undefined && ifNoneMatch === undefined) return { kind: 'none' };
  if (ifMatch === undefined && ifNoneMatch === '*') return { kind: 'absent' };
  if (ifNoneMatch === undefined && ifMatch !== undefined && ifMatch !== '*') {
    return { kind: 'match', etag: unquote(ifMatch) };
  }
  throw new S3Error('NotImplemented', 'A header you provided implies functionality that is not implemented', {
    fields: { Header: ifNoneMatch === undefined ? 'If-Match' : 'If-None-Match' },
  });
}

/** A conditional write under way. */
export interface WriteGuard {
  /** Throws where the condition does not hold now; the write must follow in the same turn of the event loop. */
  check(bucket: Bucket): void;
  /** To be called when the write is over, whatever came of it. */
  end(): void;
}

interface PendingWrite {
  deletedMeanwhile: boolean;
}

/** The conditional writes under way, by bucket and key: a delete must reach those that it overtakes. */
export class ConditionalWrites {
  readonly #pending = new Map<string, Set<PendingWrite>>();

  /** To be called before the body is read. */
  begin(bucketName: string, key: string, condition: WriteCondition): WriteGuard {
    const place = qualifiedKey(bucketName, key);
    const write: PendingWrite = { deletedMeanwhile: false };
    const writes = this.#pending.get(place) ?? new Set();
    this.#pending.set(place, writes.add(write));
    return {
      check: (bucket) => checkWrite(condition, currentVersion(bucket, key), write.deletedMeanwhile, key),
      end: () => {
        writes.delete(write);
        if (writes.size === 0 && this.#pending.get(place) === writes) this.#pending.delete(place);
      },
    };
  }

  /** Tells the writes under way that their key was deleted. */
  noteDelete(bucketName: string, key: string): void {
    for (const write of this.#pending.get(qualifiedKey(bucketName, key)) ?? []) write.deletedMeanwhile = true;
  }
}

/** A bucket's name holds no slash, so this is unique. */
function qualifiedKey(bucketName: string, key: string): string {
  return `${bucketName}/${key}`;
}

function checkWrite(
  condition: WriteCondition,
  current: StoredVersion | undefined,
  deletedMeanwhile: boolean,
  key: string,
): void {
  if (condition.kind === 'none') return;
  const existing = current?.deleteMarker === true ? undefined : current;
  if (condition.kind === 'match') {
    if (existing === undefined)
      throw new S3Error('NoSuchKey', 'The specified key does not exist.', { fields: { Key: key } });
    if (existing.etag !== condition.etag) throw preconditionFailed('If-Match');
    return;
  }
  if (existing !== undefined) throw preconditionFailed('If-None-Match');
  if (!deletedMeanwhile) return;
  throw new S3Error(
    'ConditionalRequestConflict',
    'The conditional request cannot succeed due to a conflicting operation against this resource.',
    { fields: { Condition: 'If-None-Match', Key: key } },
  );
}

/** Names of the headers that a read's conditions stand in; a copy puts `x-amz-copy-source-` before them. */
const READ_CONDITIONS = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'] as const;

/**
 * Checks a read's conditions, in the order of RFC 9110: an ETag that matches makes the date beside it moot.
 *
 * @param prefix `''`, or `x-amz-copy-source-` for the source of a copy, where 304 becomes 412
 * @throws S3Error PreconditionFailed, NotModified
 */
export function checkReadConditions(request: S3Request, version: StoredVersion, prefix = ''): void {
  const [ifMatch, ifNoneMatch, modifiedSince, unmodifiedSince] = READ_CONDITIONS.map((name) =>
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
      : modifiedSince !== undefined && modifiedMs <= Date.parse(modifiedSince);
  if (!unchanged) return;
  if (prefix !== '') throw preconditionFailed(`${prefix}If-None-Match`);
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

function preconditionFailed(condition: string): S3Error {
  return new S3Error('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
    fields: { Condition: condition },
  });
}
