/** Writes small JSON documents: on a condition if several processes may write one. */
import type { PutCondition } from '../ports.ts';
import { JSON_TYPE } from '../results/content-types.ts';
import { type ResultStorage, readTagged } from './read-json.ts';

/** Attempts at a conditional write that conflicts with others in progress. */
const MAX_ATTEMPTS = 20;

/** The stored form of a document: indented JSON with a final newline, in UTF-8. */
export function jsonBytes(document: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(document, undefined, 2)}\n`);
}

export function putJson(
  { store, resultsBucket }: ResultStorage,
  key: string,
  document: unknown,
): Promise<void> {
  return store.put(resultsBucket, key, jsonBytes(document), JSON_TYPE);
}

/**
 * Stores a document unless one exists.
 *
 * @returns the stored document: equal to this one if the response to an earlier request for it was lost
 * @throws Error if other writers conflict in every attempt
 */
export async function putIfAbsent<Document>(
  storage: ResultStorage,
  key: string,
  document: Document,
): Promise<Document> {
  let stored = document;
  // Written before it is read: in most cases there is none.
  if (await putIf(storage, key, document, { ifAbsent: true })) return document;
  await update<Document>(storage, key, (existing) => {
    stored = existing ?? document;
    return existing === undefined ? document : undefined;
  });
  return stored;
}

/**
 * Replaces a document by one that follows from it, on the condition that it has not changed since it was read: a copy of
 * the request that arrives late has no effect.
 *
 * @param next gets the existing document; undefined keeps it
 * @returns whether it was written
 * @throws Error if other writers conflict in every attempt
 */
export async function update<Document>(
  storage: ResultStorage,
  key: string,
  next: (existing: Document | undefined) => Document | undefined | Promise<Document | undefined>,
): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const existing = await readTagged<Document>(storage, key);
    const document = await next(existing?.document);
    if (document === undefined) return false;
    const condition: PutCondition = existing === undefined ? { ifAbsent: true } : { ifMatch: existing.etag };
    if (await putIf(storage, key, document, condition)) return true;
  }
  throw new Error(
    `${key} could not be written in ${MAX_ATTEMPTS} attempts; the message will be delivered again`,
  );
}

/** @returns whether it was written */
export function putIf(
  { store, resultsBucket }: ResultStorage,
  key: string,
  document: unknown,
  condition: PutCondition,
): Promise<boolean> {
  return store.putIf(resultsBucket, key, jsonBytes(document), JSON_TYPE, condition);
}

/** Deletes every object under a prefix that the filter accepts. */
export async function deleteUnder(
  { store, resultsBucket }: ResultStorage,
  prefix: string,
  isDeleted: (key: string) => boolean = () => true,
): Promise<void> {
  for await (const key of store.list(resultsBucket, prefix)) {
    if (isDeleted(key)) await store.delete(resultsBucket, key);
  }
}
