/** Bodies of any size, sent whole or as streams, are read as they were written; so are their checksums. */

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type ChecksumAlgorithm,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import type { Target } from '../target.ts';

const ALGORITHMS: ChecksumAlgorithm[] = ['CRC32', 'CRC32C', 'SHA1', 'SHA256'];

export function objectSuite(target: () => Target): void {
  bodyRows(target);
  checksumRows(target);
}

function bodyRows(target: () => Target): void {
  const bodies: [string, () => Uint8Array][] = [
    ['empty', () => new Uint8Array(0)],
    ['one byte', () => new Uint8Array([0])],
    ['70,000 bytes', () => new Uint8Array(70_000).map((_, i) => i % 251)],
    ['3 MiB', () => new Uint8Array(3 << 20).map((_, i) => i % 253)],
  ];
  const ways: [string, (bytes: Uint8Array) => Uint8Array | Readable][] = [
    ['bytes', (bytes) => bytes],
    // A stream's checksum is known only at its end, so the SDK sends it after the body, as aws-chunked.
    ['a stream', (bytes) => Readable.from(cut(bytes, 8191), { objectMode: false })],
  ];
  for (const [size, make] of bodies) {
    for (const [way, wrap] of ways) {
      test(`a body of ${size}, sent as ${way}, is returned byte-identical, with its MD5 as ETag`, async () => {
        const { client, plainBucket: Bucket, newPrefix } = target();
        const Key = `${newPrefix()}a`;
        const bytes = make();
        const put = new PutObjectCommand({ Bucket, Key, Body: wrap(bytes), ContentLength: bytes.length });
        const { ETag } = await client.send(put);
        const got = await client.send(new GetObjectCommand({ Bucket, Key }));
        const gotBytes = (await got.Body?.transformToByteArray()) ?? new Uint8Array(0);
        expect(ETag).toBe(`"${createHash('md5').update(bytes).digest('hex')}"`);
        expect(got.ETag).toBe(ETag);
        expect(got.ContentLength).toBe(bytes.length);
        expect(got.ContentEncoding ?? '').toBe('');
        expect(Buffer.from(bytes).equals(gotBytes)).toBe(true);
      });
    }
  }
}

function checksumRows(target: () => Target): void {
  for (const algorithm of ALGORITHMS) {
    test(`a ${algorithm} checksum is stored with the object and returned on request`, async () => {
      const { client, plainBucket: Bucket, newPrefix } = target();
      const Key = `${newPrefix()}a`;
      const name = `Checksum${algorithm}` as const;
      for (const Body of ['123456789', Readable.from([Buffer.from('1234'), Buffer.from('56789')])]) {
        const put = await client.send(
          new PutObjectCommand({ Bucket, Key, Body, ContentLength: 9, ChecksumAlgorithm: algorithm }),
        );
        const head = await client.send(new HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' }));
        expect(put[name]).toBe(CHECK_VALUES[algorithm]);
        expect(head[name]).toBe(CHECK_VALUES[algorithm]);
      }
    });
  }
}

/** Of the text 123456789: the check values of the CRC catalogue, and the hashes. */
const CHECK_VALUES: Partial<Record<ChecksumAlgorithm, string>> = {
  CRC32: Buffer.from('cbf43926', 'hex').toString('base64'),
  CRC32C: Buffer.from('e3069283', 'hex').toString('base64'),
  SHA1: createHash('sha1').update('123456789').digest('base64'),
  SHA256: createHash('sha256').update('123456789').digest('base64'),
};

function* cut(bytes: Uint8Array, pieceBytes: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
