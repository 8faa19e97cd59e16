/**
 * Reads of this process from the server's storage, without HTTP: a poll of the page lists each upload of the stack and
 * reads each new status, and must not slow down the requests of the functions.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ObjectStore } from '../../batch/ports.ts';
import { listingTime } from './http/time-formats.ts';
import { listEntries } from './operations/listing/listing.ts';
import { type Bucket, currentObject } from './storage/catalog.ts';
import type { Storage } from './storage/storage.ts';

/** Keys that are listed before other requests get a turn. */
const BATCH_KEYS = 1000;
/** Larger objects are read as a stream, from the other store. */
const MAX_DOCUMENT_BYTES = 64 * 1024;

/** @param store for all other requests */
export function withDirectReads(store: ObjectStore, storage: Storage): ObjectStore {
  return {
    ...store,

    async get(bucketName, key, versionId) {
      const bucket = storage.bucket(bucketName);
      const version = versionId === undefined ? currentObject(bucket, key) : undefined;
      if (version === undefined || version.bytes > MAX_DOCUMENT_BYTES)
        return store.get(bucketName, key, versionId);
      const release = storage.files.hold(version.files);
      try {
        const pieces: Uint8Array[] = [];
        for await (const piece of storage.files.read(version.files, 0, version.bytes)) pieces.push(piece);
        const { bytes: size, etag, metadata } = version;
        const info = {
          size,
          etag: `"${etag}"`,
          versionId: bucket.versioned ? version.versionId : undefined,
          metadata,
        };
        return { ...info, body: streamOf(pieces) };
      } finally {
        release();
      }
    },

    async *list(bucketName, prefix, after) {
      const bucket = storage.bucket(bucketName);
      for await (const keys of keysIn(bucket, prefix, after)) {
        for (const key of keys) if (bucket.versions.hasObject(key)) yield key;
      }
    },

    async *listVersions(bucketName, prefix, after) {
      if (after !== undefined) {
        yield* store.listVersions(bucketName, prefix, after);
        return;
      }
      const bucket = storage.bucket(bucketName);
      for await (const keys of keysIn(bucket, prefix)) {
        for (const key of keys) {
          let latest = true;
          for (const { deleteMarker, versionId, bytes, etag, lastModifiedMs } of bucket.versions.newestFirst(
            key,
          )) {
            const lastModified = listingTime(lastModifiedMs);
            if (!deleteMarker) yield { key, versionId, bytes, etag, lastModified, latest };
            latest = false;
          }
        }
      }
    },
  };
}

/** The keys under a prefix in batches. Each batch continues after the last key, as keys may be added and removed. */
async function* keysIn(bucket: Bucket, prefix: string, after?: string): AsyncGenerator<string[]> {
  let position = after === undefined ? undefined : { afterKey: after };
  for (;;) {
    const keys: string[] = [];
    for (const entry of listEntries(bucket.versions, { prefix, delimiter: '' }, position, () => true)) {
      if ('key' in entry && keys.push(entry.key) === BATCH_KEYS) break;
    }
    yield keys;
    if (keys.length < BATCH_KEYS) return;
    position = { afterKey: keys[keys.length - 1]! };
    await nextTurn();
  }
}

async function* streamOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
