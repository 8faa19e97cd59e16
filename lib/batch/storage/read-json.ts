import { inParallel } from '../in-parallel.ts';
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
export async function readJson<Document>(storage: ResultStorage, key: string): Promise<Document | undefined> {
  return (await readTagged<Document>(storage, key))?.document;
}

/** The same with the ETag of the object. */
export async function readTagged<Document>(
  { store, resultsBucket }: ResultStorage,
  key: string,
): Promise<{ readonly document: Document; readonly etag: string } | undefined> {
  const object = await store.get(resultsBucket, key);
  if (object === undefined) return undefined;
  const text = new TextDecoder().decode(await collectBytes(object.body));
  return { document: JSON.parse(text), etag: object.etag };
}

/** Reads a document that an earlier step wrote. @throws Error if it is missing */
export async function readWrittenJson<Document>(storage: ResultStorage, key: string): Promise<Document> {
  const found = await readJson<Document>(storage, key);
  if (found !== undefined) return found;
  throw new Error(`${key} is missing: the step that writes it has not run, or it was deleted`);
}

/** Reads such documents in parallel. */
export function readAllJson<Document>(storage: ResultStorage, keys: readonly string[]): Promise<Document[]> {
  return inParallel(keys, READS_AT_ONCE, (key) => readWrittenJson<Document>(storage, key));
}

const READS_AT_ONCE = 32;
