/** Uploads to in-memory buckets, and their deliveries to processes. */

import type { StatusDocument } from '../../lib/batch/delivery/status-document.ts';
import type { Upload } from '../../lib/batch/delivery/upload-event.ts';
import {
  solveUpload,
  type UploadDependencies,
  type UploadOutcome,
} from '../../lib/batch/upload/solve-upload.ts';
import { INPUT_BUCKET, RESULTS_BUCKET, uploadDependencies } from './dependencies.ts';
import { recording } from './faults.ts';
import { type CallHooks, type MemoryBuckets, memoryStore, type StoreCall } from './memory-store.ts';

/** Uploads a file to the input bucket. @returns the upload that its event names */
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
  /** Id of the attempt; ids of one test have the same length, so that files have the same sizes. */
  readonly attempt?: string;
  readonly hooks?: CallHooks;
  readonly lastReceive?: boolean;
  readonly dependencies?: Partial<UploadDependencies>;
}

/** Delivers an upload's message to a new process. */
export function deliver(
  buckets: MemoryBuckets,
  uploaded: Upload,
  { attempt = 'attempt-a', hooks, lastReceive = false, dependencies }: Delivery = {},
): Promise<UploadOutcome> {
  const store = memoryStore(buckets, hooks);
  return solveUpload(uploaded, lastReceive, uploadDependencies(store, attempt, dependencies));
}

/** The storage calls of a delivery without faults. @throws Error if there are none, as a test of faults would check nothing */
export async function callsOf(
  buckets: MemoryBuckets,
  uploaded: Upload,
  delivery: Delivery = {},
): Promise<StoreCall[]> {
  const calls: StoreCall[] = [];
  await deliver(buckets, uploaded, { ...delivery, hooks: recording(calls) });
  if (calls.length === 0)
    throw new Error('no storage calls, so a test of faults at each of them would check nothing');
  return calls;
}

/** The status document of a key. */
export function statusDocumentOf(buckets: MemoryBuckets, key: string): StatusDocument {
  return buckets.json(RESULTS_BUCKET, buckets.keys(RESULTS_BUCKET, `status/${key}/`)[0]!);
}
