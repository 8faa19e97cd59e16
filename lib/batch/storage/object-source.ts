/** An object version that is read in ranges. */
import type { ObjectStore, StoredObject } from '../ports.ts';

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
  { bucket, key, versionId }: ObjectSource,
  from: number,
  to: number,
): Promise<StoredObject> {
  const object = await store.range(bucket, key, versionId, from, to);
  if (object === undefined) throw new Error(`s3://${bucket}/${key} was deleted while its job ran`);
  return object;
}
