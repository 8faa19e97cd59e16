/**
 * The commit of a job, and the writes that follow it.
 *
 * Two attempts at one job may run concurrently, and each may be interrupted anywhere. `manifest.json`, written only if
 * it does not exist, decides which attempt's files are the result:
 *
 *     attempt A   files ... manifest (written)   latest, done, status, removal of B's files
 *     attempt B   files ........... manifest (412: A's) removal of B's files, then the same as A
 *
 * The writes after the commit are idempotent, and every attempt that finds the manifest repeats them before its message
 * is acknowledged, so a crash after the commit loses nothing. A reject never undoes a commit: it checks for the manifest
 * before it writes `error.json` and again at its end, and the writes after a commit remove an existing `error.json`.
 *
 * The event of an outcome is sent last. If the bus does not accept it, the step fails, and its repetition sends it.
 */

import type { FileError } from '../job/file-error.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../limits.ts';
import type { Clock, Hashing, ObjectInfo, ResultFiles } from '../ports.ts';
import { jobTotals } from '../results/job-totals.ts';
import type { JobStats } from '../results/statistics.ts';
import { type ResultStorage, readJson } from '../storage/read-json.ts';
import { deleteUnder, putIf, putIfAbsent, putJson, update } from '../storage/write-json.ts';
import { advanceLatest } from './latest.ts';
import { createManifest, type InputIdentity, type Manifest, type ManifestFile } from './manifest.ts';
import { type EventStorage, sendCompleted, sendRejected } from './outcome-events.ts';
import { jobKeys } from './result-keys.ts';
import type { DoneMarker, RejectDocument, StatusDocument } from './status-document.ts';

/** Longest life of an attempt in a function, and a minute for clocks that differ. */
export const MAX_ATTEMPT_MS = (DEFAULT_TIMEOUT_SECONDS + 60) * 1000;

/** A job in the results bucket. */
export interface StoredJob {
  readonly jobId: string;
  readonly input: InputIdentity;
  readonly keys: ReturnType<typeof jobKeys>;
}

export function storedJob(jobId: string, input: InputIdentity, hashing: Hashing): StoredJob {
  return { jobId, input, keys: jobKeys(input.key, input.versionId, jobId, hashing) };
}

export interface JobStorage extends EventStorage, ResultStorage {
  readonly clock: Clock;
  readonly hashing: Hashing;
  /**
   * Called once this attempt has committed its job, before the steps that follow and may fail, so that the job is counted:
   * never if the function dies before the call, and twice only if two invocations of one execution merge at the same time.
   */
  onCommit?(stats: JobStats): void;
}

/** The manifest of a committed job; undefined for others. */
export function findManifest(job: StoredJob, storage: JobStorage): Promise<Manifest | undefined> {
  return readJson(storage, job.keys.manifest);
}

/** Repeats what follows the commit of a job that is committed. @returns its manifest; undefined for others */
export async function finishCommitted(job: StoredJob, storage: JobStorage): Promise<Manifest | undefined> {
  const manifest = await findManifest(job, storage);
  if (manifest !== undefined) await finishCommit(job, manifest, storage);
  return manifest;
}

/**
 * Repeats what follows the commit of the job under which another program version completed a version of an object: the result
 * schema is a part of a job's id, so a message that is delivered again after an upgrade has another id.
 *
 * @returns the manifest of that job; undefined if there is none, also if its results were removed
 *
 * In a bucket without versions, another upload of the same bytes may have other options, so each job stands alone.
 */
export async function finishEarlier(
  { jobId, input, keys }: StoredJob,
  info: ObjectInfo | undefined,
  storage: JobStorage,
): Promise<Manifest | undefined> {
  if (info?.versionId === undefined) return undefined;
  const marker = await readJson<DoneMarker>(storage, keys.done);
  if (marker?.outcome !== 'completed' || marker.jobId === jobId) return undefined;
  return finishCommitted(storedJob(marker.jobId, input, storage.hashing), storage);
}

/**
 * Commits an attempt whose files are all stored, and does the writes that follow.
 *
 * @param files with names in the folder of the attempt
 * @returns the existing manifest; if it is that of a faster attempt, the files of this one are removed
 * @throws Error if other writers conflict in every attempt
 */
export async function commitResults(
  job: StoredJob,
  attempt: string,
  canonicalOptions: string,
  stats: JobStats,
  files: readonly ManifestFile[],
  storage: JobStorage,
): Promise<Manifest> {
  const { keys, jobId, input } = job;
  const folder = keys.attempt(attempt);
  const manifest = createManifest({
    jobId,
    attempt,
    input,
    canonicalOptions,
    reproducible: true,
    stats,
    files: files.map(({ name, ...file }) => ({ name, key: `${folder}${name}`, ...file })),
  });
  const existing = await putIfAbsent(storage, keys.manifest, manifest);
  // Before the writes that follow, which may fail.
  if (existing.attempt === attempt) storage.onCommit?.(stats);
  else await deleteUnder(storage, folder);
  await finishCommit(job, existing, storage);
  return existing;
}

/**
 * Does the writes that follow a commit, and sends its event; idempotent but for the event.
 *
 * @throws EventNotSentError after all writes
 */
export async function finishCommit(job: StoredJob, manifest: Manifest, storage: JobStorage): Promise<void> {
  const { store, resultsBucket } = storage;
  const { keys, jobId } = job;
  const input = manifest.input as InputIdentity;
  await advanceLatest(storage, keys.latest, {
    schema: 'dlx-batch/latest@1',
    outcome: 'completed',
    jobId,
    input,
    key: keys.manifest,
    files: manifest.files,
  });
  const { puzzles, files } = manifest;
  const used = await usedTime(files, storage);
  const done: DoneMarker = { schema: 'dlx-batch/done@1', jobId, outcome: 'completed', puzzles, ...used };
  await putJson(storage, keys.done, done);
  // Deleting a missing object would leave a delete marker in a versioned bucket.
  if ((await store.head(resultsBucket, keys.reject)) !== undefined) {
    await store.delete(resultsBucket, keys.reject);
  }
  await writeStatus(job, storage, { state: 'done', attempt: manifest.attempt, ...jobTotals(manifest) });
  const kept = keys.attempt(manifest.attempt!);
  await deleteUnder(
    storage,
    keys.folder,
    (key) => isAttemptFile(key.slice(keys.folder.length)) && !key.startsWith(kept),
  );
  await sendCompleted(manifest, keys.manifest, storage);
}

/** The time and memory of the functions of a job, by its stored statistics: the same for every attempt that finishes it. */
async function usedTime(
  files: readonly ManifestFile[],
  storage: JobStorage,
): Promise<Pick<DoneMarker, 'seconds' | 'gbSeconds'> | undefined> {
  const key = files.find(({ name }) => name === 'stats.json')?.key;
  const stats = key && (await readJson<JobStats>(storage, key));
  if (!stats) return undefined;
  const { used, timing, runtime } = stats;
  const seconds = (used?.functionMs ?? timing.wallMs) / 1000;
  return { seconds, gbSeconds: used?.gbSeconds ?? (seconds * runtime.memoryMb) / 1024 };
}

/**
 * Whether a path in a job's folder is `<attempt>/<file>`. An input key may look like a job's folder
 * (`a/<jobId of a>/b`); its results are then in that folder and must not be removed.
 */
function isAttemptFile(path: string): boolean {
  return /^[A-Za-z0-9-]+\/[^/]+$/.test(path) && !path.endsWith('/latest.json');
}

/** Storage for the files of an attempt. @param isOnly whether no other process writes files of this attempt */
export function attemptFiles(
  job: StoredJob,
  attempt: string,
  { store, resultsBucket }: ResultStorage,
  isOnly: boolean,
): ResultFiles {
  const folder = job.keys.attempt(attempt);
  return {
    open: (name, contentType) => store.writer(resultsBucket, `${folder}${name}`, contentType, isOnly),
  };
}

/** Removes the files of an uncommitted attempt. */
export function removeAttempt(job: StoredJob, attempt: string, storage: ResultStorage): Promise<void> {
  return deleteUnder(storage, job.keys.attempt(attempt));
}

/** A reject is complete, but another attempt may have left files that only a later delivery can remove. */
export class AttemptMayRunError extends Error {
  override readonly name = 'AttemptMayRunError';
  /** After so many seconds, that attempt has ended. */
  readonly seconds: number;

  constructor(jobId: string, leftMs: number) {
    super(`another attempt at job ${jobId} may still run; the message will be delivered again`);
    this.seconds = Math.ceil(leftMs / 1000);
  }
}

/**
 * Removes the files of attempts that were killed: after a reject, no other delivery would.
 *
 * @param isLast whether files of a killed attempt matter less than a message in the dead-letter queue
 * @throws AttemptMayRunError if such an attempt may still run: it may commit, so its files must stay
 */
async function removeAbandoned(job: StoredJob, isLast: boolean, storage: JobStorage): Promise<void> {
  const { store, resultsBucket, clock } = storage;
  const { jobId, keys } = job;
  const nowMs = Date.parse(clock.timeOfDay());
  const abandoned: string[] = [];
  for await (const { key, lastModified, latest } of store.listVersions(resultsBucket, keys.folder)) {
    const path = key.slice(keys.folder.length);
    // Attempts of the state machine have the name of their execution, which may run for days.
    if (!latest || !isAttemptFile(path) || path.startsWith(jobId)) continue;
    const leftMs = Date.parse(lastModified) + MAX_ATTEMPT_MS - nowMs;
    if (leftMs > 0 && isLast) return;
    if (leftMs > 0) throw new AttemptMayRunError(jobId, leftMs);
    abandoned.push(key);
  }
  for (const key of abandoned) await store.delete(resultsBucket, key);
}

/**
 * Records why a file cannot be solved.
 *
 * @param options the option texts as given
 * @param isLast whether no other delivery follows
 * @returns the manifest, if an attempt at the same job is committed: it takes precedence, and what follows it is repeated
 * @throws AttemptMayRunError if another attempt may still run, unless this is the last delivery; EventNotSentError; the reject is
 *   complete then
 */
export async function rejectJob(
  job: StoredJob,
  error: FileError,
  options: Readonly<Record<string, string>>,
  isLast: boolean,
  storage: JobStorage,
): Promise<Manifest | undefined> {
  const { keys, jobId, input } = job;
  const before = await finishCommitted(job, storage);
  if (before !== undefined) return before;
  const document: RejectDocument = { schema: 'dlx-batch/reject@1', jobId, input, options, error };
  await putJson(storage, keys.reject, document);
  await advanceLatest(storage, keys.latest, {
    schema: 'dlx-batch/latest@1',
    outcome: 'rejected',
    jobId,
    input,
    key: keys.reject,
    files: [],
  });
  // Only if there is none: a commit in the meantime takes precedence.
  const { code, message } = error;
  const done: DoneMarker = { schema: 'dlx-batch/done@1', jobId, outcome: 'rejected', message };
  // Not all functions that reject may read it.
  await putIf(storage, keys.done, done, { ifAbsent: true });
  await writeStatus(job, storage, { state: 'rejected', error: { code, message } });
  // A commit in the meantime may have removed the reject before all of it was written.
  const after = await finishCommitted(job, storage);
  if (after !== undefined) return after;
  await sendRejected(jobId, input, keys.reject, error, storage);
  await removeAbandoned(job, isLast, storage);
  return undefined;
}

/**
 * Writes `status/`, unless it has a status that this one does not replace: nothing replaces `done`; a failed attempt does not
 * replace `rejected`, but a new attempt may run after a reject.
 *
 * @param runsMs how long the job runs, or will, at most
 * @returns whether it was written; false if the existing one has precedence
 * @throws Error if other writers conflict in every attempt
 */
export async function writeStatus(
  job: StoredJob,
  storage: JobStorage,
  { state, attempt, ...facts }: Omit<StatusDocument, 'schema' | 'jobId' | 'input' | 'updatedAt' | 'deadline'>,
  runsMs?: number,
): Promise<boolean> {
  const { keys, jobId, input } = job;
  const updatedAt = storage.clock.timeOfDay();
  const deadline = runsMs === undefined ? undefined : new Date(Date.parse(updatedAt) + runsMs).toISOString();
  const times = { updatedAt, deadline };
  const document: StatusDocument = {
    schema: 'dlx-batch/status@1',
    jobId,
    input,
    state,
    attempt,
    ...times,
    ...facts,
  };
  // Final: no other status has precedence.
  if (state === 'done') {
    await putJson(storage, keys.status, document);
    return true;
  }
  const isFailure = state !== 'rejected' && facts.error !== undefined;
  return update<StatusDocument>(storage, keys.status, (existing) =>
    existing?.state === 'done' || (isFailure && existing?.state === 'rejected') ? undefined : document,
  );
}
