/** The checksums that clients may send with a body, and that S3 stores with the object. */
import { createHash } from 'node:crypto';
import { Crc32, Crc32c, Crc64NvmeJs } from '@aws-sdk/checksums/crc';
import { invalidRequest } from './errors.ts';

/** A checksum of all bytes of an object or of a part. */
export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  /** Base64, as in headers. */
  readonly value: string;
}

/** A digest of bytes that arrive in pieces; `digest` ends it. */
interface Digest {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array | Promise<Uint8Array>;
}

const DIGESTS = {
  CRC32: () => new Crc32(),
  CRC32C: () => new Crc32c(),
  CRC64NVME: () => new Crc64NvmeJs(),
  SHA1: () => createHash('sha1'),
  SHA256: () => createHash('sha256'),
} satisfies Record<string, () => Digest>;

export type ChecksumAlgorithm = keyof typeof DIGESTS;
export const CHECKSUM_ALGORITHMS = Object.keys(DIGESTS) as ChecksumAlgorithm[];

export function startDigest(algorithm: ChecksumAlgorithm): Digest {
  return DIGESTS[algorithm]();
}

/** In base64, as in headers. */
export async function endDigest(digest: Digest): Promise<string> {
  return Buffer.from(await digest.digest()).toString('base64');
}

/** Reads an algorithm's name. @throws S3Error InvalidRequest */
export function parseChecksumAlgorithm(name: string): ChecksumAlgorithm {
  const algorithm = CHECKSUM_ALGORITHMS.find((known) => known === name.toUpperCase());
  if (algorithm !== undefined) return algorithm;
  throw invalidRequest(
    `Checksum algorithm provided is unsupported. Please try again with any of the valid types: [${CHECKSUM_ALGORITHMS.join(', ')}]`,
  );
}

/** `x-amz-checksum-crc32` and so on. */
export function checksumHeader(algorithm: ChecksumAlgorithm): string {
  return `x-amz-checksum-${algorithm.toLowerCase()}`;
}

/** The response headers of a checksum, if any. */
export function checksumHeaders(checksum: Checksum | undefined): Record<string, string> {
  if (checksum === undefined) return {};
  return { [checksumHeader(checksum.algorithm)]: checksum.value, 'x-amz-checksum-type': 'FULL_OBJECT' };
}
