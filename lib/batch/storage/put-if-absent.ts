import { jsonBytes } from '../delivery/manifest.ts';
import type { ObjectStore } from '../ports.ts';
import { JSON_TYPE } from '../results/content-types.ts';
import { readJson } from './read-json.ts';

/** Conflicts with other writers before an error. */
const MAX_CONFLICTS = 5;

/**
 * Stores a document unless one exists.
 *
 * A step may run twice, even at the same time (a function continues after its caller has stopped waiting), and its
 * result depends on time. So the first document counts, and every other try continues from it.
 *
 * @returns the stored document
 * @throws Error after too many conflicting writes
 */
export async function putIfAbsent<Document>(
  store: ObjectStore,
  bucket: string,
  key: string,
  document: Document,
): Promise<Document> {
  for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
    const put = await store.putIf(bucket, key, jsonBytes(document), JSON_TYPE, { ifAbsent: true });
    if (put.written) return document;
    const stored = await readJson<Document>(store, bucket, key);
    if (stored !== undefined) return stored.document;
  }
  throw new Error(`${key} could not be written: ${MAX_CONFLICTS} other writes of it were in progress`);
}
