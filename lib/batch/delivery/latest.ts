/**
 * `latest.json`: the outcome of the newest version of an input that has one.
 *
 * Events come in any order, so whoever finishes compares its version with the one that the pointer names, and
 * writes only where its own is newer, on the condition that nobody wrote in between.
 */

import type { ObjectStore, PutCondition } from '../ports.ts';
import { JSON_TYPE } from '../results/content-types.ts';
import { readJson } from '../storage/read-json.ts';
import type { InputIdentity, ManifestFile } from './manifest.ts';
import { jsonBytes } from './manifest.ts';

export interface LatestPointer {
  readonly schema: 'dlx-batch/latest@1';
  readonly outcome: 'completed' | 'rejected';
  readonly jobId: string;
  readonly input: InputIdentity;
  /** Key of `manifest.json`, or of `error.json` for a rejected version. */
  readonly key: string;
  /** The files of the result set; empty for a rejected version. */
  readonly files: readonly ManifestFile[];
}

/** Tries before an endless tug of war is given up; the message comes again. */
const MAX_TRIES = 20;

/**
 * Moves the pointer at `pointerKey` forward to `pointer`, unless it names something newer.
 *
 * @throws Error where other writers kept coming in between
 */
export async function advanceLatest(
  store: ObjectStore,
  resultsBucket: string,
  pointerKey: string,
  pointer: LatestPointer,
): Promise<void> {
  const body = jsonBytes(pointer);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const current = await readJson<LatestPointer>(store, resultsBucket, pointerKey);
    if (current !== undefined && !(await shouldReplace(store, pointer, current.document))) return;
    const condition: PutCondition = current === undefined ? { ifAbsent: true } : { ifMatch: current.etag };
    const put = await store.putIf(resultsBucket, pointerKey, body, JSON_TYPE, condition);
    if (put.written) return;
  }
  throw new Error(
    `${pointerKey} was written by others ${MAX_TRIES} times in a row: the message is tried again`,
  );
}

/** Whether `candidate` should stand where `current` stands. */
async function shouldReplace(
  store: ObjectStore,
  candidate: LatestPointer,
  current: LatestPointer,
): Promise<boolean> {
  if (candidate.input.versionId === current.input.versionId) {
    // Two jobs of one version: a result is worth more than a reject; else the one that ended last stands.
    return candidate.outcome === 'completed' || current.outcome === 'rejected';
  }
  const mine = candidate.input.sequencer;
  const other = current.input.sequencer;
  if (mine !== undefined && other !== undefined) return compareSequencers(mine, other) > 0;
  for await (const { versionId } of store.versions(candidate.input.bucket, candidate.input.key)) {
    if (versionId === candidate.input.versionId) return true;
    if (versionId === current.input.versionId) return false;
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
