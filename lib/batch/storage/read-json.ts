import { collectBytes } from '../job/input.ts';
import type { ObjectStore } from '../ports.ts';

/** Where the documents of jobs and runs are. */
export interface ResultStorage {
  readonly store: ObjectStore;
  readonly resultsBucket: string;
}

/**
 * Reads a small JSON document. The schema is trusted: only this project writes to the results bucket.
 *
 * @returns undefined if there is no such object
 * @throws SyntaxError if the object is not JSON
 */
export async function readJson<Document>(
  { store, resultsBucket }: ResultStorage,
  key: string,
): Promise<{ readonly document: Document; readonly etag: string } | undefined> {
  const object = await store.get(resultsBucket, key);
  if (object === undefined) return undefined;
  return {
    document: JSON.parse(new TextDecoder().decode(await collectBytes(object.body))),
    etag: object.etag,
  };
}

/** Reads a document that an earlier step wrote. @throws Error with `reason` if it is missing */
export async function readWrittenJson<Document>(
  storage: ResultStorage,
  key: string,
  reason: string,
): Promise<Document> {
  const found = await readJson<Document>(storage, key);
  if (found === undefined) throw new Error(`${key} is missing: ${reason}`);
  return found.document;
}
