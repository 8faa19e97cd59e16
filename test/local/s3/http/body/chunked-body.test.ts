import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifySignature } from '../../../../../lib/local/s3/http/auth/signature.ts';
import {
  type ChunkedBodyOptions,
  decodeChunkedBody,
} from '../../../../../lib/local/s3/http/body/chunked-body.ts';
import {
  CHUNKED_BODY,
  CHUNKED_DATA,
  chunkedExample,
  EXAMPLE_CREDENTIALS,
  EXAMPLE_TIME_MS,
  TRAILER_BODY,
  trailerExample,
} from '../../aws-example.ts';

const SIGNED: ChunkedBodyOptions = {
  decodedLength: CHUNKED_DATA.length,
  signature: verifySignature(chunkedExample(), EXAMPLE_CREDENTIALS, EXAMPLE_TIME_MS),
  trailerNames: [],
};
const SIGNED_WITH_TRAILER: ChunkedBodyOptions = {
  ...SIGNED,
  signature: verifySignature(trailerExample(), EXAMPLE_CREDENTIALS, EXAMPLE_TIME_MS),
  trailerNames: ['x-amz-checksum-crc32c'],
};
const UNSIGNED: ChunkedBodyOptions = {
  decodedLength: 9,
  signature: undefined,
  trailerNames: ['x-amz-checksum-crc32'],
};
const UNSIGNED_BODY = Buffer.from('5\r\n12345\r\n4\r\n6789\r\n0\r\nx-amz-checksum-crc32:y/Q5Jg==\r\n\r\n');

async function decode(body: Uint8Array, options: ChunkedBodyOptions, pieceBytes = body.length) {
  const pieces = async function* () {
    for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes);
  };
  const trailers = new Map<string, string>();
  const data: Uint8Array[] = [];
  for await (const piece of decodeChunkedBody(pieces(), options, trailers)) data.push(Buffer.from(piece));
  return { data: Buffer.concat(data), trailers: Object.fromEntries(trailers) };
}

describe('for any split of the bytes', () => {
  for (const pieceBytes of [1, 2, 3, 85, 86, 87, 8192, 65_537]) {
    test(`into pieces of ${pieceBytes}, signed chunks give the data of the reference example`, async () => {
      const { data } = await decode(CHUNKED_BODY, SIGNED, pieceBytes);
      expect(data.equals(CHUNKED_DATA)).toBe(true);
    });
  }

  test('signed chunks with a trailer give the data and the trailer', async () => {
    const { data, trailers } = await decode(TRAILER_BODY, SIGNED_WITH_TRAILER, 1000);
    expect(data.equals(CHUNKED_DATA)).toBe(true);
    expect(trailers).toEqual({ 'x-amz-checksum-crc32c': 'sOO8/Q==' });
  });

  test('unsigned chunks give the data and the trailer', async () => {
    for (let pieceBytes = 1; pieceBytes <= UNSIGNED_BODY.length; pieceBytes++) {
      const { data, trailers } = await decode(UNSIGNED_BODY, UNSIGNED, pieceBytes);
      expect(data.toString()).toBe('123456789');
      expect(trailers).toEqual({ 'x-amz-checksum-crc32': 'y/Q5Jg==' });
    }
  });
});

test('a body truncated at any byte is incomplete', async () => {
  for (let length = 0; length < UNSIGNED_BODY.length; length++) {
    const decoding = decode(UNSIGNED_BODY.subarray(0, length), UNSIGNED);
    await expect(decoding, `${length} bytes`).rejects.toMatchObject({ code: 'IncompleteBody' });
  }
});

test('a changed byte of signed data or of a signature is detected', async () => {
  const offsets = fc.integer({ min: 0, max: TRAILER_BODY.length - 5 });
  await fc.assert(
    fc.asyncProperty(offsets, fc.integer({ min: 1, max: 255 }), async (offset, change) => {
      const changed = Buffer.from(TRAILER_BODY);
      changed[offset] ^= change;
      // The case of a letter has no meaning in a hexadecimal size or a trailer's name.
      fc.pre(changed.toString('latin1').toLowerCase() !== TRAILER_BODY.toString('latin1').toLowerCase());
      await expect(decode(changed, SIGNED_WITH_TRAILER)).rejects.toThrow();
    }),
  );
});

const REJECTED: [row: string, body: string, code: string][] = [
  ['a size that is not a number', 'x\r\n', 'InvalidRequest'],
  ['a negative size', '-1\r\n', 'InvalidRequest'],
  ['an endless line', '1'.repeat(10_000), 'InvalidRequest'],
  ['a chunk that is longer than its size', '5\r\n123456\r\n', 'InvalidRequest'],
  ['less data than declared', '5\r\n12345\r\n0\r\nx-amz-checksum-crc32:x\r\n\r\n', 'IncompleteBody'],
  ['more data than declared', 'a\r\n1234567890\r\n0\r\nx-amz-checksum-crc32:x\r\n\r\n', 'IncompleteBody'],
  ['an undeclared trailer', '9\r\n123456789\r\n0\r\nx-amz-checksum-sha1:x\r\n\r\n', 'InvalidRequest'],
  ['a missing declared trailer', '9\r\n123456789\r\n0\r\n\r\n', 'InvalidRequest'],
];

test.for(REJECTED)('a body with %s is rejected', async ([, body, code]) => {
  await expect(decode(Buffer.from(body), UNSIGNED)).rejects.toMatchObject({ code });
});

test('chunks without signatures are rejected in a signed stream', async () => {
  const body = Buffer.from(
    CHUNKED_BODY.toString('latin1').replace(/;chunk-signature=[0-9a-f]+/g, ''),
    'latin1',
  );
  await expect(decode(body, SIGNED)).rejects.toMatchObject({ code: 'SignatureDoesNotMatch' });
});
