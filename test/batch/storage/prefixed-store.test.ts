import { describe, expect, it } from 'vitest';
import { collectBytes } from '../../../lib/batch/job/input.ts';
import { prefixedStore } from '../../../lib/batch/storage/prefixed-store.ts';
import { collected } from '../../support/collected.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';

const TYPE = 'text/plain';
const bytes = (text: string) => new TextEncoder().encode(text);

function storeIn(buckets: MemoryBuckets) {
  return prefixedStore(memoryStore(buckets), 'ours', 'folder/');
}

describe('a store with a prefix', () => {
  it('writes, reads and deletes under the prefix in its bucket, and changes no key of another bucket', async () => {
    for (const [bucket, prefix] of [
      ['ours', 'folder/'],
      ['theirs', ''],
    ] as const) {
      const buckets = new MemoryBuckets();
      const store = storeIn(buckets);
      await store.put(bucket, 'a', bytes('abc'), TYPE);
      expect(await store.putIf(bucket, 'a', bytes('x'), TYPE, { ifAbsent: true })).toBe(false);
      const writer = store.writer(bucket, 'b', TYPE);
      await writer.write(bytes('def'));
      await writer.close();
      expect(buckets.keys(bucket)).toEqual([`${prefix}a`, `${prefix}b`]);

      expect(await store.head(bucket, 'a')).toMatchObject({ size: 3 });
      expect(await collectBytes((await store.get(bucket, 'b'))!.body)).toEqual(bytes('def'));
      expect(await collectBytes((await store.range(bucket, 'a', undefined, 1, 3))!)).toEqual(bytes('bc'));

      await store.delete(bucket, 'a');
      expect(buckets.keys(bucket)).toEqual([`${prefix}b`]);
    }
  });

  it('joins ranges of its own objects, and of objects in another bucket', async () => {
    const buckets = new MemoryBuckets(1);
    const store = storeIn(buckets);
    buckets.write('ours', 'folder/piece', 'abc');
    buckets.write('theirs', 'piece', 'def');
    const joinId = await store.beginJoin('ours', 'whole', TYPE);
    const target = { bucket: 'ours', key: 'whole', joinId };
    await store.joinPart(target, 1, { bucket: 'ours', key: 'piece', from: 1, to: 3 });
    await store.joinPart(target, 2, { bucket: 'theirs', key: 'piece', from: 0, to: 2 });
    await store.joinPart(target, 3, bytes('!'));
    await store.completeJoin(target, 3);
    expect(buckets.text('ours', 'folder/whole')).toBe('bcde!');
  });

  it('lists keys and versions without the prefix, and continues a listing', async () => {
    const buckets = new MemoryBuckets();
    for (const key of ['a', 'folder/a/1', 'folder/a/2', 'folder/b', 'folders/a/3'])
      buckets.write('ours', key, key);
    const store = storeIn(buckets);
    expect(await collected(store.list('ours', 'a/'))).toEqual(['a/1', 'a/2']);
    expect(await collected(store.list('ours', '', 'a/1'))).toEqual(['a/2', 'b']);
    const [first, ...more] = await collected(store.listVersions('ours', ''));
    expect([first!, ...more].map(({ key }) => key)).toEqual(['a/1', 'a/2', 'b']);
    expect(await collected(store.listVersions('ours', '', first))).toEqual(more);
  });

  it('without a prefix is the store itself', () => {
    const store = memoryStore(new MemoryBuckets());
    expect(prefixedStore(store, 'ours', '')).toBe(store);
  });
});
