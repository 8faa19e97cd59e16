/** Keys are opaque: each is its own object, however it looks. */

import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { expectRefused, type Target } from '../target.ts';

/** All of them live side by side, so that two that are mixed up show. */
const KEYS: [row: string, key: string][] = [
  ['a plain name', 'plain.txt'],
  ['a blank', 'a b.txt'],
  ['a plus', 'a+b.txt'],
  ['a percent sign that looks like an escape', 'a%20b.txt'],
  ['an escape of a percent sign', 'a%2520b.txt'],
  ['a slash', 'a/b.txt'],
  ['an escaped slash', 'a%2Fb.txt'],
  ['two slashes', 'a//b.txt'],
  ['a slash at the end', 'a/b.txt/'],
  ['dots that look like a way up', 'a/../b.txt'],
  ['dots that look like a way out', '../../../../etc/passwd'],
  ['a single dot', 'a/./b.txt'],
  ['upper case', 'A/B.TXT'],
  ['markup', `<&>"'.txt`],
  ['what has a meaning in a query', 'a?versionId=b&c=d#e'],
  ['what has a meaning to AWS', "!-_.*'()$@=;:,~"],
  ['a backslash', 'a\\b.txt'],
  ['a composed letter', '\u00e9.txt'],
  ['the same letter decomposed', 'e\u0301.txt'],
  ['an ideogram', '\u6570\u72ec.txt'],
  ['a character above U+FFFF', '\u{1F9E9}.txt'],
];

export function keySuite(target: () => Target): void {
  test.concurrent.for(KEYS)('a key with %s is stored, found and listed as it is', async ([, name]) => {
    const { client, plainBucket: Bucket } = target();
    const Key = `keys/${name}`;
    await client.send(new PutObjectCommand({ Bucket, Key, Body: name }));
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    expect(await Body?.transformToString()).toBe(name);
    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: Key }));
    expect(Contents?.map((object) => object.Key)).toContain(Key);
  });

  test('keys that look alike are different objects', async () => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const prefix = newPrefix();
    for (const [, name] of KEYS)
      await client.send(new PutObjectCommand({ Bucket, Key: prefix + name, Body: name }));
    const found: string[] = [];
    for (const [, name] of KEYS) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: prefix + name }));
      found.push((await Body?.transformToString()) ?? '');
    }
    expect(found).toEqual(KEYS.map(([, name]) => name));
  });

  test('a key may have 1,024 bytes, and no more', async () => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const prefix = newPrefix();
    const longest =
      prefix + '\u6570'.repeat((1024 - prefix.length) / 3) + 'x'.repeat((1024 - prefix.length) % 3);
    expect(Buffer.byteLength(longest)).toBe(1024);
    await client.send(new PutObjectCommand({ Bucket, Key: longest, Body: 'x' }));
    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }));
    expect(Contents?.map(({ Key }) => Key)).toEqual([longest]);
    const tooLong = new PutObjectCommand({ Bucket, Key: `${longest}x`, Body: 'x' });
    await expectRefused(client.send(tooLong), '400 KeyTooLongError');
  });
}
