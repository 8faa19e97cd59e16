/**
 * Solves one uploaded object version, from its event to its committed result set.
 *
 *     identify -> run -> commit, reject, or hand over to the state machine for large files
 *
 * Delivery is at least once and in any order: the job's id follows from the object version and the options, an existing
 * manifest makes a delivery a duplicate, and after an error the message is delivered again.
 */
import {
  AttemptMayRunError,
  attemptFiles,
  commitResults,
  findManifest,
  finishCommitted,
  finishEarlier,
  type JobStorage,
  MAX_ATTEMPT_MS,
  rejectJob,
  removeAttempt,
  type StoredJob,
  writeStatus,
} from '../delivery/commit.ts';
import { type Executions, type HandOverResult, handOver } from '../delivery/executions.ts';
import type { Manifest } from '../delivery/manifest.ts';
import { isEventNotSent } from '../delivery/outcome-events.ts';
import type { Upload } from '../delivery/upload-event.ts';
import { type FileError, goneError } from '../job/file-error.ts';
import { jobEvents } from '../job/job.ts';
import type { JobOpening, JobOutcome } from '../job/job-run.ts';
import type { LargeJob } from '../large/steps.ts';
import { MISSING_UPLOAD_SECONDS } from '../limits.ts';
import { canonicalOptions, type OptionTexts, type SolveOptions } from '../options.ts';
import type { StoredObject } from '../ports.ts';
import type { PuzzleCounts } from '../results/job-totals.ts';
import type { JobStats } from '../results/statistics.ts';
import { MAX_DELAY_SECONDS } from '../retry-delay.ts';
import { FunctionTime, type RemainingTime } from '../storage/function-time.ts';
import { failJob, type ReportedFailure, reportFailure } from './fail-job.ts';
import { functionLimit } from './function-limit.ts';
import { type EarlierJobs, earlierJobs, type IdentifiedJob, identifyUpload } from './identify-upload.ts';

/** Time within which the next attempt begins and updates the status: the longest delay, and a minute to be received. */
const NEXT_ATTEMPT_MS = (MAX_DELAY_SECONDS + 60) * 1000;

export interface UploadDependencies extends JobStorage, RemainingTime, JobOpening {
  /** The stack's default options. */
  readonly defaults: OptionTexts;
  /** Solves files that are too large for one function; without it, they are rejected. */
  readonly large?: {
    readonly executions: Executions;
    /** A file that takes one function more milliseconds than this is large. */
    readonly jobMs: number;
  };
}

export type UploadOutcome =
  | { readonly kind: 'ignored'; readonly reason: string }
  | { readonly kind: 'completed'; readonly jobId: string; readonly stats: JobStats }
  | { readonly kind: 'duplicate'; readonly jobId: string; readonly puzzles: PuzzleCounts }
  /** The state machine solves it; its outcome follows later. */
  | ({ readonly kind: 'handed-over'; readonly jobId: string } & HandOverResult)
  | { readonly kind: 'rejected'; readonly jobId: string; readonly error: FileError };

/**
 * Solves an upload and commits its result set.
 *
 * @param lastReceive whether the message will not be delivered again; after an error, `status/` then says that the job
 *   failed, otherwise that an attempt failed
 * @throws Error on an infrastructure failure, MissingUploadError, EventNotSentError; the message must be delivered again
 */
export async function solveUpload(
  upload: Upload,
  lastReceive: boolean,
  dependencies: UploadDependencies,
): Promise<UploadOutcome> {
  const identified = await identify(upload, dependencies);
  if (identified === undefined) return { kind: 'ignored', reason: 'a folder marker' };
  const { job, info, others, othersUntilMs } = identified;
  if (!lastReceive) {
    const nowMs = Date.parse(dependencies.clock.timeOfDay());
    const ageMs = nowMs - Date.parse(upload.createdAt ?? '');
    if (info === undefined && ageMs < MISSING_UPLOAD_SECONDS * 1000) throw new MissingUploadError(upload);
    const leftMs = othersUntilMs - nowMs;
    if (leftMs > 0) throw new AttemptMayRunError(job.jobId, leftMs);
  }
  try {
    const id = dependencies.ids.next();
    const outcome = await solve({ upload, identified, lastReceive, id, dependencies });
    for (const other of others) await reportFailure(other, dependencies);
    return outcome;
  } catch (error) {
    await recordFailure(job, error, lastReceive, dependencies);
    throw error;
  }
}

/**
 * Reports an upload whose message is received after its last attempt: see `reportFailure`.
 *
 * @throws Error on an infrastructure failure, EventNotSentError
 */
export async function reportUpload(
  upload: Upload,
  dependencies: UploadDependencies,
): Promise<ReportedFailure> {
  const identified = await identify(upload, dependencies);
  if (identified === undefined) return 'ended';
  for (const job of identified.others) await reportFailure(job, dependencies);
  return reportFailure(identified.job, dependencies);
}

/** The job of an upload; undefined for a folder marker. */
async function identify(
  upload: Upload,
  dependencies: UploadDependencies,
): Promise<(IdentifiedJob & EarlierJobs) | undefined> {
  const info = await dependencies.store.head(upload.bucket, upload.key, upload.versionId);
  if ((info?.size ?? upload.bytes) === 0 && upload.key.endsWith('/')) return undefined;
  const identified = identifyUpload(upload, info, dependencies);
  if (info !== undefined) return { ...identified, others: [], othersUntilMs: 0 };
  return { ...identified, ...(await earlierJobs(identified.job, dependencies)) };
}

/** S3 does not find an upload whose event is young: it may still appear, see MISSING_UPLOAD_SECONDS. */
export class MissingUploadError extends Error {
  override readonly name = 'MissingUploadError';

  constructor({ bucket, key }: Upload) {
    super(
      `s3://${bucket}/${key} is missing: it was deleted, or versioning of its bucket was enabled less than 15 minutes ago; ` +
        'the message will be delivered again',
    );
  }
}

/** In a bucket without versions, the object was overwritten after it was identified; the next attempt reads the new one. */
class ReplacedInputError extends Error {
  override readonly name = 'ReplacedInputError';

  constructor({ bucket, key }: Upload) {
    super(`s3://${bucket}/${key} was overwritten while its job started; the message will be delivered again`);
  }
}

/** Storage was so slow that the rest of the time says nothing about the file. */
class LostTimeError extends Error {
  override readonly name = 'LostTimeError';

  constructor(lostMs: number) {
    const seconds = Math.round(lostMs / 1000);
    super(
      `the upload was opened after ${seconds} seconds, too late to solve it; the message will be delivered again`,
    );
  }
}

/** One attempt at the job of an upload. */
interface Attempt {
  readonly upload: Upload;
  readonly identified: IdentifiedJob;
  readonly lastReceive: boolean;
  /** Its id, the name of the folder of its files. */
  readonly id: string;
  readonly dependencies: UploadDependencies;
}

async function solve(attempt: Attempt): Promise<UploadOutcome> {
  const { identified, dependencies, id } = attempt;
  const { job, info, error, options } = identified;
  const existing =
    (await finishCommitted(job, dependencies)) ?? (await finishEarlier(job, info, dependencies));
  if (existing !== undefined) return duplicate(existing);
  const time = new FunctionTime(dependencies);
  const startMs = dependencies.clock.monotonicMs();
  // If this attempt is killed and the upload deleted, the next one finds the job by its status.
  await writeStatus(job, dependencies, { state: 'running', attempt: id }, time.totalMs);
  return error === undefined ? run(attempt, options!, time, startMs) : reject(attempt, error);
}

/** @param startMs when the attempt began, in the clock's monotonic milliseconds */
async function run(
  attempt: Attempt,
  options: SolveOptions,
  time: FunctionTime,
  startMs: number,
): Promise<UploadOutcome> {
  const { upload, identified, id, dependencies } = attempt;
  const { job } = identified;
  const { clock, large, jobLimits } = dependencies;
  const object = await openUpload(attempt);
  if (object === undefined) return rejectDeleted(attempt);
  const lostMs = clock.monotonicMs() - startMs;
  const { engine, solver, close } = dependencies.openSolver(options, object.size);
  const limit =
    large &&
    functionLimit({
      storedBytes: object.size,
      options,
      engine,
      clock,
      timeMs: time.usableMs,
      largeMs: large.jobMs,
    });
  const events = jobEvents(
    {
      input: object.body,
      fileName: upload.key,
      options,
      files: attemptFiles(job, id, dependencies, true),
      deadlineMs: startMs + time.usableMs,
      jobLimits,
      storedBytes: object.size,
    },
    { ...dependencies, engine, solver },
  );
  const outcome = await endOf(events, limit).finally(close);
  const canonical = canonicalOptions(options);
  const { jobId } = job;
  if (outcome.kind === 'completed') {
    const { stats, files } = outcome;
    const existing = await commitResults(job, id, canonical, stats, files, dependencies);
    return existing.attempt === id ? { kind: 'completed', jobId, stats } : duplicate(existing);
  }
  if (outcome.outOfTime !== true) return reject(attempt, outcome.error);
  if (time.totalMs > 0 && lostMs > time.totalMs / 2) throw new LostTimeError(lostMs);
  return large === undefined
    ? reject(attempt, outcome.error)
    : handOverJob(attempt, canonical, large.executions);
}

/** The end of a job that is handed over: no user sees its error. */
const TOO_LONG: JobOutcome = {
  kind: 'rejected',
  error: { code: 'too_large', message: 'the file takes one function too long' },
  outOfTime: true,
};

/** Runs a job until it ends, or takes too long; then it is out of time. */
async function endOf(
  events: ReturnType<typeof jobEvents>,
  limit: ReturnType<typeof functionLimit> | undefined,
): Promise<JobOutcome> {
  let next = await events.next();
  while (next.done !== true) {
    try {
      const isTooLong = (await limit?.(next.value)) === true;
      next = await (isTooLong ? events.return(TOO_LONG) : events.next());
    } catch (error) {
      // As an error of the job: its input may be damaged behind the head.
      next = await events.throw(error);
    }
  }
  return next.value;
}

/**
 * Opens the upload: if its event names no version, the version that the job's id was made from.
 *
 * @returns undefined if it no longer exists
 * @throws ReplacedInputError
 */
async function openUpload({ upload, identified, dependencies }: Attempt): Promise<StoredObject | undefined> {
  const { info } = identified;
  const { bucket, key, versionId = info?.versionId } = upload;
  const object = await dependencies.store.get(bucket, key, versionId);
  if (object !== undefined && object.etag !== info?.etag) throw new ReplacedInputError(upload);
  return object;
}

/**
 * Rejects an upload that was deleted after it was identified. Another delivery may have read it before and may commit, so
 * a reject now could take effect after the commit: the message is delivered again when that delivery has ended.
 */
function rejectDeleted(attempt: Attempt): Promise<UploadOutcome> {
  const { upload, identified, lastReceive } = attempt;
  if (!lastReceive) throw new AttemptMayRunError(identified.job.jobId, MAX_ATTEMPT_MS);
  return reject(attempt, goneError(upload.key, upload.versionId));
}

/** Hands the job to the state machine, unless it is there already. */
async function handOverJob(
  { identified, id, dependencies }: Attempt,
  options: string,
  executions: Executions,
): Promise<UploadOutcome> {
  const { store, resultsBucket } = dependencies;
  const { jobId, keys, input } = identified.job;
  await removeAttempt(identified.job, id, dependencies);
  const { bucket, key, versionId } = input;
  const large: LargeJob = { bucket, key, versionId, options };
  const isFinished = async () => (await store.head(resultsBucket, keys.done)) !== undefined;
  const handed = await handOver(executions, jobId, JSON.stringify(large), isFinished);
  return { kind: 'handed-over', jobId, ...handed };
}

function duplicate({ jobId, puzzles }: Manifest): UploadOutcome {
  return { kind: 'duplicate', jobId: jobId!, puzzles };
}

async function reject(attempt: Attempt, error: FileError): Promise<UploadOutcome> {
  const { identified, lastReceive, id, dependencies } = attempt;
  const { job, texts } = identified;
  await removeAttempt(job, id, dependencies);
  const existing = await rejectJob(job, error, texts, lastReceive, dependencies);
  return existing === undefined ? { kind: 'rejected', jobId: job.jobId, error } : duplicate(existing);
}

async function recordFailure(
  job: StoredJob,
  error: unknown,
  lastReceive: boolean,
  dependencies: UploadDependencies,
): Promise<void> {
  // The job has an outcome.
  if (isEventNotSent(error)) return;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  try {
    if (lastReceive) return await failJob(job, { message }, dependencies);
    // Another attempt may have committed: then the job did not fail.
    if ((await findManifest(job, dependencies)) !== undefined) return;
    const next = { message: `an attempt failed, another will follow: ${message}` };
    await writeStatus(job, dependencies, { state: 'running', error: next }, NEXT_ATTEMPT_MS);
  } catch (statusError) {
    const what = isEventNotSent(statusError)
      ? 'its event could not be sent'
      : 'its status could not be written';
    throw new AggregateError([error, statusError], `the job failed (${message}), and ${what}`);
  }
}
