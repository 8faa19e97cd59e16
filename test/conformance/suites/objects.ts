/** Objects: reads return what was written, and corrupted bodies are not stored. */

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type ChecksumAlgorithm,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { expect, test } from 'vitest';
import { objectText } from '../../local/s3/object-text.ts';
import { expectError, type Target } from '../target.ts';

const ALGORITHMS: ChecksumAlgorithm[] = ['CRC32', 'CRC32C', 'SHA1', 'SHA256'];

export function objectSuite(target: () => Target): void {
  bodyRows(target);
  checksumRows(target);

  test('GET and HEAD return headers and metadata', async () => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}a`;
    const stored = {
      ContentType: 'text/plain; charset=utf-8',
      ContentEncoding: 'gzip',
      ContentDisposition: 'attachment; filename="a b.txt"',
      ContentLanguage: 'fr',
      CacheControl: 'no-cache',
      Metadata: { 'dlx-engine': 'bitboard', 'dlx-box': '2x3', 'with-spaces': 'a b  c' },
    };
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'x', ...stored }));
    const { Body, ...got } = await client.send(new GetObjectCommand({ Bucket, Key }));
    await Body?.transformToByteArray();
    const head = await client.send(new HeadObjectCommand({ Bucket, Key }));
    expect(got).toMatchObject({ ...stored, ContentLength: 1, AcceptRanges: 'bytes' });
    expect(head).toMatchObject({
      ...stored,
      ContentLength: 1,
      ETag: got.ETag,
      LastModified: got.LastModified,
    });
  });

  test('an object without a content type is binary/octet-stream', async () => {
    const { client, plainBucket: Bucket, newPrefix, otherClient } = target();
    const Key = `${newPrefix()}a`;
    // The SDK sends its own default type; fetch sends none for bytes.
    const signer = otherClient({ requestChecksumCalculation: 'WHEN_REQUIRED' });
    const url = await getSignedUrl(signer, new PutObjectCommand({ Bucket, Key }), { expiresIn: 60 });
    expect((await fetch(url, { method: 'PUT', body: new Uint8Array([1]) })).status).toBe(200);
    const head = await client.send(new HeadObjectCommand({ Bucket, Key }));
    expect(head.ContentType).toBe('binary/octet-stream');
  });

  test('metadata over 2 KB is rejected', async () => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const put = new PutObjectCommand({
      Bucket,
      Key: newPrefix(),
      Body: 'x',
      Metadata: { long: 'x'.repeat(2045) },
    });
    await expectError(client.send(put), '400 MetadataTooLarge');
  });

  test('a read immediately after an overwrite returns the new bytes', async () => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}a`;
    for (const text of ['one', 'two', 'three', 'four']) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body: text }));
      expect(await objectText(client, { Bucket, Key })).toBe(text);
    }
  });

  test('a missing key is 404 NoSuchKey, and 404 without a code for HEAD', async () => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const Key = newPrefix();
    await expectError(client.send(new GetObjectCommand({ Bucket, Key })), '404 NoSuchKey');
    await expectError(client.send(new HeadObjectCommand({ Bucket, Key })), '404 NotFound');
  });

  test('a missing bucket is 404 NoSuchBucket', async () => {
    const { client, plainBucket, newPrefix } = target();
    const Bucket = `${plainBucket}-missing`;
    await expectError(client.send(new GetObjectCommand({ Bucket, Key: newPrefix() })), '404 NoSuchBucket');
    await expectError(client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'x' })), '404 NoSuchBucket');
  });

  test('a deleted object no longer exists, and deleting it again succeeds', async () => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}a`;
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
    for (let round = 0; round < 2; round++) {
      const { $metadata } = await client.send(new DeleteObjectCommand({ Bucket, Key }));
      expect($metadata.httpStatusCode).toBe(204);
      await expectError(client.send(new GetObjectCommand({ Bucket, Key })), '404 NoSuchKey');
    }
  });

  test('several keys are deleted in one request, including missing ones', async () => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const prefix = newPrefix();
    const keys = ['a', 'b & <c>', 'd\u{1F600}'].map((name) => prefix + name);
    for (const Key of keys) await client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
    const Objects = [...keys, `${prefix}missing`].map((Key) => ({ Key }));
    const { Deleted, Errors } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    expect(Errors).toBeUndefined();
    expect(Deleted?.map(({ Key }) => Key).sort()).toEqual(Objects.map(({ Key }) => Key).sort());
    for (const Key of keys)
      await expectError(client.send(new HeadObjectCommand({ Bucket, Key })), '404 NotFound');
  });
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

  test('a body with a wrong checksum is rejected, and nothing is stored', async () => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}a`;
    const put = new PutObjectCommand({ Bucket, Key, Body: 'x', ChecksumCRC32: 'AAAAAA==' });
    await expectError(client.send(put), '400 BadDigest');
    await expectError(client.send(new HeadObjectCommand({ Bucket, Key })), '404 NotFound');
  });

  test('a body with a wrong Content-MD5 is rejected, and nothing is stored', async () => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}a`;
    const ContentMD5 = createHash('md5').update('y').digest('base64');
    await expectError(
      client.send(new PutObjectCommand({ Bucket, Key, Body: 'x', ContentMD5 })),
      '400 BadDigest',
    );
    await expectError(client.send(new HeadObjectCommand({ Bucket, Key })), '404 NotFound');
  });

  test('an invalid Content-MD5 is rejected', async () => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const put = new PutObjectCommand({ Bucket, Key: newPrefix(), Body: 'x', ContentMD5: 'bm8gbWQ1' });
    await expectError(client.send(put), '400 InvalidDigest');
  });
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
