/**
 * Solves one uploaded object version, from its event to its committed result set.
 *
 * Delivery is at least once and in any order: the job's id follows from the object version and the options, an existing
 * manifest makes a delivery a duplicate, and after an error the message is delivered again.
 */

import type { SplitRule } from '../../exact-cover/split/split-search.ts';
import type { PuzzleDetection } from '../../formats/formats.ts';
import type { Engine } from '../../sudoku/engine.ts';
import { type Forecast, forecast } from '../estimate/forecast.ts';
import {
  HAND_OVER_MARGIN,
  LARGE_MARGIN,
  searchTooLong,
  tooLargeByEstimate,
} from '../estimate/projected-time.ts';
import type { LargeJob } from '../fan-out/steps.ts';
import { type FileError, goneError } from '../job/file-error.ts';
import { formatHints } from '../job/format-hints.ts';
import { plainBytes } from '../job/input.ts';
import { runJob } from '../job/job.ts';
import type { JobProgress } from '../job/job-run.ts';
import type { RecordSource } from '../job/record-source.ts';
import type { JobLimits } from '../job-limits.ts';
import { deadlineReserveMs, MISSING_UPLOAD_SECONDS } from '../limits.ts';
import { canonicalOptions, type OptionTexts, type SolveOptions } from '../options.ts';
import type { Hashing, RandomIds, Unpacking } from '../ports.ts';
import type { PuzzleCounts } from '../results/job-totals.ts';
import type { WrittenFile } from '../results/result-files.ts';
import type { JobStats, RuntimeInfo } from '../results/statistics.ts';
import type { BlockSolver } from '../solving/block-solver.ts';
import {
  AttemptMayRunError,
  attemptFiles,
  commitAttempt,
  completedEarlier,
  findManifest,
  finishCommit,
  type JobStorage,
  MAX_ATTEMPT_MS,
  rejectJob,
  removeAttempt,
  type StoredJob,
  storedJob,
  UNLESS_DONE,
  UNLESS_FINAL,
  writeStatus,
} from './commit.ts';
import { type Executions, type HandOverResult, handOver } from './executions.ts';
import { failJob, type ReportedFailure, reportFailure } from './fail-job.ts';
import { statusesOf } from './find-status.ts';
import { type IdentifiedJob, identifyUpload } from './identify-upload.ts';
import { createManifest, type Manifest } from './manifest.ts';
import { isEventNotSent } from './outcome-events.ts';
import { MAX_DELAY_SECONDS } from './retry-delay.ts';
import type { StatusDocument } from './status-document.ts';
import type { Upload } from './upload-event.ts';

/** Time within which the next attempt begins and updates the status: the longest delay, and a minute to be received. */
const NEXT_TRY_MS = (MAX_DELAY_SECONDS + 60) * 1000;

/** Only marks a file that is handed over: no user sees it. */
const TOO_LONG: FileError = { code: 'too_large', message: 'the file takes one function too long' };

export interface UploadDependencies extends JobStorage {
  readonly hashing: Hashing;
  readonly unpacking: Unpacking;
  readonly ids: RandomIds;
  readonly runtime: RuntimeInfo;
  /** The stack's default options. */
  readonly defaults: OptionTexts;
  /** @default the limits for which no operator has set others */
  readonly jobLimits?: JobLimits;
  /**
   * Opens engine and solver for one job; close them after it.
   *
   * @param storedBytes the size of its file, if known
   */
  openSolver(
    options: SolveOptions,
    storedBytes?: number,
  ): {
    readonly engine: Engine;
    readonly solver: BlockSolver;
    close(): Promise<void>;
  };
  /** When the search of an exact cover is split: for tests. */
  readonly splitRule?: SplitRule;
  /** Milliseconds until this process is stopped. */
  remainingMs(): number;
  /** Called once this delivery has committed the job, before the steps that follow and may fail. */
  onCommit?(stats: JobStats): void;
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
  if (identified.info === undefined && !lastReceive) requireOldEvent(upload, dependencies);
  const leftMs = identified.othersUntilMs - Date.parse(dependencies.clock.timeOfDay());
  if (leftMs > 0 && !lastReceive) {
    throw new AttemptMayRunError(identified.job.jobId, Math.ceil(leftMs / 1000));
  }
  try {
    const outcome = await new UploadAttempt(upload, identified, lastReceive, dependencies).solve();
    for (const job of identified.others) await reportFailure(job, dependencies);
    return outcome;
  } catch (error) {
    await recordFailure(identified.job, error, lastReceive, dependencies);
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

interface IdentifiedJobs extends IdentifiedJob {
  /** Other rejected jobs of an upload that no longer exists: their events may not have been sent. */
  readonly others: readonly StoredJob[];
  /**
   * When the last attempt at such an upload has ended that began before its deletion: it may commit, so a reject before
   * that could take effect after the commit.
   */
  readonly othersUntilMs: number;
}

/** The job of an upload; undefined for a folder marker. */
async function identify(
  upload: Upload,
  dependencies: UploadDependencies,
): Promise<IdentifiedJobs | undefined> {
  const info = await dependencies.store.head(upload.bucket, upload.key, upload.versionId);
  if ((info?.size ?? upload.bytes) === 0 && upload.key.endsWith('/')) return undefined;
  const identified = identifyUpload(upload, info, dependencies);
  if (info !== undefined) return { ...identified, others: [], othersUntilMs: 0 };
  return { ...identified, ...(await earlierJobs(identified.job, dependencies)) };
}

/** S3 does not find an upload whose event is young. */
export class MissingUploadError extends Error {
  override readonly name = 'MissingUploadError';

  constructor({ bucket, key }: Upload) {
    super(
      `s3://${bucket}/${key} is missing: it was deleted, or versioning of its bucket was enabled less than 15 minutes ago; ` +
        'the message will be delivered again',
    );
  }
}

/** @throws MissingUploadError if the object may still appear: see MISSING_UPLOAD_SECONDS */
function requireOldEvent(upload: Upload, { clock }: UploadDependencies): void {
  const ageMs = Date.parse(clock.timeOfDay()) - Date.parse(upload.createdAt ?? '');
  if (ageMs < MISSING_UPLOAD_SECONDS * 1000) throw new MissingUploadError(upload);
}

/**
 * The job of an upload that no longer exists: its options are unknown, but an attempt that began before the deletion knew
 * them, and may have committed.
 */
async function earlierJobs(
  unknown: StoredJob,
  dependencies: UploadDependencies,
): Promise<Pick<IdentifiedJobs, 'job' | 'others' | 'othersUntilMs'>> {
  const { store, resultsBucket, hashing } = dependencies;
  const { key, versionId } = unknown.input;
  const found: StatusDocument[] = [];
  for await (const status of statusesOf(store, resultsBucket, key, versionId, hashing)) found.push(status);
  // One without an outcome first: no other delivery would end it.
  const first = found.findLast(({ state }) => UNLESS_FINAL.includes(state)) ?? found[0];
  if (first === undefined) return { job: unknown, others: [], othersUntilMs: 0 };
  const others = found.filter((status) => status !== first && status.state === 'rejected');
  const jobOf = ({ jobId, input }: StatusDocument) => storedJob(jobId, input, hashing);
  const ends = found
    // Executions of large files may run for days; they find the upload missing themselves.
    .filter(({ state, attempt, jobId }) => state === 'running' && attempt?.startsWith(jobId) === false)
    .map(({ deadline }) => Date.parse(deadline ?? ''));
  return {
    job: jobOf(first),
    others: others.map(jobOf),
    othersUntilMs: Math.max(0, ...ends.filter((end) => end > 0)),
  };
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

class UploadAttempt {
  readonly #upload: Upload;
  readonly #identified: IdentifiedJob;
  readonly #job: StoredJob;
  readonly #dependencies: UploadDependencies;
  readonly #attempt: string;
  readonly #lastReceive: boolean;
  /** When the search of the current exact-cover problem began, in milliseconds since the job began. */
  #problemStartMs = 0;

  constructor(
    upload: Upload,
    identified: IdentifiedJob,
    lastReceive: boolean,
    dependencies: UploadDependencies,
  ) {
    this.#upload = upload;
    this.#lastReceive = lastReceive;
    this.#identified = identified;
    this.#job = identified.job;
    this.#dependencies = dependencies;
    this.#attempt = dependencies.ids.next();
  }

  async solve(): Promise<UploadOutcome> {
    const existing = await findManifest(this.#job, this.#dependencies);
    if (existing !== undefined) return this.#duplicate(existing);
    const earlier = await completedEarlier(this.#job, this.#identified.info, this.#dependencies);
    if (earlier !== undefined) return this.#duplicate(earlier.manifest, earlier.job);
    const { error, options } = this.#identified;
    if (error !== undefined) {
      // If this attempt is killed and the upload deleted, the next one finds the job by its status.
      await this.#reportRunning(this.#dependencies.remainingMs());
      return this.#reject(error);
    }
    return this.#run(options!);
  }

  async #reportRunning(timeMs: number): Promise<void> {
    const updatedAt = this.#dependencies.clock.timeOfDay();
    const deadline = new Date(Date.parse(updatedAt) + timeMs).toISOString();
    const status = { state: 'running', attempt: this.#attempt, updatedAt, deadline } as const;
    await writeStatus(this.#job, this.#dependencies, status, UNLESS_DONE);
  }

  async #run(options: SolveOptions): Promise<UploadOutcome> {
    const { store, clock, large, remainingMs } = this.#dependencies;
    const { bucket, key } = this.#upload;
    const { info } = this.#identified;
    // If the event names no version, read the version that the job's id was made from.
    const versionId = this.#upload.versionId ?? info?.versionId;
    const timeMs = remainingMs();
    const startMs = clock.monotonicMs();
    const reserveMs = deadlineReserveMs(timeMs);
    const deadlineMs = startMs + timeMs - reserveMs;
    await this.#reportRunning(timeMs);
    const object = await store.get(bucket, key, versionId);
    if (object === undefined) return this.#rejectDeleted();
    if (object.etag !== info?.etag) throw new ReplacedInputError(this.#upload);
    const lostMs = clock.monotonicMs() - startMs;
    const { engine, solver, close } = this.#dependencies.openSolver(options, object.size);
    let forecasted: Forecast | undefined;
    let tooLarge: FileError | undefined;
    const outcome = await runJob(
      {
        input: object.body,
        fileName: key,
        options,
        files: attemptFiles(this.#job, this.#attempt, this.#dependencies, true),
        deadlineMs,
        jobLimits: this.#dependencies.jobLimits,
        storedBytes: object.size,
        checkHead: async (source, detection) => {
          if (large !== undefined && detection.kind === 'puzzles') {
            forecasted = await this.#forecast(source, detection, object.size, options, engine, large.jobMs);
            const { ms, puzzles } = forecasted;
            // One puzzle cannot be split.
            if (ms > large.jobMs && puzzles > 1) tooLarge = TOO_LONG;
          }
          return tooLarge;
        },
        stopReason: (progress) => {
          tooLarge = this.#tooLong(progress, object.size, timeMs - reserveMs, forecasted);
          return tooLarge;
        },
      },
      { ...this.#dependencies, engine, solver },
    ).finally(close);
    if (outcome.kind === 'rejected') {
      const onlyTime = outcome.outOfTime === true || outcome.error === tooLarge;
      if (onlyTime && timeMs > 0 && lostMs > timeMs / 2) throw new LostTimeError(lostMs);
      if (onlyTime && large !== undefined) return this.#handOver(options);
    }
    return outcome.kind === 'rejected'
      ? this.#reject(outcome.error)
      : this.#commit(options, outcome.stats, outcome.files);
  }

  /**
   * Rejects an upload that was deleted after it was identified. Another delivery may have read it before and may commit, so
   * a reject now could take effect after the commit: the message is delivered again when that delivery has ended.
   */
  #rejectDeleted(): Promise<UploadOutcome> {
    if (!this.#lastReceive) throw new AttemptMayRunError(this.#job.jobId, MAX_ATTEMPT_MS / 1000);
    return this.#reject(goneError(this.#upload.key, this.#upload.versionId));
  }

  async #commit(
    options: SolveOptions,
    stats: JobStats,
    files: readonly WrittenFile[],
  ): Promise<UploadOutcome> {
    const { jobId, input, keys } = this.#job;
    const folder = keys.attempt(this.#attempt);
    const manifest = createManifest({
      jobId,
      attempt: this.#attempt,
      input,
      canonicalOptions: canonicalOptions(options),
      reproducible: true,
      stats,
      files: files.map((file) => ({ ...file, key: `${folder}${file.name}` })),
    });
    const existing = await commitAttempt(this.#job, manifest, this.#dependencies, () =>
      this.#dependencies.onCommit?.(stats),
    );
    if (existing.attempt !== this.#attempt) return { kind: 'duplicate', jobId, puzzles: existing.puzzles };
    return { kind: 'completed', jobId, stats };
  }

  /** The time that the whole file takes, by a sample of its first MiB. */
  #forecast(
    source: RecordSource,
    detection: PuzzleDetection,
    storedBytes: number,
    options: SolveOptions,
    engine: Engine,
    largeMs: number,
  ): Promise<Forecast> {
    const { clock } = this.#dependencies;
    const hints = { ...formatHints(options), fileName: this.#upload.key };
    const countText = (enough: number) => this.#countText(enough);
    return forecast({ source, detection, hints, options, engine, clock, storedBytes, largeMs, countText });
  }

  /** Unpacks the file until it has so many bytes, and returns those that it has; so many, if unpacking takes too long. */
  async #countText(enough: number): Promise<number> {
    const { store, unpacking, jobLimits, clock, large } = this.#dependencies;
    const { bucket, key, versionId } = this.#upload;
    const endMs = clock.monotonicMs() + large!.jobMs;
    const object = await store.get(bucket, key, versionId ?? this.#identified.info?.versionId);
    if (object === undefined || object.etag !== this.#identified.info?.etag)
      throw new ReplacedInputError(this.#upload);
    const progress = { storedBytes: 0, plainBytes: 0 };
    const limits = { maxBytes: jobLimits?.unpackedBytes, storedBytes: object.size };
    for await (const _ of plainBytes(object.body, unpacking, progress, {}, limits)) {
      if (progress.plainBytes >= enough || clock.monotonicMs() > endMs) return enough;
    }
    return progress.plainBytes;
  }

  /** Why the file takes too long, by its progress; undefined if it may fit. */
  #tooLong(
    progress: JobProgress,
    storedBytes: number,
    timeMs: number,
    forecasted: Forecast | undefined,
  ): FileError | undefined {
    const { large } = this.#dependencies;
    const size = { storedBytes, puzzles: forecasted?.puzzles };
    if (large !== undefined && this.#isSearchTooLong(progress, timeMs)) return TOO_LONG;
    if (large === undefined) return tooLargeByEstimate(progress, size, timeMs);
    const functionMs = timeMs * HAND_OVER_MARGIN;
    // The last puzzle of a file cannot be split off.
    if (forecasted === undefined || progress.puzzles >= forecasted.puzzles) {
      return tooLargeByEstimate(progress, size, timeMs, functionMs);
    }
    const maxMs = Math.min(functionMs, large.jobMs * LARGE_MARGIN);
    return tooLargeByEstimate(progress, size, timeMs, maxMs, large.jobMs);
  }

  /** Whether the search of the current exact-cover problem is for many functions. */
  #isSearchTooLong(progress: JobProgress, timeMs: number): boolean {
    if (progress.problem === undefined) {
      this.#problemStartMs = progress.elapsedMs;
      return false;
    }
    const { solutions: maxSolutions, maxNodes } = this.#identified.options!;
    return searchTooLong(progress, { startMs: this.#problemStartMs, maxNodes, maxSolutions }, timeMs);
  }

  /** Hands the job to the state machine, unless it is there already. */
  async #handOver(options: SolveOptions): Promise<UploadOutcome> {
    const { store, resultsBucket } = this.#dependencies;
    const { jobId, keys, input } = this.#job;
    await removeAttempt(this.#job, this.#attempt, this.#dependencies);
    const { bucket, key, versionId } = input;
    const large: LargeJob = { bucket, key, versionId, options: canonicalOptions(options) };
    const isFinished = async () => (await store.head(resultsBucket, keys.done)) !== undefined;
    const { executions } = this.#dependencies.large!;
    const handed = await handOver(executions, jobId, JSON.stringify(large), isFinished);
    return { kind: 'handed-over', jobId, ...handed };
  }

  async #duplicate(existing: Manifest, job: StoredJob = this.#job): Promise<UploadOutcome> {
    await finishCommit(job, existing, this.#dependencies);
    return { kind: 'duplicate', jobId: job.jobId, puzzles: existing.puzzles };
  }

  async #reject(error: FileError): Promise<UploadOutcome> {
    await removeAttempt(this.#job, this.#attempt, this.#dependencies);
    try {
      const existing = await rejectJob(this.#job, error, this.#identified.texts, this.#dependencies);
      if (existing !== undefined) return this.#duplicate(existing);
    } catch (mayRun) {
      // The reject is an outcome; files of a killed attempt matter less than a message in the dead-letter queue.
      if (!(mayRun instanceof AttemptMayRunError && this.#lastReceive)) throw mayRun;
    }
    return { kind: 'rejected', jobId: this.#job.jobId, error };
  }
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
  const updatedAt = dependencies.clock.timeOfDay();
  try {
    if (lastReceive) return await failJob(job, { message }, dependencies);
    // Another attempt may have committed: then the job did not fail.
    if ((await findManifest(job, dependencies)) !== undefined) return;
    const deadline = new Date(Date.parse(updatedAt) + NEXT_TRY_MS).toISOString();
    const next = { message: `an attempt failed, another will follow: ${message}` };
    await writeStatus(job, dependencies, { state: 'running', updatedAt, deadline, error: next });
  } catch (statusError) {
    const what = isEventNotSent(statusError)
      ? 'its event could not be sent'
      : 'its status could not be written';
    throw new AggregateError([error, statusError], `the job failed (${message}), and ${what}`);
  }
}
