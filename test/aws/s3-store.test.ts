import { createHash } from 'node:crypto';
import { S3 } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { s3Store } from '../../lib/aws/s3-store.ts';
import { StorePermissionError } from '../../lib/aws/store-errors.ts';
import { UploadWriter } from '../../lib/aws/upload-writer.ts';
import type { ObjectStore, StoredObject } from '../../lib/batch/ports.ts';
import { bytesOf, collected } from '../support/collected.ts';
import { RESULTS_BUCKET as BUCKET } from '../support/dependencies.ts';
import { CREDENTIALS, type EmbeddedS3, REGION, startEmbeddedS3 } from '../support/embedded-s3.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const TYPE = 'text/plain';

const textOf = async (object: StoredObject | undefined) => (await bytesOf(object!.body)).toString();

function newClient(credentials = CREDENTIALS): S3 {
  const s3 = new S3({ endpoint: server.endpoint, region: REGION, credentials, forcePathStyle: true });
  onTestFinished(() => s3.destroy());
  return s3;
}

/** A store whose listings have pages of two. */
function pagingStore(): ObjectStore {
  const s3 = newClient();
  s3.middlewareStack.add((next) => (call) => next({ ...call, input: { ...call.input, MaxKeys: 2 } }), {
    step: 'initialize',
  });
  return s3Store(s3);
}

let server: EmbeddedS3;
let store: ObjectStore;

beforeAll(async () => {
  server = await startEmbeddedS3();
  store = s3Store(server.s3);
});
afterAll(() => server.stop());

describe('the store on S3', () => {
  it('finds nothing under a missing key', async () => {
    expect(await store.head(BUCKET, 'missing')).toBeUndefined();
    expect(await store.get(BUCKET, 'missing')).toBeUndefined();
    expect(await collected(store.list(BUCKET, 'missing'))).toEqual([]);
    expect(await collected(store.listVersions(BUCKET, 'missing'))).toEqual([]);
    await store.delete(BUCKET, 'missing');
  });

  it('lists the versions under a prefix by key, newest first, without delete markers, from any position', async () => {
    const Bucket = BUCKET;
    const keys = ['lv/a', 'lv/a b+c%', 'lv/a', 'lv/\u0001\u{1f600}', 'lv/gone', 'lv/é'];
    for (const Key of keys) await server.s3.putObject({ Bucket, Key, Body: Key });
    await server.s3.deleteObject({ Bucket, Key: 'lv/gone' });
    const paging = pagingStore();
    const all = await collected(paging.listVersions(BUCKET, 'lv/'));
    const expected = ['lv/\u0001\u{1f600}', 'lv/a', 'lv/a', 'lv/a b+c%', 'lv/gone', 'lv/é'];
    expect(all.map(({ key }) => key)).toEqual(expected);
    expect(all.map(({ latest }) => latest)).toEqual([true, true, false, true, false, true]);
    expect(all[1]).toMatchObject({ bytes: 4, etag: createHash('md5').update('lv/a').digest('hex') });
    expect(Date.parse(all[1]!.lastModified)).toBeGreaterThan(0);
    for (const [index, position] of all.entries()) {
      expect(await collected(paging.listVersions(BUCKET, 'lv/', position))).toEqual(all.slice(index + 1));
    }
  });

  it('lists keys with any characters in UTF-8 order, over all pages, also after a text', async () => {
    const keys = ['la/\u0001', 'la/a', 'la/a+b c%', 'la/é', 'la/\uffee', 'la/🧩'];
    for (const key of keys.toReversed()) await store.put(BUCKET, key, bytes('x'), TYPE);
    const paging = pagingStore();
    expect(await collected(paging.list(BUCKET, 'la/'))).toEqual(keys);
    expect(await collected(paging.list(BUCKET, 'la/', 'la/a'))).toEqual(keys.slice(2));
    expect(await collected(paging.list(BUCKET, 'la/', 'la/A'))).toEqual(keys.slice(1));
  });

  it('finds nothing under an invalid version id', async () => {
    await store.put(BUCKET, 'versioned', bytes('x'), TYPE);
    expect(await store.head(BUCKET, 'versioned', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')).toBeUndefined();
    expect(await store.get(BUCKET, 'versioned', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')).toBeUndefined();
  });

  it('reads an object with its size, ETag, version and metadata', async () => {
    const Metadata = { 'dlx-max-nodes': '5' };
    const { VersionId } = await server.s3.putObject({ Bucket: BUCKET, Key: 'a', Body: 'hello', Metadata });
    const etag = `"${createHash('md5').update('hello').digest('hex')}"`;
    const info = { size: 5, etag, versionId: VersionId, metadata: Metadata };
    expect(await store.head(BUCKET, 'a')).toEqual(info);
    const object = await store.get(BUCKET, 'a');
    expect(object).toMatchObject(info);
    expect(await textOf(object)).toBe('hello');
  });

  it('reads the requested version', async () => {
    const first = await server.s3.putObject({ Bucket: BUCKET, Key: 'b', Body: 'first' });
    await server.s3.putObject({ Bucket: BUCKET, Key: 'b', Body: 'second' });
    expect(await textOf(await store.get(BUCKET, 'b', first.VersionId))).toBe('first');
    expect(await textOf(await store.get(BUCKET, 'b'))).toBe('second');
  });

  it('writes if there is no object, or if the ETag is unchanged', async () => {
    expect(await store.putIf(BUCKET, 'c', bytes('1'), TYPE, { ifAbsent: true })).toBe(true);
    const etag = (await store.head(BUCKET, 'c'))!.etag;
    expect(await store.putIf(BUCKET, 'c', bytes('2'), TYPE, { ifAbsent: true })).toBe(false);
    expect(await store.putIf(BUCKET, 'c', bytes('2'), TYPE, { ifMatch: etag })).toBe(true);
    expect(await store.putIf(BUCKET, 'c', bytes('3'), TYPE, { ifMatch: etag })).toBe(false);
    expect(await textOf(await store.get(BUCKET, 'c'))).toBe('2');
  });

  it('writes nothing if the object to replace was deleted', async () => {
    expect(await store.putIf(BUCKET, 'gone', bytes('1'), TYPE, { ifMatch: '"abc"' })).toBe(false);
    expect(await store.head(BUCKET, 'gone')).toBeUndefined();
  });

  it('lists the versions of a key newest first, before those of longer keys, over all pages', async () => {
    const written: string[] = [];
    for (const body of ['1', '2', '3', '4', '5']) {
      const { VersionId } = await server.s3.putObject({ Bucket: BUCKET, Key: 'lk', Body: body });
      written.unshift(`lk ${VersionId}`);
    }
    const longer = await server.s3.putObject({ Bucket: BUCKET, Key: 'lk/longer', Body: '' });
    await store.delete(BUCKET, 'lk');
    const listed = await collected(pagingStore().listVersions(BUCKET, 'lk'));
    const found = listed.map(({ key, versionId }) => `${key} ${versionId}`);
    expect(found).toEqual([...written, `lk/longer ${longer.VersionId}`]);
  });

  it('throws a specific error for a missing permission', async () => {
    const denied = s3Store(newClient({ ...CREDENTIALS, secretAccessKey: 'wrong' }));
    await expect(denied.head(BUCKET, 'a')).rejects.toThrow(StorePermissionError);
    await expect(denied.put(BUCKET, 'a', bytes(''), TYPE)).rejects.toThrow(
      /access denied while writing s3:\/\/results\/a/,
    );
    await expect(collected(denied.list(BUCKET, 'a'))).rejects.toThrow(/access denied while listing/);
  });
});

/** A new client, and the ids of the multipart uploads that it begins. */
function watchedClient(): { readonly s3: S3; readonly uploadIds: Set<string> } {
  const s3 = newClient();
  const uploadIds = new Set<string>();
  s3.middlewareStack.add(
    (next) => async (call) => {
      const result = await next(call);
      const { UploadId } = result.output as { UploadId?: string };
      if (UploadId !== undefined) uploadIds.add(UploadId);
      return result;
    },
    { step: 'initialize' },
  );
  return { s3, uploadIds };
}

describe('an object that is written sequentially', () => {
  /** A client whose requests reach S3 twice, as after a lost response. */
  function repeatingClient(): S3 {
    const s3 = newClient();
    s3.middlewareStack.add(
      (next) => async (args) => {
        await next(args);
        return next(args);
      },
      { step: 'deserialize' },
    );
    return s3;
  }

  it.each([
    { isOnly: true, versions: 1 },
    { isOnly: false, versions: 2 },
  ])('has $versions version(s) after a repeated request, isOnly $isOnly', async ({ isOnly, versions }) => {
    const key = `repeated-${isOnly}`;
    const writer = s3Store(repeatingClient()).writer(BUCKET, key, TYPE, isOnly);
    await writer.write(bytes('text'));
    await writer.close();
    const reading = s3Store(server.s3);
    expect(await textOf(await reading.get(BUCKET, key))).toBe('text');
    expect(await collected(reading.listVersions(BUCKET, key))).toHaveLength(versions);
  });

  it('is written again if an earlier request of its own is still in progress', async () => {
    const s3 = newClient();
    let conflicts = 0;
    s3.middlewareStack.add(
      (next) => (args) => {
        if (++conflicts > 2) return next(args);
        return Promise.reject(Object.assign(new Error('conflict'), { $metadata: { httpStatusCode: 409 } }));
      },
      { step: 'initialize' },
    );
    const writer = s3Store(s3).writer(BUCKET, 'conflict', TYPE, true);
    await writer.write(bytes('te'));
    await writer.write(bytes('xt'));
    await writer.close();
    expect(conflicts).toBe(3);
    expect(await textOf(await store.get(BUCKET, 'conflict'))).toBe('text');
  });

  const MIB = 1024 * 1024;
  const chunk = Uint8Array.from({ length: 250_000 }, (_, k) => (k * 7) % 256);

  for (const [name, chunks] of [
    ['empty', 0],
    ['of one chunk', 1],
    ['of 20 MB', 80],
  ] as const) {
    it(`is stored as it was written: ${name}`, async () => {
      const writer = store.writer(BUCKET, `written-${chunks}`, TYPE);
      const hash = createHash('sha256');
      for (let k = 0; k < chunks; k++) {
        const piece = chunk.slice();
        piece[0] = k;
        hash.update(piece);
        await writer.write(piece);
      }
      await writer.close();
      const stored = createHash('sha256');
      const object = await store.get(BUCKET, `written-${chunks}`);
      for await (const piece of object!.body) stored.update(piece);
      expect(object!.size).toBe(chunks * chunk.length);
      expect(stored.digest('hex')).toBe(hash.digest('hex'));
    });
  }

  it('does not exist before it is closed', async () => {
    const writer = store.writer(BUCKET, 'not-yet', TYPE);
    await writer.write(chunk);
    expect(await store.head(BUCKET, 'not-yet')).toBeUndefined();
    await writer.close();
    expect(await store.head(BUCKET, 'not-yet')).toMatchObject({ size: chunk.length });
  });

  for (const [name, chunks, uploads] of [
    ['immediately', 0, 0],
    ['after one chunk', 1, 0],
    ['after 20 MB, with some parts uploaded', 80, 1],
  ] as const) {
    it(`leaves nothing if it is aborted ${name}`, async () => {
      const { s3, uploadIds } = watchedClient();
      const writer = new UploadWriter(s3, BUCKET, 'aborted', TYPE);
      for (let k = 0; k < chunks; k++) await writer.write(chunk);
      await writer.abort();
      expect(await store.head(BUCKET, 'aborted')).toBeUndefined();
      expect(uploadIds.size).toBe(uploads);
      for (const UploadId of uploadIds) {
        const part = { Bucket: BUCKET, Key: 'aborted', UploadId, PartNumber: 1, Body: 'x' };
        await expect(server.s3.uploadPart(part)).rejects.toThrow(/upload/i);
      }
    });
  }

  it('throws if it cannot be stored, instead of waiting forever', async () => {
    const writer = new UploadWriter(server.s3, 'no-such-bucket', 'x', TYPE);
    const writing = async () => {
      for (let at = 0; at < 20 * MIB; at += chunk.length) await writer.write(chunk);
      await writer.close();
    };
    await expect(writing()).rejects.toThrow(/bucket/i);
  });

  it('throws at its end if it is small and cannot be stored, and may be aborted then', async () => {
    const writer = new UploadWriter(server.s3, 'no-such-bucket', 'x', TYPE);
    await writer.write(bytes('small'));
    await expect(writer.close()).rejects.toThrow(/bucket/i);
    await expect(writer.abort()).resolves.toBeUndefined();
  });
});
