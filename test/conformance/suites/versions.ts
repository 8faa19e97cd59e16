/** Versions and delete markers. */

import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { objectText } from '../../local/s3/object-text.ts';
import { expectError, type Target } from '../target.ts';

/** Names by version id: `a1`, `a2` for versions, `a2 deleted` for markers. */
type Names = Map<string, string>;

export function versionSuite(target: () => Target): void {
  singleKeyRows(target);
  pagingRows(target);

  test('a bucket that is not versioned returns no version ids', async () => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}a`;
    const put = await client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
    const head = await client.send(new HeadObjectCommand({ Bucket, Key }));
    expect(put.VersionId).toBeUndefined();
    expect(head.VersionId).toBeUndefined();
    const { Versions } = await client.send(new ListObjectVersionsCommand({ Bucket, Prefix: Key }));
    expect(Versions?.map(({ VersionId }) => VersionId)).toEqual(['null']);
  });
}

function singleKeyRows(target: () => Target): void {
  const putThree = async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}a`;
    const ids: string[] = [];
    for (const Body of ['one', 'two', 'three']) {
      const { VersionId = '' } = await client.send(new PutObjectCommand({ Bucket, Key, Body }));
      ids.push(VersionId);
    }
    const read = async (VersionId?: string) => {
      return objectText(client, { Bucket, Key, VersionId });
    };
    return { client, Bucket, Key, ids, read };
  };

  test('each put creates a new version, readable by its id', async () => {
    const { ids, read } = await putThree();
    expect(new Set(ids).size).toBe(3);
    expect(await Promise.all([read(), ...ids.map(read)])).toEqual(['three', 'one', 'two', 'three']);
  });

  test('a delete adds a marker: the key no longer exists, its versions do', async () => {
    const { client, Bucket, Key, ids, read } = await putThree();
    const deletion = await client.send(new DeleteObjectCommand({ Bucket, Key }));
    expect(deletion.DeleteMarker).toBe(true);
    expect(deletion.VersionId).toBeDefined();
    await expectError(read(), '404 NoSuchKey');
    await expectError(client.send(new HeadObjectCommand({ Bucket, Key })), '404 NotFound');
    expect(await read(ids[2])).toBe('three');
  });

  test('a delete of a key that never existed also adds a marker', async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}a`;
    const { DeleteMarker, VersionId } = await client.send(new DeleteObjectCommand({ Bucket, Key }));
    expect(DeleteMarker).toBe(true);
    const listed = await client.send(new ListObjectVersionsCommand({ Bucket, Prefix: Key }));
    expect(listed.DeleteMarkers?.map((marker) => marker.VersionId)).toEqual([VersionId]);
  });

  test('a read of a marker by its id is 405', async () => {
    const { client, Bucket, Key, read } = await putThree();
    const { VersionId } = await client.send(new DeleteObjectCommand({ Bucket, Key }));
    await expectError(read(VersionId), '405 MethodNotAllowed');
  });

  test('removing the marker restores the object', async () => {
    const { client, Bucket, Key, read } = await putThree();
    const { VersionId } = await client.send(new DeleteObjectCommand({ Bucket, Key }));
    const removal = await client.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
    expect(removal).toMatchObject({ DeleteMarker: true, VersionId });
    expect(await read()).toBe('three');
  });

  test('a removed version is permanently deleted, and the previous one is current', async () => {
    const { client, Bucket, Key, ids, read } = await putThree();
    const removal = await client.send(new DeleteObjectCommand({ Bucket, Key, VersionId: ids[2] }));
    expect(removal.VersionId).toBe(ids[2]);
    expect(removal.DeleteMarker).toBeUndefined();
    expect(await read()).toBe('two');
    await expectError(read(ids[2]), '404 NoSuchVersion');
  });

  test('several versions are removed in one request', async () => {
    const { client, Bucket, Key, ids, read } = await putThree();
    const Objects = [ids[0], ids[2]].map((VersionId) => ({ Key, VersionId }));
    const { Deleted } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    expect(Deleted?.map(({ VersionId }) => VersionId).sort()).toEqual([ids[0], ids[2]].sort());
    expect(await read()).toBe('two');
    await expectError(read(ids[0]), '404 NoSuchVersion');
  });

  test('an invalid id is 400', async () => {
    const { client, Bucket, Key } = await putThree();
    const read = client.send(new GetObjectCommand({ Bucket, Key, VersionId: 'no-such-thing' }));
    await expectError(read, '400 InvalidArgument');
  });
}

function pagingRows(target: () => Target): void {
  /** Keys `a`, `a/b` and `b`, with three versions, two with a marker between them, and one. */
  const putSeveral = async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const prefix = newPrefix();
    const names: Names = new Map();
    const put = async (key: string, name: string) => {
      const { VersionId = '' } = await client.send(
        new PutObjectCommand({ Bucket, Key: prefix + key, Body: name }),
      );
      names.set(VersionId, name);
    };
    await put('a', 'a1');
    await put('b', 'b1');
    await put('a', 'a2');
    await put('a/b', 'ab1');
    const { VersionId = '' } = await client.send(new DeleteObjectCommand({ Bucket, Key: `${prefix}a/b` }));
    names.set(VersionId, 'ab1 deleted');
    await put('a/b', 'ab2');
    await put('a', 'a3');
    return { client, Bucket, prefix, names };
  };

  test('keys are listed in order, and the versions of each with the newest first', async () => {
    const { client, Bucket, prefix, names } = await putSeveral();
    const listed = await client.send(new ListObjectVersionsCommand({ Bucket, Prefix: prefix }));
    expect(listed.Versions?.map(({ VersionId = '' }) => names.get(VersionId))).toEqual([
      'a3',
      'a2',
      'a1',
      'ab2',
      'ab1',
      'b1',
    ]);
    expect(listed.DeleteMarkers?.map(({ VersionId = '' }) => names.get(VersionId))).toEqual(['ab1 deleted']);
    expect(listed.Versions?.map(({ IsLatest }) => IsLatest)).toEqual([true, false, false, true, false, true]);
    expect(listed.DeleteMarkers?.[0].IsLatest).toBe(false);
  });

  for (const MaxKeys of [1, 2, 3]) {
    test(`pages of ${MaxKeys} give every version and every marker once`, async () => {
      const { client, Bucket, prefix, names } = await putSeveral();
      const found = await listAll((markers) =>
        client.send(new ListObjectVersionsCommand({ Bucket, Prefix: prefix, MaxKeys, ...markers })),
      );
      expect(found.map((id) => names.get(id)).sort()).toEqual([...names.values()].sort());
    });
  }

  test('a listing continues after its entries are removed', async () => {
    const { client, Bucket, prefix, names } = await putSeveral();
    const found = await listAll(async (markers) => {
      const page = await client.send(
        new ListObjectVersionsCommand({ Bucket, Prefix: prefix, MaxKeys: 2, ...markers }),
      );
      for (const { Key, VersionId } of [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])]) {
        await client.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
      }
      return page;
    });
    expect(found.map((id) => names.get(id)).sort()).toEqual([...names.values()].sort());
    const remaining = await client.send(new ListObjectVersionsCommand({ Bucket, Prefix: prefix }));
    expect(remaining.Versions ?? remaining.DeleteMarkers).toBeUndefined();
  });

  for (const MaxKeys of [1, 2, 1000]) {
    test(`versions with a common prefix are grouped once, in pages of ${MaxKeys}`, async () => {
      const { client, Bucket, prefix } = await putSeveral();
      const commonPrefixes: string[] = [];
      const found = await listAll(async (markers) => {
        const list = new ListObjectVersionsCommand({
          Bucket,
          Prefix: prefix,
          Delimiter: '/',
          MaxKeys,
          ...markers,
        });
        const page = await client.send(list);
        for (const { Prefix = '' } of page.CommonPrefixes ?? []) commonPrefixes.push(Prefix);
        return page;
      });
      expect(commonPrefixes).toEqual([`${prefix}a/`]);
      expect(found).toHaveLength(4);
    });
  }
}

type Markers = { KeyMarker?: string; VersionIdMarker?: string };

async function listAll(
  list: (markers: Markers) => Promise<ListObjectVersionsCommandOutput>,
): Promise<string[]> {
  const found: string[] = [];
  let markers: Markers = {};
  for (;;) {
    const page = await list(markers);
    for (const { VersionId = '' } of [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])])
      found.push(VersionId);
    if (page.IsTruncated !== true) return found;
    markers = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker };
  }
}
