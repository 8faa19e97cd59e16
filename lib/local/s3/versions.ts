/**
 * Identifiers of versions and events.
 *
 * A sequence increases with every write: microseconds since 1970, or one more than the last if the clock has not
 * advanced. A version id is its sequence and 16 random bytes in base64url, 32 characters; since it contains its
 * sequence, a listing can continue after a version that was removed in the meantime.
 */
import { randomBytes } from 'node:crypto';

/** The id of versions written while the bucket was not versioned. */
export const NULL_VERSION_ID = 'null';

const SEQUENCE_BYTES = 8;
const RANDOM_BYTES = 16;

/** The sequence after `last`. @param nowMs milliseconds since 1970 */
export function nextSequence(last: number, nowMs: number): number {
  return Math.max(last + 1, Math.floor(nowMs * 1000));
}

/** A new, unique version id. */
export function newVersionId(sequence: number): string {
  const bytes = Buffer.alloc(SEQUENCE_BYTES);
  bytes.writeBigUInt64BE(BigInt(sequence));
  return Buffer.concat([bytes, randomBytes(RANDOM_BYTES)]).toString('base64url');
}

/** The sequence in a version id; `undefined` if the text is not a version id of this server. */
export function sequenceOfVersionId(versionId: string): number | undefined {
  if (!/^[\w-]{32}$/.test(versionId)) return undefined;
  const sequence = Buffer.from(versionId, 'base64url').readBigUInt64BE();
  return sequence <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(sequence) : undefined;
}
