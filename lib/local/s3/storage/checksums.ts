/** The checksums that clients may send with a body, and that S3 stores with the object. */

import { createHash } from 'node:crypto';
import { S3Error } from '../http/errors.ts';
import {
  CRC32,
  CRC32C,
  CRC64NVME,
  type CrcKind,
  combineCrcs,
  crcBytes,
  type Digest,
  startCrc,
} from './crc.ts';

export const CHECKSUM_ALGORITHMS = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const;
export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number];

/** Length of a checksum. */
export const CHECKSUM_BYTES: Readonly<Record<ChecksumAlgorithm, number>> = {
  CRC32: 4,
  CRC32C: 4,
  CRC64NVME: 8,
  SHA1: 20,
  SHA256: 32,
};

/** Of the whole object, or of its parts' checksums (the value then ends in `-` and their number). */
export type ChecksumType = 'FULL_OBJECT' | 'COMPOSITE';

/** A checksum stored with an object or a part. */
export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  /** Base64, as in headers. */
  readonly value: string;
  readonly type: ChecksumType;
}

const CRC_KINDS: Partial<Record<ChecksumAlgorithm, CrcKind>> = { CRC32, CRC32C, CRC64NVME };

export function startChecksum(algorithm: ChecksumAlgorithm): Digest {
  const kind = CRC_KINDS[algorithm];
  return kind === undefined ? createHash(algorithm.toLowerCase()) : startCrc(kind);
}

/** Reads an algorithm's name in any case. @throws S3Error InvalidRequest */
export function parseChecksumAlgorithm(name: string): ChecksumAlgorithm {
  const algorithm = CHECKSUM_ALGORITHMS.find((known) => known === name.toUpperCase());
  if (algorithm !== undefined) return algorithm;
  throw new S3Error(
    'InvalidRequest',
    `Checksum algorithm provided is unsupported. Please try again with any of the valid types: [${CHECKSUM_ALGORITHMS.join(', ')}]`,
  );
}

/** `x-amz-checksum-crc32` and so on. */
export function checksumHeader(algorithm: ChecksumAlgorithm): string {
  return `x-amz-checksum-${algorithm.toLowerCase()}`;
}

/** The checksum's name in XML: `ChecksumCRC32` and so on. */
export function checksumElement(algorithm: ChecksumAlgorithm): string {
  return `Checksum${algorithm}`;
}

/** The response headers of a checksum, if any. */
export function checksumHeaders(checksum: Checksum | undefined): Record<string, string> {
  if (checksum === undefined) return {};
  return { [checksumHeader(checksum.algorithm)]: checksum.value, 'x-amz-checksum-type': checksum.type };
}

/** The type if a request names none; S3 has no composite CRC64. */
export function defaultChecksumType(algorithm: ChecksumAlgorithm): ChecksumType {
  return algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE';
}

/** @throws S3Error InvalidRequest for an unsupported type: hashes cannot be combined, and S3 has no composite CRC64 */
export function checkChecksumType(algorithm: ChecksumAlgorithm, type: string): ChecksumType {
  const allowed = algorithm.startsWith('SHA')
    ? ['COMPOSITE']
    : algorithm === 'CRC64NVME'
      ? ['FULL_OBJECT']
      : ['COMPOSITE', 'FULL_OBJECT'];
  if (allowed.includes(type)) return type as ChecksumType;
  throw new S3Error(
    'InvalidRequest',
    `The ${type} checksum type cannot be used with the ${algorithm.toLowerCase()} checksum algorithm.`,
  );
}

/** The checksum of an object from those of its parts, each with its length in bytes. */
export function combineChecksums(
  algorithm: ChecksumAlgorithm,
  type: ChecksumType,
  parts: readonly { readonly value: string; readonly bytes: number }[],
): Checksum {
  const digests = parts.map((part) => Buffer.from(part.value, 'base64'));
  if (type === 'COMPOSITE') {
    const digest = startChecksum(algorithm);
    digest.update(Buffer.concat(digests));
    return { algorithm, type, value: `${digest.digest().toString('base64')}-${parts.length}` };
  }
  const kind = CRC_KINDS[algorithm];
  if (kind === undefined) throw new Error(`${algorithm} has no full-object checksum of parts`);
  const joined = digests
    .map((digest) => BigInt(`0x${digest.toString('hex')}`))
    .reduce((all, crc, index) => (index === 0 ? crc : combineCrcs(kind, all, crc, parts[index]!.bytes)));
  return { algorithm, type, value: crcBytes(kind, joined).toString('base64') };
}
