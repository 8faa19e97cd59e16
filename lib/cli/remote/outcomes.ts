/** The outcomes of uploads: of a version, or the newest of a key. */
import { findStatus } from '../../batch/delivery/find-status.ts';
import type { LatestPointer } from '../../batch/delivery/latest.ts';
import type { InputVersion, Manifest, ManifestFile } from '../../batch/delivery/manifest.ts';
import { resultKeyPart } from '../../batch/delivery/result-keys.ts';
import { findOutcome, type VersionOutcome } from '../../batch/delivery/result-set.ts';
import type { StatusDocument } from '../../batch/delivery/status-document.ts';
import { RESULTS_PREFIX } from '../../batch/names.ts';
import type { JobStats } from '../../batch/results/statistics.ts';
import { readJson } from '../../batch/storage/read-json.ts';
import { systemHashing } from '../../node/system.ts';
import { CommandError } from '../exit.ts';
import { commandText } from './command-text.ts';
import type { Buckets } from './connection.ts';

export type PolledOutcome =
  | VersionOutcome
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'pending'; readonly status?: StatusDocument };

/** What has become of a version. */
export async function pollOutcome(buckets: Buckets, version: InputVersion): Promise<PolledOutcome> {
  const outcome = await findOutcome(buckets, version, systemHashing);
  if (outcome !== undefined) return outcome;
  const status = await findStatus(buckets, version, systemHashing);
  if (status?.state === 'failed') {
    return { kind: 'failed', message: status.error?.message ?? 'the job failed' };
  }
  return { kind: 'pending', status };
}

/**
 * The outcome of the newest version of a key that has one.
 *
 * @throws CommandError if the result was deleted
 */
export async function findLatestOutcome(buckets: Buckets, key: string): Promise<VersionOutcome | undefined> {
  const latestKey = latestKeyOf(resultKeyPart(key, systemHashing));
  const latest = await readJson<LatestPointer>(buckets, latestKey);
  if (latest === undefined) return undefined;
  const outcome = await findOutcome(buckets, latest.input, systemHashing);
  if (outcome !== undefined) return outcome;
  throw new CommandError(`the result of ${key} was deleted: upload the file again`);
}

/** @throws CommandError if the key has no result, or the result was deleted */
export async function latestOutcome(buckets: Buckets, key: string): Promise<VersionOutcome> {
  const outcome = await findLatestOutcome(buckets, key);
  if (outcome !== undefined) return outcome;
  throw new CommandError(
    `${key} has no result: give the key of an upload (see ${commandText('status')}), or wait until it is solved`,
  );
}

/** The full input key for its form in result keys, where long keys are cut. */
export async function fullKey(buckets: Buckets, part: string): Promise<string> {
  if (resultKeyPart(part, systemHashing) === part) return part;
  const latest = await readJson<LatestPointer>(buckets, latestKeyOf(part));
  return latest?.input.key ?? part;
}

function latestKeyOf(part: string): string {
  return `${RESULTS_PREFIX}${part}/latest.json`;
}

/** Names of the files of a result set, without extensions. */
export const RESULT_FILES: readonly string[] = ['solutions', 'exceptions', 'records', 'stats', 'report'];

/** Whether a file has this name before the dot. */
export function hasBaseName({ name }: { readonly name: string }, baseName: string): boolean {
  return name.startsWith(`${baseName}.`);
}

export function resultFile({ files }: Manifest, baseName: string): ManifestFile | undefined {
  return files.find((file) => hasBaseName(file, baseName));
}

/** The statistics of a job; undefined if they were deleted. */
export function statsOf(buckets: Buckets, manifest: Manifest): Promise<JobStats | undefined> {
  return readJson(buckets, resultFile(manifest, 'stats')!.key!);
}
