/** Ranges of an object, and response headers set by the request. */

import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { expectError, type Target } from '../target.ts';

const TEXT = '0123456789';

const RANGES: [row: string, range: string, text: string, contentRange: string | undefined][] = [
  ['the first bytes', 'bytes=0-3', '0123', 'bytes 0-3/10'],
  ['bytes in the middle', 'bytes=4-6', '456', 'bytes 4-6/10'],
  ['one byte', 'bytes=9-9', '9', 'bytes 9-9/10'],
  ['all bytes from an offset', 'bytes=7-', '789', 'bytes 7-9/10'],
  ['the last bytes', 'bytes=-2', '89', 'bytes 8-9/10'],
  ['more last bytes than exist', 'bytes=-99', TEXT, 'bytes 0-9/10'],
  ['a range that ends after the object', 'bytes=8-99', '89', 'bytes 8-9/10'],
  ['all bytes for a range that ends before its start', 'bytes=5-2', TEXT, undefined],
  ['all bytes for a range in another unit', 'lines=0-1', TEXT, undefined],
];

export function rangeSuite(target: () => Target): void {
  const putText = async () => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}a`;
    await client.send(new PutObjectCommand({ Bucket, Key, Body: TEXT }));
    return { client, Bucket, Key };
  };

  for (const [row, Range, text, contentRange] of RANGES) {
    test(`GET gives ${row}`, async () => {
      const { client, Bucket, Key } = await putText();
      const got = await client.send(new GetObjectCommand({ Bucket, Key, Range }));
      expect(await got.Body?.transformToString()).toBe(text);
      expect(got.$metadata.httpStatusCode).toBe(contentRange === undefined ? 200 : 206);
      expect(got.ContentRange).toBe(contentRange);
      expect(got.ContentLength).toBe(text.length);
    });
  }

  for (const Range of ['bytes=10-', 'bytes=10-12', 'bytes=-0']) {
    test(`a range without a byte in the object, ${Range}, is 416`, async () => {
      const { client, Bucket, Key } = await putText();
      await expectError(client.send(new GetObjectCommand({ Bucket, Key, Range })), '416 InvalidRange');
    });
  }

  test('HEAD treats a range as GET does', async () => {
    const { client, Bucket, Key } = await putText();
    const head = await client.send(new HeadObjectCommand({ Bucket, Key, Range: 'bytes=2-4' }));
    expect(head.$metadata.httpStatusCode).toBe(206);
    expect(head.ContentLength).toBe(3);
  });

  test('parameters of the request override headers of the response', async () => {
    const { client, Bucket, Key } = await putText();
    const got = await client.send(
      new GetObjectCommand({
        Bucket,
        Key,
        ResponseContentType: 'text/csv',
        ResponseContentDisposition: 'attachment; filename="b.csv"',
        ResponseCacheControl: 'max-age=60',
      }),
    );
    await got.Body?.transformToByteArray();
    expect(got.ContentType).toBe('text/csv');
    expect(got.ContentDisposition).toBe('attachment; filename="b.csv"');
    expect(got.CacheControl).toBe('max-age=60');
  });
}
