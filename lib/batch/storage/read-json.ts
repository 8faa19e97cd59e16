/** Reading a small document of our own back from the store. */
import { collectBytes } from '../job/input.ts';
import type { ObjectStore } from '../ports.ts';

/**
 * A JSON document and its ETag; undefined where there is none.
 *
 * The schema is trusted: only this project writes under the results prefixes.
 *
 * @throws SyntaxError where the object is no JSON
 */
export async function readJson<Document>(
  store: ObjectStore,
  bucket: string,
  key: string,
): Promise<{ readonly document: Document; readonly etag: string } | undefined> {
  const object = await store.get(bucket, key);
  if (object === undefined) return undefined;
  return {
    document: JSON.parse(new TextDecoder().decode(await collectBytes(object.body))),
    etag: object.etag,
  };
}
