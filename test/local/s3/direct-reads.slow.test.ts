/** Listings without HTTP give what the same listings by HTTP give. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { s3ClientFor } from '../../../lib/aws/s3-client.ts';
import { s3Store } from '../../../lib/aws/s3-store.ts';
import type { ObjectStore } from '../../../lib/batch/ports.ts';
import { Storage } from '../../../lib/local/s3/storage.ts';
import { collected } from '../../support/collected.ts';
import { startS3Server } from '../../support/start-s3-server.ts';
import { temporaryFolder } from '../fixture-function.ts';
import { BUCKET, PLAIN_BUCKET, TEST_CREDENTIALS } from './test-server-names.ts';

/** More than a batch and a page, with versions, delete markers, and other prefixes. */
const KEYS = Array.from({ length: 1100 }, (_, k) => `inbox/${k % 7 === 0 ? 'ü ' : ''}${k}.txt`);

async function startStores(): Promise<Record<'direct' | 'http', ObjectStore>> {
  const dataDir = join(temporaryFolder(), 's3');
  const fail = (error: unknown) => {
    throw error;
  };
  const storage = await Storage.open(dataDir, fail);
  storage.createBucket(BUCKET);
  storage.createBucket(PLAIN_BUCKET);
  storage.enableVersioning(BUCKET);
  const put = (bucket: string, key: string, text: string) =>
    storage.files.write([Buffer.from(text)] as never, (files) => {
      const found = { bytes: text.length, etag: `${text.length}`, files, system: {}, metadata: { a: key } };
      return storage.put(bucket, key, found as never);
    });
  const empty = { bytes: 0, etag: 'e', files: [], system: {}, metadata: {} };
  for (const key of KEYS) storage.put(BUCKET, key, empty as never);
  for (const key of KEYS.slice(0, 20)) storage.delete(BUCKET, key);
  for (const key of KEYS.slice(10, 30)) await put(BUCKET, key, 'again');
  await put(BUCKET, 'other/large', 'x'.repeat(100_000));
  await put(PLAIN_BUCKET, 'inbox/plain', 'plain');
  await storage.close();
  const server = await startS3Server({ dataDir, port: 0, ...TEST_CREDENTIALS, buckets: [] });
  const s3 = s3ClientFor({ endpoint: server.endpoint, ...TEST_CREDENTIALS });
  onTestFinished(async () => {
    s3.destroy();
    await server.close();
  });
  const http = s3Store(s3);
  return { http, direct: server.withDirectReads(http) };
}

test('listings without HTTP find the same keys and versions', async () => {
  const { direct, http } = await startStores();
  const first = await collected(http.listVersions(BUCKET, ''));
  const after = { key: first[1]!.key, versionId: first[1]!.versionId };
  for (const bucket of [BUCKET, PLAIN_BUCKET]) {
    for (const prefix of ['', 'inbox/', 'inbox/ü', 'other/', 'none/']) {
      const found = await collected(direct.list(bucket, prefix));
      expect(found).toEqual(await collected(http.list(bucket, prefix)));
      for (const place of [undefined, after]) {
        expect(await collected(direct.listVersions(bucket, prefix, place))).toEqual(
          await collected(http.listVersions(bucket, prefix, place)),
        );
      }
    }
  }
  expect(await collected(direct.list(BUCKET, 'inbox/', 'inbox/5'))).toEqual(
    await collected(http.list(BUCKET, 'inbox/', 'inbox/5')),
  );
  await expect(collected(direct.list('no-such-bucket', ''))).rejects.toThrow('does not exist');
});

test('a listing without HTTP continues after keys that are added and removed meanwhile', async () => {
  const { direct } = await startStores();
  const found: string[] = [];
  for await (const key of direct.list(BUCKET, 'inbox/')) {
    // Before the place of the listing.
    if (found.push(key) === 1000) await direct.put(BUCKET, 'inbox/!', new Uint8Array(1), 'text/plain');
  }
  expect(found).toHaveLength(KEYS.length - 10);
  expect(new Set(found).size).toBe(found.length);
});
