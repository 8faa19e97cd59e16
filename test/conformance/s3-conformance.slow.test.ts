/**
 * What rows cannot say of the S3 behaviour that the project relies on: streams, checksums, and writers at the same time. Requests
 * one after the other, and their answers, are rows: `rows.slow.test.ts`; `s3-recorded.nightly.test.ts` has the answers that
 * others recorded.
 *
 * By default the embedded server is tested; for any other one run the following, which creates buckets with new names there
 * and removes them at the end:
 *
 *     S3_ENDPOINT=http://... AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=... [AWS_REGION=...] npx vitest run test/conformance
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type ChecksumAlgorithm,
  GetObjectCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectText } from '../local/s3/object-text.ts';
import { openTarget, requestOutcome, type Target } from './target.ts';

let target: Target;
beforeAll(async () => {
  target = await openTarget(process.env);
});
afterAll(() => target.close());

/** A key that no other test uses. */
const newObject = () => ({ Bucket: target.versionedBucket, Key: `${target.newPrefix()}a` });

async function bytesOf(object: { readonly Bucket: string; readonly Key: string }): Promise<Buffer> {
  const { Body } = await target.client.send(new GetObjectCommand(object));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

/** A stream's checksum is known only at its end, so the SDK sends it after the body, as aws-chunked. */
function stream(bytes: Uint8Array, pieceBytes = 8191): Readable {
  const count = Math.ceil(bytes.length / pieceBytes);
  const pieces = Array.from({ length: count }, (_, k) =>
    bytes.subarray(k * pieceBytes, (k + 1) * pieceBytes),
  );
  return Readable.from(pieces, { objectMode: false });
}

test.each([0, 1, 70_000, 3 << 20])(
  'a body of %i bytes, sent whole or as a stream, is returned byte-identical, with its MD5 as ETag',
  async (size) => {
    const bytes = new Uint8Array(size).map((_, k) => k % 251);
    for (const Body of [bytes, stream(bytes)]) {
      const object = newObject();
      const put = new PutObjectCommand({ ...object, Body, ContentLength: size });
      const { ETag } = await target.client.send(put);
      const head = await target.client.send(new HeadObjectCommand(object));
      expect(ETag).toBe(`"${createHash('md5').update(bytes).digest('hex')}"`);
      expect([head.ETag, head.ContentLength, head.ContentEncoding ?? '']).toEqual([ETag, size, '']);
      expect((await bytesOf(object)).equals(bytes)).toBe(true);
    }
  },
);

/** Of the text 123456789: the check values of the CRC catalogue, and the hashes. */
const CHECK_VALUES: readonly (readonly [ChecksumAlgorithm, string])[] = [
  ['CRC32', Buffer.from('cbf43926', 'hex').toString('base64')],
  ['CRC32C', Buffer.from('e3069283', 'hex').toString('base64')],
  ['SHA1', createHash('sha1').update('123456789').digest('base64')],
  ['SHA256', createHash('sha256').update('123456789').digest('base64')],
];

test.each(CHECK_VALUES)(
  'a %s checksum is stored with the object and returned on request',
  async (algorithm, value) => {
    const name = `Checksum${algorithm}` as 'ChecksumCRC32';
    const bytes = Buffer.from('123456789');
    for (const Body of [bytes, stream(bytes, 4)]) {
      const object = newObject();
      const put = new PutObjectCommand({ ...object, Body, ContentLength: 9, ChecksumAlgorithm: algorithm });
      const { [name]: answered } = await target.client.send(put);
      const head = await target.client.send(new HeadObjectCommand({ ...object, ChecksumMode: 'ENABLED' }));
      expect([answered, head[name]]).toEqual([value, value]);
    }
  },
);

test("the SDK's Upload sends a stream of unknown length in parts", async () => {
  const bytes = Buffer.concat(Array.from({ length: 120 }, (_, k) => Buffer.alloc(100_000, `piece ${k} `)));
  const params = { ...newObject(), Body: stream(bytes, 100_000) };
  const { ETag } = await new Upload({ client: target.client, params }).done();
  expect((await bytesOf(params)).equals(bytes)).toBe(true);
  expect(ETag).toMatch(/-3"$/);
});

const writers = Array.from({ length: 12 }, (_, writer) => `writer ${writer}`);

test('of concurrent writers of a new key exactly one succeeds, and the others get an error', async () => {
  const object = newObject();
  const outcomes = await Promise.all(
    writers.map((Body) =>
      requestOutcome(target.client.send(new PutObjectCommand({ ...object, Body, IfNoneMatch: '*' }))),
    ),
  );
  const winners = writers.filter((_, writer) => outcomes[writer] === 'accepted');
  expect(winners).toHaveLength(1);
  // S3 may return 409 for concurrent writes; the writer then retries.
  const losers = /^(accepted|412 PreconditionFailed|409 ConditionalRequestConflict)$/;
  expect(outcomes.filter((outcome) => !losers.test(outcome))).toEqual([]);
  expect(await objectText(target.client, object)).toBe(winners[0]);
});

test('a counter that is only replaced with If-Match loses no increment', async () => {
  const object = newObject();
  const { client } = target;
  await client.send(new PutObjectCommand({ ...object, Body: '0' }));
  const increment = async (): Promise<void> => {
    const { Body, ETag: IfMatch } = await client.send(new GetObjectCommand(object));
    const next = String(Number(await Body?.transformToString()) + 1);
    const put = new PutObjectCommand({ ...object, Body: next, IfMatch });
    if ((await requestOutcome(client.send(put))) !== 'accepted') await increment();
  };
  await Promise.all(writers.map(increment));
  expect(await objectText(client, object)).toBe(String(writers.length));
});

test('buckets are listed', async () => {
  const { Buckets = [] } = await target.client.send(new ListBucketsCommand({}));
  const expected = [target.versionedBucket, target.plainBucket];
  expect(Buckets.map(({ Name }) => Name)).toEqual(expect.arrayContaining(expected));
});
