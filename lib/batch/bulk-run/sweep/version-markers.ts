/** The done markers of input versions, and their order. */
import { resultKeyPart, utf8Head } from '../../delivery/result-keys.ts';
import { MAX_RESULT_KEY_BYTES } from '../../limits.ts';
import { DONE_PREFIX } from '../../names.ts';
import type { Hashing, ObjectVersion } from '../../ports.ts';

/** Bytes of an input key that no cut removes: a cut moves back to the beginning of a character, by at most 3 bytes. */
const UNCUT_BYTES = MAX_RESULT_KEY_BYTES - 3;

/** Version id of an object written without versions; while the bucket has no versions, its job is named by its ETag. */
export const UNVERSIONED = 'null';

/** The possible markers of a version, in UTF-8 order; any of them means that it is done. */
export function markersOf(
  { key, versionId, etag }: Pick<ObjectVersion, 'key' | 'versionId' | 'etag'>,
  hashing: Hashing,
): string[] {
  const folder = `${DONE_PREFIX}${resultKeyPart(key, hashing)}/`;
  if (versionId !== UNVERSIONED) return [folder + versionId];
  return [`${folder}etag-${etag}`, folder + UNVERSIONED];
}

/**
 * The markers of all keys with a prefix begin with this text. It is also a lower bound: no marker of the key `keyPrefix`,
 * or of any key after it in UTF-8 order, sorts before this text.
 */
export function markerPrefix(keyPrefix: string): string {
  // A cut changes nothing in these bytes.
  return DONE_PREFIX + utf8Head(keyPrefix, UNCUT_BYTES);
}
