/**
 * Reads of this process from the server's storage, without HTTP: a poll of the page lists each upload of the stack and
 * reads each new status, and must not slow down the requests of the functions.
 */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ObjectStore, ObjectVersion } from '../../batch/ports.ts';
import { currentObject } from './catalog.ts';
import { type ListingScope, listEntries, positionAfter } from './listings.ts';
import type { Storage } from './storage.ts';
import type { VersionEntry } from './version-index.ts';

/** Entries that are listed before other requests get a turn. */
const BATCH = 1000;
/** Larger objects are read as a stream, from the other store. */
const MAX_DOCUMENT_BYTES = 64 * 1024;

/** @param store for all other requests */
export function withDirectReads(store: ObjectStore, storage: Storage): ObjectStore {
  /** Continues after the last entry of a batch, as versions may be added and removed meanwhile. */
  async function* entriesOf(bucketName: string, prefix: string, allVersions: boolean, after?: string) {
    const bucket = storage.bucket(bucketName);
    const scope: ListingScope = { prefix, delimiter: '', allVersions };
    let position = after === undefined ? undefined : positionAfter(bucket, scope, after);
    for (;;) {
      const entries: (VersionEntry & { readonly isLatest: boolean })[] = [];
      for (const entry of listEntries(bucket, scope, position)) {
        if ('key' in entry && entries.push(entry) === BATCH) break;
      }
      yield* entries;
      if (entries.length < BATCH) return;
      await nextTurn();
      const { key, version } = entries.at(-1)!;
      position = positionAfter(bucket, scope, key, version.sequence);
    }
  }

  return {
    ...store,

    async get(bucketName, key, versionId) {
      const bucket = storage.bucket(bucketName);
      const version = versionId === undefined ? currentObject(bucket, key) : undefined;
      if (version === undefined || version.bytes > MAX_DOCUMENT_BYTES) {
        return store.get(bucketName, key, versionId);
      }
      const { bytes, etag, metadata, files } = version;
      const release = storage.files.hold(files);
      try {
        const pieces: Uint8Array[] = [];
        for await (const piece of storage.files.read(files, 0, bytes)) pieces.push(piece);
        const id = bucket.versioned ? version.versionId : undefined;
        return { size: bytes, etag: `"${etag}"`, versionId: id, metadata, body: Readable.from(pieces) };
      } finally {
        release();
      }
    },

    async *list(bucketName, prefix, after) {
      for await (const { key } of entriesOf(bucketName, prefix, false, after)) yield key;
    },

    async *listVersions(bucketName, prefix, after) {
      if (after !== undefined) {
        yield* store.listVersions(bucketName, prefix, after);
        return;
      }
      for await (const { key, version, isLatest: latest } of entriesOf(bucketName, prefix, true)) {
        const { deleteMarker, versionId, bytes, etag, lastModifiedMs } = version;
        const lastModified = new Date(Math.floor(lastModifiedMs / 1000) * 1000).toISOString();
        const found: ObjectVersion = { key, versionId, bytes, etag, lastModified, latest };
        if (!deleteMarker) yield found;
      }
    },
  };
}
