/** The done markers of an input version, and where in their order those of all further keys begin. */

import { resultKeyPart } from '../../delivery/result-keys.ts';
import { MAX_RESULT_KEY_BYTES } from '../../limits.ts';
import { DONE_PREFIX } from '../../names.ts';
import type { Hashing, ObjectVersion } from '../../ports.ts';

/** Bytes of an input key that every result key has: a cut goes back to the beginning of a character, at most 3 bytes. */
const SURE_BYTES = MAX_RESULT_KEY_BYTES - 3;

/** Version id of what was written without versions; its job is named by its ETag where the bucket still keeps none. */
export const UNVERSIONED = 'null';

/** The markers, any of which says that a version is done, in UTF-8 order. */
export function markersOf(
  { key, versionId, etag }: Pick<ObjectVersion, 'key' | 'versionId' | 'etag'>,
  hashing: Hashing,
): string[] {
  const folder = `${DONE_PREFIX}${resultKeyPart(key, hashing)}/`;
  if (versionId !== UNVERSIONED) return [folder + versionId];
  return [`${folder}etag-${etag}`, folder + UNVERSIONED];
}

/** What the markers of a prefix of keys begin with. */
export function markerPrefix(keyPrefix: string): string {
  return DONE_PREFIX + uncutPrefix(keyPrefix);
}

/** No marker of this key, or of any key behind it in UTF-8 order, comes before this text. */
export function lowestMarker(key: string): string {
  return DONE_PREFIX + uncutPrefix(key);
}

/** The longest beginning, of whole characters, that no cut touches. */
function uncutPrefix(key: string): string {
  if (key.length * 3 <= SURE_BYTES) return key;
  const bytes = new TextEncoder().encode(key);
  if (bytes.length <= SURE_BYTES) return key;
  let end = SURE_BYTES;
  while ((bytes[end]! & 0b1100_0000) === 0b1000_0000) end--;
  return new TextDecoder().decode(bytes.subarray(0, end));
}
