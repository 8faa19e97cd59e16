/** The id of a job: equal for all deliveries of the same object version with the same options. */
import type { Hashing } from '../ports.ts';
import { RESULT_SCHEMA } from '../version.ts';

export interface JobIdentity {
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string;
  /** `canonicalOptions`; `canonicalOptionTexts` if they do not parse; empty for a deleted version. */
  readonly options: string;
}

/**
 * The first 16 hex digits of SHA-256 over the identity and the result schema's version.
 *
 * The parts form a JSON array, so that different identities never have the same text.
 */
export function jobIdOf(identity: JobIdentity, hashing: Hashing): string {
  const { bucket, key, versionId, options } = identity;
  return sha256Hex(JSON.stringify([bucket, key, versionId, options, RESULT_SCHEMA]), hashing).slice(0, 16);
}

/** SHA-256 of bytes, or of a text's UTF-8 bytes, as 64 hex digits. */
export function sha256Hex(content: string | Uint8Array, hashing: Hashing): string {
  const hash = hashing.sha256();
  hash.update(typeof content === 'string' ? new TextEncoder().encode(content) : content);
  return hash.hex();
}
