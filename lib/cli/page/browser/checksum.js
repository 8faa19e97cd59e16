/** What tells a file from all others, so that the same one is not sent twice. */

/** A browser hashes only what is in its memory. */
const MAX_HASHED_BYTES = 256 * 1024 * 1024;

/**
 * SHA-256 of a file in hex; undefined for one that is too large to be hashed here, and is sent in any case.
 *
 * @param {Blob} file
 * @returns {Promise<string | undefined>}
 * @throws {DOMException} where it cannot be read, or was changed since it was chosen
 */
export async function blobSha256(file) {
  if (file.size > MAX_HASHED_BYTES) {
    // A file that is gone is found out here and not in the middle.
    await file.slice(0, 1).arrayBuffer();
    return undefined;
  }
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
