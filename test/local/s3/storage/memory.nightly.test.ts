/** Memory of the storage does not grow with the number of stored objects. */
import { expect, onTestFinished, test } from 'vitest';
import { Storage } from '../../../../lib/local/s3/storage.ts';
import { heapGrowth } from '../../../support/heap.ts';
import { temporaryFolder } from '../../fixture-function.ts';

const BUCKET = 'bucket';
const VERSION = {
  bytes: 0,
  etag: 'd41d8cd98f00b204e9800998ecf8427e',
  files: [],
  system: { 'content-type': 'application/json' },
  metadata: {},
};
/** Keys of an upload, and the order in which they are written. */
const keysOf = (k: number) => [
  `inbox/${k}.txt`,
  `results/inbox/${k}.txt/manifest.json`,
  `done/inbox/${k}.txt/1`,
];

test('a stored object takes at most 60 bytes of memory', async () => {
  const storage = await Storage.open(temporaryFolder(), (fault) => {
    throw fault;
  });
  onTestFinished(() => storage.close());
  storage.createBucket(BUCKET);
  storage.enableVersioning(BUCKET);
  const put = (from: number, to: number) => {
    for (let k = from; k < to; k++) for (const key of keysOf(k)) storage.put(BUCKET, key, VERSION);
  };
  // More than are in memory at a time.
  put(0, 2_000);
  const bytes = heapGrowth(() => put(2_000, 6_000));
  expect(bytes / (4_000 * keysOf(0).length)).toBeLessThan(60);
  expect(storage.bucket(BUCKET).versions.current(keysOf(5)[1]!)).toMatchObject(VERSION);
});
