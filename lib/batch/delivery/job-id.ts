/** A job's identity: the same object version and options are the same job, however often they are delivered. */
import type { Hashing } from '../ports.ts';
import { RESULT_SCHEMA } from '../version.ts';

export interface JobIdentity {
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string;
  /** `canonicalOptions`; `canonicalTexts` where they cannot be read; empty for a version that is gone. */
  readonly options: string;
}

/**
 * The first 16 hex digits of SHA-256 over the identity and the result schema's version.
 *
 * The parts are joined as a JSON array, so that no two identities can run together into the same text.
 */
export function jobIdOf(identity: JobIdentity, hashing: Hashing): string {
  const { bucket, key, versionId, options } = identity;
  return sha256Hex(JSON.stringify([bucket, key, versionId, options, RESULT_SCHEMA]), hashing).slice(0, 16);
}

/** SHA-256 of a text's UTF-8 bytes, as 64 hex digits. */
export function sha256Hex(text: string, hashing: Hashing): string {
  const hash = hashing.sha256();
  hash.update(new TextEncoder().encode(text));
  return hash.hex();
}
