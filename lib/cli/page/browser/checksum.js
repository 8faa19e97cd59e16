/** Checksums of files, so that an unchanged file is not sent twice. */

/** Browsers can hash only data in memory. */
const MAX_HASHED_BYTES = 256 * 1024 * 1024;

/**
 * Returns the SHA-256 of a file in hex; undefined for a file that is too large to hash, which is always sent.
 *
 * @param {Blob} file
 * @returns {Promise<string | undefined>}
 * @throws {DOMException} if it cannot be read, or changed after it was chosen
 */
export async function blobSha256(file) {
  if (file.size > MAX_HASHED_BYTES) {
    // Detects a missing file before the upload starts.
    await file.slice(0, 1).arrayBuffer();
    return undefined;
  }
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
