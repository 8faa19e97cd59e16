/**
 * The job of an uploaded object version.
 *
 *     bucket, key, version  --.
 *     options, from metadata --+--hash-->  jobId  -->  keys of its results
 *     result schema         --'
 *
 * Every delivery of an upload has the same job.
 */
import { type JobStorage, type StoredJob, storedJob } from '../delivery/commit.ts';
import { statusesOf } from '../delivery/find-status.ts';
import { jobIdOf } from '../delivery/job-id.ts';
import type { InputIdentity } from '../delivery/manifest.ts';
import type { StatusDocument } from '../delivery/status-document.ts';
import type { Upload } from '../delivery/upload-event.ts';
import { type FileError, goneError } from '../job/file-error.ts';
import {
  canonicalOptions,
  canonicalOptionTexts,
  metadataOptions,
  type OptionTexts,
  parseOptions,
} from '../options.ts';
import type { Hashing, ObjectInfo } from '../ports.ts';

/** The job of a delivery, with either its options or the error for which it is rejected. */
export type IdentifiedJob = ReturnType<typeof identifyUpload>;

/**
 * Identifies the job of a delivery. An upload with an error has a job too, as its reject needs keys.
 *
 * @param info undefined if the object no longer exists
 */
export function identifyUpload(
  upload: Upload,
  info: ObjectInfo | undefined,
  { hashing, defaults }: { readonly hashing: Hashing; readonly defaults: OptionTexts },
) {
  const { bucket, key, sequencer } = upload;
  const texts = metadataOptions(info?.metadata ?? {});
  const parsed = parseOptions(texts, defaults);
  const options = 'options' in parsed ? parsed.options : undefined;
  // In a bucket without versions, the ETag identifies the upload.
  const etag = (info?.etag ?? upload.etag)?.replaceAll('"', '');
  const versionId = upload.versionId ?? info?.versionId ?? `etag-${etag ?? ''}`;
  const input: InputIdentity = { bucket, key, versionId, bytes: info?.size ?? upload.bytes, etag, sequencer };
  const identity = options === undefined ? canonicalOptionTexts(texts) : canonicalOptions(options);
  const jobId = jobIdOf({ bucket, key, versionId, options: info === undefined ? '' : identity }, hashing);
  const job = storedJob(jobId, input, hashing);
  let error: FileError | undefined;
  if (info === undefined) error = goneError(key, upload.versionId);
  else if ('errors' in parsed) {
    const message = parsed.errors.map((each) => each.message).join('; ');
    error = { code: 'bad_option', message, options: parsed.errors };
  }
  return { job, info, texts, options, error };
}

export interface EarlierJobs {
  readonly job: StoredJob;
  /** Other rejected jobs of an upload that no longer exists: their events may not have been sent. */
  readonly others: readonly StoredJob[];
  /**
   * When the last attempt at such an upload has ended that began before its deletion: it may commit, so a reject before
   * that could take effect after the commit.
   */
  readonly othersUntilMs: number;
}

/**
 * The job of an upload that no longer exists: its options are unknown, but an attempt that began before the deletion knew
 * them, and may have committed.
 */
export async function earlierJobs(unknown: StoredJob, dependencies: JobStorage): Promise<EarlierJobs> {
  const { hashing } = dependencies;
  const found = await statusesOf(dependencies, unknown.input, hashing);
  // One without an outcome first: no other delivery would end it.
  const first = found.findLast(({ state }) => state === 'running' || state === 'failed') ?? found[0];
  if (first === undefined) return { job: unknown, others: [], othersUntilMs: 0 };
  const jobOf = ({ jobId, input }: StatusDocument) => storedJob(jobId, input, hashing);
  const others = found.filter((status) => status !== first && status.state === 'rejected').map(jobOf);
  const ends = found
    // Executions of large files may run for days; they find the upload missing themselves.
    .filter(({ state, attempt, jobId }) => state === 'running' && attempt?.startsWith(jobId) === false)
    .map(({ deadline }) => Date.parse(deadline ?? ''));
  return { job: jobOf(first), others, othersUntilMs: Math.max(0, ...ends.filter((end) => end > 0)) };
}
