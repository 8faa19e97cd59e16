/**
 * Keys in the results bucket.
 *
 *     results/<input key>/<jobId>/manifest.json          the commit
 *     results/<input key>/<jobId>/<attempt>/<file>       one attempt's files
 *     results/<input key>/latest.json                    the newest version's outcome
 *     rejects/<input key>/<jobId>/error.json
 *     done/<input key>/<version id>
 *     status/<input key>/<jobId>.json
 *
 * S3 limits a key to 1,024 bytes, so an input key over 800 bytes is truncated at a character and followed by `~` and 16
 * hex digits of the whole key's SHA-256, which keep it unique; the manifest has the whole key.
 */

import { MAX_RESULT_KEY_BYTES } from '../limits.ts';
import { DONE_PREFIX, REJECTS_PREFIX, RESULTS_PREFIX, STATUS_PREFIX } from '../names.ts';
import type { Hashing } from '../ports.ts';
import { sha256Hex } from './job-id.ts';

/** The input key as a part of result keys. */
export function resultKeyPart(inputKey: string, hashing: Hashing): string {
  const head = utf8Head(inputKey, MAX_RESULT_KEY_BYTES);
  return head === inputKey ? inputKey : `${head}~${sha256Hex(inputKey, hashing).slice(0, 16)}`;
}

/** The longest beginning of whole characters that has at most `maxBytes` bytes in UTF-8. */
export function utf8Head(text: string, maxBytes: number): string {
  // A unit of UTF-16 has at most three bytes.
  if (text.length * 3 <= maxBytes) return text;
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while ((bytes[end]! & 0b1100_0000) === 0b1000_0000) end--;
  return new TextDecoder().decode(bytes.subarray(0, end));
}

export function jobKeys(inputKey: string, versionId: string, jobId: string, hashing: Hashing) {
  const part = resultKeyPart(inputKey, hashing);
  const folder = `${RESULTS_PREFIX}${part}/${jobId}/`;
  return {
    /** Ends in `/`; contains the manifest and the attempts' folders. */
    folder,
    manifest: `${folder}manifest.json`,
    latest: `${RESULTS_PREFIX}${part}/latest.json`,
    reject: `${REJECTS_PREFIX}${part}/${jobId}/error.json`,
    done: `${DONE_PREFIX}${part}/${versionId}`,
    status: `${STATUS_PREFIX}${part}/${jobId}.json`,
    /** The folder of one attempt's files, ending in `/`. */
    attempt: (attemptId: string) => `${folder}${attemptId}/`,
  };
}
