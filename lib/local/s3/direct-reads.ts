/**
 * Listings of this process from the server's storage, without HTTP: a poll of the page lists each upload of the stack, and
 * must not slow down the requests of the functions.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ObjectStore, ObjectVersion } from '../../batch/ports.ts';
import { type ListingScope, listEntries, positionAfter } from './listings.ts';
import type { Storage } from './storage.ts';
import type { VersionEntry } from './version-index.ts';

/** Entries that are listed before other requests get a turn. */
const BATCH = 1000;

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
