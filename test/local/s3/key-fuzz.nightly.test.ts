import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ListObjectsV2CommandOutput } from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareUtf8 } from '../../../lib/batch/storage/key-order.ts';
import { codePoint } from '../../support/code-points.ts';
import { objectText } from './object-text.ts';
import { startTestServer, type TestServer } from './test-server.ts';
import { PLAIN_BUCKET } from './test-server-names.ts';

/** Texts with a meaning in a path, a URL, XML, JSON or a file system. */
const PIECES = [
  ' ',
  '\n',
  'x'.repeat(200),
  ...String.raw`.. . / // \ % %2e%2e %00 + ? # & < " ' ; : * | ~ CON nul.txt .git A a`.split(' '),
  ...'e\u0301 \u00e9 \u2028 \u{1F9E9} \uffff \u0001 \u007f'.split(' '),
];

const anyKey = fc
  .oneof(
    fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join('')),
    fc.string({ unit: codePoint, minLength: 1, maxLength: 40 }),
  )
  .filter((key) => key.isWellFormed() && Buffer.byteLength(key) <= 1024);

async function listAll(server: TestServer): Promise<string[]> {
  const keys: string[] = [];
  let ContinuationToken: string | undefined;
  do {
    const page: ListObjectsV2CommandOutput = await server.client.listObjectsV2({
      Bucket: PLAIN_BUCKET,
      EncodingType: 'url',
      MaxKeys: 7,
      ContinuationToken,
    });
    for (const { Key = '' } of page.Contents ?? []) keys.push(decodeURIComponent(Key.replaceAll('+', ' ')));
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
  return keys;
}

test('any keys are distinct, stay inside the folder, and survive a restart', async () => {
  const server = await startTestServer();
  const stored = new Map<string, string>();
  const read = (Key: string) => objectText(server.client, { Bucket: PLAIN_BUCKET, Key });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(anyKey, { minLength: 1, maxLength: 4 }), async (keys) => {
      for (const Key of keys) {
        const text = `object ${++count}`;
        await server.client.putObject({ Bucket: PLAIN_BUCKET, Key, Body: text });
        stored.set(Key, text);
      }
      for (const key of keys) expect(await read(key)).toBe(stored.get(key));
    }),
  );
  await server.restart();
  expect(await listAll(server)).toEqual([...stored.keys()].sort(compareUtf8));
  for (const [key, text] of stored) expect(await read(key)).toBe(text);
  expect(await readdir(dirname(server.dataDir))).toEqual(['data']);
  expect((await readdir(server.dataDir)).sort()).toEqual(['journal.jsonl', 'objects', 'server.pid']);
});
