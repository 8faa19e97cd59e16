/** ListObjectsV2: order, pages, prefixes. */

import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { expectError, type Target } from '../target.ts';

/** In the order of their UTF-8 bytes, which differs from that of UTF-16 units: U+FF5A comes before U+1F9E9. */
const ORDERED = [
  '!',
  '-a',
  '/',
  '0',
  'A',
  'Z',
  'a',
  'a!',
  'a/',
  'a/1',
  'a0',
  '\u00e9',
  '\u6570',
  '\uff5a',
  '\u{1F9E9}',
];
const TREE = ['a', 'a/1', 'a/2', 'a/b/3', 'b', 'b/1', 'c/1', 'd'];

export function listingSuite(target: () => Target): void {
  const putAll = async (names: readonly string[]) => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const prefix = newPrefix();
    for (const name of [...names].reverse()) {
      await client.send(new PutObjectCommand({ Bucket, Key: prefix + name, Body: name }));
    }
    const strip = (key = '') => key.slice(prefix.length);
    return { client, Bucket, prefix, strip };
  };

  test('keys are listed in the order of their UTF-8 bytes', async () => {
    const { client, Bucket, prefix, strip } = await putAll(ORDERED);
    const { Contents, KeyCount } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }));
    expect(Contents?.map(({ Key }) => strip(Key))).toEqual(ORDERED);
    expect(KeyCount).toBe(ORDERED.length);
  });

  test('an entry has its size, its ETag and its time', async () => {
    const { client, Bucket, prefix } = await putAll([]);
    const before = Date.now();
    const { ETag } = await client.send(new PutObjectCommand({ Bucket, Key: `${prefix}a`, Body: 'four' }));
    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }));
    expect(Contents?.[0]).toMatchObject({ ETag, Size: 4, StorageClass: 'STANDARD' });
    const minutesOff = Math.abs((Contents?.[0].LastModified?.getTime() ?? 0) - before) / 60_000;
    expect(minutesOff).toBeLessThan(15);
  });

  for (const MaxKeys of [1, 4, 5, ORDERED.length, ORDERED.length + 1]) {
    test(`pages of ${MaxKeys} give every key once, in order`, async () => {
      const { client, Bucket, prefix, strip } = await putAll(ORDERED);
      const found: string[] = [];
      const pages: number[] = [];
      let ContinuationToken: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys, ContinuationToken }),
        );
        found.push(...(page.Contents ?? []).map(({ Key }) => strip(Key)));
        pages.push(page.KeyCount ?? 0);
        expect(page.IsTruncated).toBe(page.NextContinuationToken !== undefined);
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
      expect(found).toEqual(ORDERED);
      expect(pages).toHaveLength(Math.ceil(ORDERED.length / MaxKeys));
    });
  }

  test('start-after starts after its key, even if the key does not exist', async () => {
    const { client, Bucket, prefix, strip } = await putAll(['a', 'b', 'd']);
    for (const name of ['b', 'c']) {
      const { Contents } = await client.send(
        new ListObjectsV2Command({ Bucket, Prefix: prefix, StartAfter: prefix + name }),
      );
      expect(Contents?.map(({ Key }) => strip(Key))).toEqual(['d']);
    }
  });

  test('a delimiter groups keys by prefix', async () => {
    const { client, Bucket, prefix, strip } = await putAll(TREE);
    const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, Delimiter: '/' }));
    expect(page.Contents?.map(({ Key }) => strip(Key))).toEqual(['a', 'b', 'd']);
    expect(page.CommonPrefixes?.map(({ Prefix }) => strip(Prefix))).toEqual(['a/', 'b/', 'c/']);
    expect(page.KeyCount).toBe(6);
  });

  test('a delimiter is searched after the prefix', async () => {
    const { client, Bucket, prefix, strip } = await putAll(TREE);
    const page = await client.send(
      new ListObjectsV2Command({ Bucket, Prefix: `${prefix}a/`, Delimiter: '/' }),
    );
    expect(page.Contents?.map(({ Key }) => strip(Key))).toEqual(['a/1', 'a/2']);
    expect(page.CommonPrefixes?.map(({ Prefix }) => strip(Prefix))).toEqual(['a/b/']);
  });

  for (const MaxKeys of [1, 2, 4]) {
    test(`pages of ${MaxKeys} give every key and every prefix once`, async () => {
      const { client, Bucket, prefix, strip } = await putAll(TREE);
      const found: string[] = [];
      let ContinuationToken: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket, Prefix: prefix, Delimiter: '/', MaxKeys, ContinuationToken }),
        );
        found.push(...(page.Contents ?? []).map(({ Key }) => strip(Key)));
        found.push(...(page.CommonPrefixes ?? []).map(({ Prefix }) => strip(Prefix)));
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
      expect(found.sort()).toEqual(['a', 'a/', 'b', 'b/', 'c/', 'd']);
    });
  }

  test('encoding-type=url encodes keys, prefixes and the delimiter', async () => {
    const { client, Bucket, prefix } = await putAll(['a b+c%\u6570', 'x y/z']);
    const page = await client.send(
      new ListObjectsV2Command({ Bucket, Prefix: prefix, Delimiter: '/', EncodingType: 'url' }),
    );
    const decode = (text = '') => decodeURIComponent(text.replaceAll('+', ' '));
    expect(page.Contents?.[0].Key).toMatch(/^[\w%+./*-]+$/);
    expect(decode(page.Contents?.[0].Key)).toBe(`${prefix}a b+c%\u6570`);
    expect(decode(page.CommonPrefixes?.[0].Prefix)).toBe(`${prefix}x y/`);
    expect(page.EncodingType).toBe('url');
  });

  test('a prefix without keys gives an empty listing', async () => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix: newPrefix() }));
    expect(page).toMatchObject({ KeyCount: 0, IsTruncated: false });
    expect(page.Contents).toBeUndefined();
  });

  test('max-keys 0 gives an empty page that is not truncated', async () => {
    const { client, Bucket, prefix } = await putAll(['a']);
    const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 0 }));
    expect(page).toMatchObject({ KeyCount: 0, IsTruncated: false });
  });

  test('a key whose current version is a delete marker is not listed', async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const prefix = newPrefix();
    for (const name of ['a', 'b/1', 'c']) {
      await client.send(new PutObjectCommand({ Bucket, Key: prefix + name, Body: 'x' }));
    }
    for (const name of ['a', 'b/1'])
      await client.send(new DeleteObjectCommand({ Bucket, Key: prefix + name }));
    const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, Delimiter: '/' }));
    expect(page.Contents?.map(({ Key }) => Key)).toEqual([`${prefix}c`]);
    expect(page.CommonPrefixes).toBeUndefined();
  });

  test('an invalid continuation token is 400', async () => {
    const { client, plainBucket: Bucket } = target();
    const list = new ListObjectsV2Command({ Bucket, ContinuationToken: 'no token' });
    await expectError(client.send(list), '400 InvalidArgument');
  });
}
