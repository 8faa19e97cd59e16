/**
 * `latest.json`: the outcome of the newest finished version of an input.
 *
 * Events arrive in any order, so a finished job replaces the pointer only if its own version is newer. The write is
 * conditional on an unchanged pointer.
 */

import type { ObjectStore } from '../ports.ts';
import type { ResultStorage } from '../storage/read-json.ts';
import { update } from '../storage/write-json.ts';
import type { InputIdentity, ManifestFile } from './manifest.ts';

export interface LatestPointer {
  readonly schema: 'dlx-batch/latest@1';
  /** Whether the upload was solved or rejected as a whole. */
  readonly outcome: 'completed' | 'rejected';
  /** The job that finished. */
  readonly jobId: string;
  /** The upload. */
  readonly input: InputIdentity;
  /** Key of `manifest.json`, or of `error.json` for a rejected version. */
  readonly key: string;
  /** The files of the result set; empty for a rejected version. */
  readonly files: readonly ManifestFile[];
}

/**
 * Replaces the pointer at `pointerKey` by `pointer`, unless the existing one is newer.
 *
 * @throws Error if other writers conflict in every attempt
 */
export async function advanceLatest(
  storage: ResultStorage,
  pointerKey: string,
  pointer: LatestPointer,
): Promise<void> {
  await update<LatestPointer>(storage, pointerKey, async (existing) =>
    existing === undefined || (await shouldReplace(storage.store, pointer, existing)) ? pointer : undefined,
  );
}

/** Whether `candidate` should replace `current`. */
async function shouldReplace(
  store: ObjectStore,
  candidate: LatestPointer,
  current: LatestPointer,
): Promise<boolean> {
  if (candidate.input.versionId === current.input.versionId) {
    // Two jobs of one version: a result takes precedence over a reject; otherwise the last to finish counts.
    return candidate.outcome === 'completed' || current.outcome === 'rejected';
  }
  const mine = candidate.input.sequencer;
  const other = current.input.sequencer;
  if (mine !== undefined && other !== undefined) return compareSequencers(mine, other) > 0;
  const { bucket, key } = candidate.input;
  for await (const listed of store.listVersions(bucket, key)) {
    // Other keys with this prefix follow it.
    if (listed.key !== key) break;
    if (listed.versionId === candidate.input.versionId) return true;
    if (listed.versionId === current.input.versionId) return false;
  }
  return false;
}

/** S3's order of sequencers: as text, the shorter padded on the right with zeros. */
export function compareSequencers(a: string, b: string): number {
  const width = Math.max(a.length, b.length);
  const left = a.padEnd(width, '0');
  const right = b.padEnd(width, '0');
  return left < right ? -1 : left > right ? 1 : 0;
}
