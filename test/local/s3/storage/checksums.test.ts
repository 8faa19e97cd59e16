import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ChecksumAlgorithm,
  checkChecksumType,
  combineChecksums,
  startChecksum,
} from '../../../../lib/local/s3/storage/checksums.ts';

/** Of the text 123456789: the check values of the CRC catalogue, and the output of sha1sum and sha256sum. */
const CHECK_VALUES: [algorithm: ChecksumAlgorithm, hex: string][] = [
  ['CRC32', 'cbf43926'],
  ['CRC32C', 'e3069283'],
  ['CRC64NVME', 'ae8b14860a799888'],
  ['SHA1', 'f7c3bc1d808e04732adf679965ccc34ca7ae3441'],
  ['SHA256', '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225'],
];

function checksumOf(algorithm: ChecksumAlgorithm, pieces: readonly Uint8Array[]): string {
  const digest = startChecksum(algorithm);
  for (const piece of pieces) digest.update(piece);
  return digest.digest().toString('base64');
}

describe.for(CHECK_VALUES)('%s', ([algorithm, hex]) => {
  test('has its check value', () => {
    const found = checksumOf(algorithm, [Buffer.from('123456789')]);
    expect(Buffer.from(found, 'base64').toString('hex')).toBe(hex);
  });

  test('does not depend on how the bytes are split', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 20 })), (pieces) => {
        expect(checksumOf(algorithm, pieces)).toBe(checksumOf(algorithm, [Buffer.concat(pieces)]));
      }),
    );
  });
});

describe('the checksum of parts', () => {
  const crcs: ChecksumAlgorithm[] = ['CRC32', 'CRC32C', 'CRC64NVME'];
  test.for(crcs)(
    'for the full object, combined from the %s of each, equals that of all bytes',
    (algorithm) => {
      const parts = fc.array(fc.uint8Array({ maxLength: 70 }), { minLength: 1, maxLength: 5 });
      fc.assert(
        fc.property(parts, (pieces) => {
          const joined = combineChecksums(
            algorithm,
            'FULL_OBJECT',
            pieces.map((piece) => ({ value: checksumOf(algorithm, [piece]), bytes: piece.length })),
          );
          expect(joined.value).toBe(checksumOf(algorithm, pieces));
        }),
      );
    },
  );

  test('as a composite is that of their checksums, followed by their number', () => {
    const values = ['a', 'b'].map((text) => checksumOf('SHA256', [Buffer.from(text)]));
    const all = checksumOf(
      'SHA256',
      values.map((value) => Buffer.from(value, 'base64')),
    );
    const parts = values.map((value) => ({ value, bytes: 1 }));
    expect(combineChecksums('SHA256', 'COMPOSITE', parts)).toEqual({
      algorithm: 'SHA256',
      type: 'COMPOSITE',
      value: `${all}-2`,
    });
  });
});

test.for([
  ['SHA1', 'FULL_OBJECT'],
  ['SHA256', 'FULL_OBJECT'],
  ['CRC64NVME', 'COMPOSITE'],
  ['CRC32', 'OTHER'],
] as const)('an upload with %s cannot be %s', ([algorithm, type]) => {
  expect(() => checkChecksumType(algorithm, type)).toThrow('cannot be used with');
});
