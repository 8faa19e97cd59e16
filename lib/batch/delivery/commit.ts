/**
 * The commit of a job, and all that follows it.
 *
 * Two attempts at one job may run at once, and each may be cut off anywhere. `manifest.json`, written on the
 * condition that there is none, decides which attempt's files are the result:
 *
 *     attempt A   files ... manifest (written)   latest, done, status, removal of B's files
 *     attempt B   files ........... manifest (412: A's) removal of B's files, then the same as A
 *
 * What follows the commit is idempotent, and whoever finds the manifest does it again before acknowledging, so a
 * crash after the commit loses nothing. A reject never undoes a commit: the manifest is looked for before `error.json`
 * is written, and again when everything of the reject is; what follows a commit removes an `error.json` that it finds.
 */

import type { FileError } from '../job/file-error.ts';
import type { Clock, ObjectStore, ResultFiles } from '../ports.ts';
import { JSON_TYPE } from '../results/content-types.ts';
import { readJson } from '../storage/read-json.ts';
import { advanceLatest } from './latest.ts';
import { type InputIdentity, jsonBytes, type Manifest } from './manifest.ts';
import type { JobKeys } from './result-keys.ts';
import type { DoneMarker, RejectDocument, StatusDocument } from './status-document.ts';

/** Tries at a conditional write that meets another one under way. */
const MAX_TRIES = 10;

/** A job in the results bucket. */
export interface StoredJob {
  readonly jobId: string;
  readonly input: InputIdentity;
  readonly keys: JobKeys;
}

/** Where jobs are kept. */
export interface JobStorage {
  readonly store: ObjectStore;
  readonly resultsBucket: string;
  readonly clock: Clock;
}

/** The manifest of a job that is committed; undefined where it is not. */
export async function findManifest(job: StoredJob, storage: JobStorage): Promise<Manifest | undefined> {
  const found = await readJson<Manifest>(storage.store, storage.resultsBucket, job.keys.manifest);
  return found?.document;
}

/** The manifest that stands when we have tried to write ours. */
async function commit(job: StoredJob, manifest: Manifest, storage: JobStorage): Promise<Manifest> {
  const { store, resultsBucket } = storage;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const body = jsonBytes(manifest);
    const put = await store.putIf(resultsBucket, job.keys.manifest, body, JSON_TYPE, { ifAbsent: true });
    if (put.written) return manifest;
    if (put.reason === 'conflict') continue;
    // Ours too may be what is there: a retried request whose first answer was lost.
    const standing = await findManifest(job, storage);
    if (standing !== undefined) return standing;
  }
  throw new Error(
    `${job.keys.manifest} could not be written in ${MAX_TRIES} tries: the message is tried again`,
  );
}

/**
 * Commits an attempt whose files are all stored, and does all that follows.
 *
 * @param onCommit hears that this attempt's manifest stands, before anything follows that may fail; so it does again in
 *   an attempt that is committed twice
 * @returns the manifest that stands: ours, or that of an attempt that was faster, and then our files are removed
 * @throws Error where others kept writing at the same moment
 */
export async function commitAttempt(
  job: StoredJob,
  manifest: Manifest,
  storage: JobStorage,
  onCommit: () => void = () => {},
): Promise<Manifest> {
  const standing = await commit(job, manifest, storage);
  if (standing.attempt === manifest.attempt) onCommit();
  else await removeAttempt(job, manifest.attempt!, storage);
  await finishCommit(job, standing, storage);
  return standing;
}

/** Everything that follows a commit; may be done any number of times, by anyone. */
export async function finishCommit(job: StoredJob, manifest: Manifest, storage: JobStorage): Promise<void> {
  const { store, resultsBucket, clock } = storage;
  const { keys, jobId } = job;
  const input = manifest.input as InputIdentity;
  await advanceLatest(store, resultsBucket, keys.latest, {
    schema: 'dlx-batch/latest@1',
    outcome: 'completed',
    jobId,
    input,
    key: keys.manifest,
    files: manifest.files,
  });
  const done: DoneMarker = { schema: 'dlx-batch/done@1', jobId, outcome: 'completed' };
  await store.put(resultsBucket, keys.done, jsonBytes(done), JSON_TYPE);
  // Deleting what is not there would still leave a delete marker in a bucket that keeps versions.
  if ((await store.head(resultsBucket, keys.reject)) !== undefined) {
    await store.delete(resultsBucket, keys.reject);
  }
  await writeStatus(job, storage, {
    state: 'done',
    attempt: manifest.attempt,
    updatedAt: clock.timeOfDay(),
    puzzles: manifest.puzzles,
  });
  const kept = keys.attempt(manifest.attempt!);
  for await (const key of store.list(resultsBucket, keys.folder)) {
    if (isAttemptFile(key.slice(keys.folder.length)) && !key.startsWith(kept)) {
      await store.delete(resultsBucket, key);
    }
  }
}

/**
 * Whether a key below a job's folder is `<attempt>/<file>`. An input key may itself look like a job's folder
 * (`a/<jobId of a>/b`), and its results, which then lie below that folder, are nobody else's to remove.
 */
function isAttemptFile(path: string): boolean {
  return /^[A-Za-z0-9-]+\/[^/]+$/.test(path) && !path.endsWith('/latest.json');
}

/** Where an attempt's files are written. */
export function attemptFiles(
  job: StoredJob,
  attempt: string,
  { store, resultsBucket }: Pick<JobStorage, 'store' | 'resultsBucket'>,
): ResultFiles {
  const folder = job.keys.attempt(attempt);
  return { open: (name, contentType) => store.writer(resultsBucket, `${folder}${name}`, contentType) };
}

/** Removes the files of an attempt that did not commit. */
export async function removeAttempt(job: StoredJob, attempt: string, storage: JobStorage): Promise<void> {
  const { store, resultsBucket } = storage;
  for await (const key of store.list(resultsBucket, job.keys.attempt(attempt))) {
    await store.delete(resultsBucket, key);
  }
}

/**
 * Records that a file cannot be solved, and why.
 *
 * @param options the option texts as they were given
 * @returns the manifest that stands instead, where an attempt at the same job is committed
 */
export async function rejectJob(
  job: StoredJob,
  error: FileError,
  options: Readonly<Record<string, string>>,
  storage: JobStorage,
): Promise<Manifest | undefined> {
  const { store, resultsBucket, clock } = storage;
  const { keys, jobId, input } = job;
  const before = await findManifest(job, storage);
  if (before !== undefined) return before;
  const document: RejectDocument = { schema: 'dlx-batch/reject@1', jobId, input, options, error };
  await store.put(resultsBucket, keys.reject, jsonBytes(document), JSON_TYPE);
  await advanceLatest(store, resultsBucket, keys.latest, {
    schema: 'dlx-batch/latest@1',
    outcome: 'rejected',
    jobId,
    input,
    key: keys.reject,
    files: [],
  });
  // Only where there is none: a commit that came in between has the better word.
  const done: DoneMarker = { schema: 'dlx-batch/done@1', jobId, outcome: 'rejected' };
  await store.putIf(resultsBucket, keys.done, jsonBytes(done), JSON_TYPE, { ifAbsent: true });
  await writeStatus(job, storage, {
    state: 'rejected',
    updatedAt: clock.timeOfDay(),
    error: { code: error.code, message: error.message },
  });
  // A commit that came in between may have cleaned up before all this was written: whoever finds it does it again.
  return findManifest(job, storage);
}

/** Writes `status/`. */
export async function writeStatus(
  job: StoredJob,
  storage: JobStorage,
  status: Omit<StatusDocument, 'schema' | 'jobId' | 'input'>,
): Promise<void> {
  const document: StatusDocument = {
    schema: 'dlx-batch/status@1',
    jobId: job.jobId,
    input: job.input,
    ...status,
  };
  await storage.store.put(storage.resultsBucket, job.keys.status, jsonBytes(document), JSON_TYPE);
}
