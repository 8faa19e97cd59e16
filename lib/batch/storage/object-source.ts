/** An object version that is read in ranges. */
import { collectBytes } from '../job/input.ts';
import type { ObjectRange, ObjectStore, StoredObject } from '../ports.ts';

export interface ObjectSource {
  readonly bucket: string;
  readonly key: string;
  /** Omitted in a bucket without versions. */
  readonly versionId?: string;
  readonly bytes: number;
}

/**
 * Opens a range of a source.
 *
 * @param from first byte
 * @param to end of the range, exclusive
 * @throws Error if the object no longer exists
 */
export async function openSource(
  store: ObjectStore,
  { bucket, key, versionId }: Omit<ObjectSource, 'bytes'>,
  from: number,
  to: number,
): Promise<StoredObject['body']> {
  const body = await store.range(bucket, key, versionId, from, to);
  if (body === undefined) throw new Error(`s3://${bucket}/${key} was deleted while its job ran`);
  return body;
}

/** Reads a small range. @throws Error if the object no longer exists */
export async function readRange(
  store: ObjectStore,
  range: ObjectRange & Pick<ObjectSource, 'versionId'>,
): Promise<Uint8Array> {
  return collectBytes(await openSource(store, range, range.from, range.to));
}
