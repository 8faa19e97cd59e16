import { jsonBytes } from '../delivery/manifest.ts';
import type { ObjectStore } from '../ports.ts';
import { JSON_TYPE } from '../results/content-types.ts';
import { readWrittenJson } from './read-json.ts';

/**
 * Stores a document unless one exists.
 *
 * A step may run twice, even at the same time (a function continues after its caller has stopped waiting), and its
 * result depends on time. So the first document is kept, and every other attempt continues from it.
 *
 * @returns the stored document
 * @throws Error if another write is in progress
 */
export async function putIfAbsent<Document>(
  store: ObjectStore,
  bucket: string,
  key: string,
  document: Document,
): Promise<Document> {
  const put = await store.putIf(bucket, key, jsonBytes(document), JSON_TYPE, { ifAbsent: true });
  return put.written ? document : readWrittenJson(store, bucket, key, 'another write of it is in progress');
}
