/** Keys are opaque: different keys are different objects. */

import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { objectText } from '../../local/s3/object-text.ts';
import { expectError, type Target } from '../target.ts';

/** All keys exist at the same time, so that a mix-up of two keys is detected. */
const KEYS: [row: string, key: string][] = [
  ['a plain name', 'plain.txt'],
  ['a space', 'a b.txt'],
  ['a plus', 'a+b.txt'],
  ['a percent sign that looks like an escape', 'a%20b.txt'],
  ['an escape of a percent sign', 'a%2520b.txt'],
  ['a slash', 'a/b.txt'],
  ['an escaped slash', 'a%2Fb.txt'],
  ['two slashes', 'a//b.txt'],
  ['a slash at the end', 'a/b.txt/'],
  ['dots like a parent folder', 'a/../b.txt'],
  ['dots like a path out of the folder', '../../../../etc/passwd'],
  ['a single dot', 'a/./b.txt'],
  ['upper case', 'A/B.TXT'],
  ['markup', `<&>"'.txt`],
  ['characters with a meaning in a query', 'a?versionId=b&c=d#e'],
  ['special characters of AWS', "!-_.*'()$@=;:,~"],
  ['a backslash', 'a\\b.txt'],
  ['a composed letter', '\u00e9.txt'],
  ['the same letter decomposed', 'e\u0301.txt'],
  ['an ideogram', '\u6570\u72ec.txt'],
  ['a character above U+FFFF', '\u{1F9E9}.txt'],
];

export function keySuite(target: () => Target): void {
  test.concurrent.for(KEYS)('a key with %s is stored, found and listed unchanged', async ([, name]) => {
    const { client, plainBucket: Bucket } = target();
    const Key = `keys/${name}`;
    await client.send(new PutObjectCommand({ Bucket, Key, Body: name }));
    expect(await objectText(client, { Bucket, Key })).toBe(name);
    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: Key }));
    expect(Contents?.map((object) => object.Key)).toContain(Key);
  });

  test('similar keys are different objects', async () => {
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

  test('a key may have at most 1,024 bytes', async () => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const prefix = newPrefix();
    const longest =
      prefix + '\u6570'.repeat((1024 - prefix.length) / 3) + 'x'.repeat((1024 - prefix.length) % 3);
    expect(Buffer.byteLength(longest)).toBe(1024);
    await client.send(new PutObjectCommand({ Bucket, Key: longest, Body: 'x' }));
    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }));
    expect(Contents?.map(({ Key }) => Key)).toEqual([longest]);
    const tooLong = new PutObjectCommand({ Bucket, Key: `${longest}x`, Body: 'x' });
    await expectError(client.send(tooLong), '400 KeyTooLongError');
  });
}
