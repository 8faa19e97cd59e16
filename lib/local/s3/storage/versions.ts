/**
 * Names for versions and events.
 *
 * A sequence is a number that grows with every write and never goes back: microseconds since 1970, or one more
 * than the last where the clock has not moved on, or has moved back. A version id is its sequence and 16 random
 * bytes in base64url, 32 characters; that its place can be read from it lets a listing go on behind a version
 * that was removed meanwhile.
 */

import { randomBytes } from 'node:crypto';

/** The id of what was written while the bucket was not versioned. */
export const NULL_VERSION_ID = 'null';

const SEQUENCE_BYTES = 8;
const RANDOM_BYTES = 16;

/** The sequence after `last`. @param nowMs the time of day, milliseconds since 1970 */
export function nextSequence(last: number, nowMs: number): number {
  return Math.max(last + 1, Math.floor(nowMs * 1000));
}

/** A new version id, unlike any other. */
export function newVersionId(sequence: number): string {
  const bytes = Buffer.alloc(SEQUENCE_BYTES + RANDOM_BYTES);
  bytes.writeBigUInt64BE(BigInt(sequence));
  randomBytes(RANDOM_BYTES).copy(bytes, SEQUENCE_BYTES);
  return bytes.toString('base64url');
}

/** The sequence in a version id; `undefined` where it is none of ours. */
export function sequenceOfVersionId(versionId: string): number | undefined {
  if (!/^[\w-]{32}$/.test(versionId)) return undefined;
  const sequence = Buffer.from(versionId, 'base64url').readBigUInt64BE();
  return sequence <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(sequence) : undefined;
}

/** The sequencer of an event: hexadecimal digits, which for one key sort as its writes came. */
export function sequencerOf(sequence: number): string {
  return sequence.toString(16).toUpperCase().padStart(18, '0');
}
