/** Uploads to buckets in memory, and their deliveries to processes. */

import {
  solveUpload,
  type UploadDependencies,
  type UploadOutcome,
} from '../../lib/batch/delivery/solve-upload.ts';
import type { StatusDocument } from '../../lib/batch/delivery/status-document.ts';
import type { Upload } from '../../lib/batch/delivery/upload-event.ts';
import { recording } from './faults.ts';
import { INPUT_BUCKET, RESULTS_BUCKET, uploadMachinery } from './machinery.ts';
import { type CallHooks, type MemoryBuckets, memoryStore, type StoreCall } from './memory-store.ts';

/** Puts a file into the input bucket; what its event says. */
export function upload(
  buckets: MemoryBuckets,
  key: string,
  body: string | Uint8Array,
  options: Readonly<Record<string, string>> = {},
): Upload {
  const metadata = Object.fromEntries(Object.entries(options).map(([name, value]) => [`dlx-${name}`, value]));
  const { versionId, etag } = buckets.write(INPUT_BUCKET, key, body, metadata);
  // Sequencers grow with the versions, as S3's do.
  const sequencer = `00663B5E4F${versionId.slice(1)}`;
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body).length : body.length;
  return { bucket: INPUT_BUCKET, key, versionId, bytes, etag: etag.replaceAll('"', ''), sequencer };
}

export interface Delivery {
  /** The attempt's id; those of one test have the same length, so that files have the same sizes. */
  readonly attempt?: string;
  readonly hooks?: CallHooks;
  readonly lastReceive?: boolean;
  readonly machinery?: Partial<UploadDependencies>;
}

/** Delivers an upload's message to a process of its own. */
export function deliver(
  buckets: MemoryBuckets,
  uploaded: Upload,
  { attempt = 'attempt-a', hooks, lastReceive = false, machinery }: Delivery = {},
): Promise<UploadOutcome> {
  const store = memoryStore(buckets, hooks);
  return solveUpload(uploaded, lastReceive, uploadMachinery(store, attempt, machinery));
}

/** The storage calls of a delivery to which nothing happens. @throws Error where there were none: nothing can go wrong then */
export async function callsOf(
  buckets: MemoryBuckets,
  uploaded: Upload,
  delivery: Delivery = {},
): Promise<StoreCall[]> {
  const calls: StoreCall[] = [];
  await deliver(buckets, uploaded, { ...delivery, hooks: recording(calls) });
  if (calls.length === 0)
    throw new Error('no storage call was made: a test of what happens at them says nothing');
  return calls;
}

/** The one status document of a key. */
export function statusOf(buckets: MemoryBuckets, key: string): StatusDocument {
  return buckets.json(RESULTS_BUCKET, buckets.keys(RESULTS_BUCKET, `status/${key}/`)[0]!);
}
