/**
 * The job of an uploaded object version.
 *
 *     bucket, key, version  --.
 *     options, from metadata --+--hash-->  jobId  -->  keys of its results
 *     result schema         --'
 *
 * Every delivery of an upload has the same job.
 */

import { type FileError, goneError } from '../job/file-error.ts';
import { OPTION_METADATA_PREFIX } from '../names.ts';
import {
  canonicalOptions,
  canonicalOptionTexts,
  type OptionTexts,
  parseOptions,
  type SolveOptions,
} from '../options.ts';
import type { Hashing, ObjectInfo } from '../ports.ts';
import { type StoredJob, storedJob } from './commit.ts';
import { jobIdOf } from './job-id.ts';
import type { InputIdentity } from './manifest.ts';
import type { Upload } from './upload-event.ts';

/** The job of a delivery, with either its options or the error for which it is rejected. */
export interface IdentifiedJob {
  readonly job: StoredJob;
  /** Undefined if the object no longer exists. */
  readonly info: ObjectInfo | undefined;
  readonly texts: OptionTexts;
  readonly options: SolveOptions | undefined;
  readonly error: FileError | undefined;
}

/** Identifies the job of a delivery. An upload with an error has a job too, as its reject needs keys. */
export function identifyUpload(
  upload: Upload,
  info: ObjectInfo | undefined,
  { hashing, defaults }: { readonly hashing: Hashing; readonly defaults: OptionTexts },
): IdentifiedJob {
  const texts = metadataOptions(info?.metadata ?? {});
  const parsed = parseOptions(texts, defaults);
  const options = 'options' in parsed ? parsed.options : undefined;
  // In a bucket without versions, the ETag identifies the upload.
  const etag = info?.etag ?? upload.etag;
  const versionId = upload.versionId ?? info?.versionId ?? `etag-${(etag ?? '').replaceAll('"', '')}`;
  const input: InputIdentity = {
    bucket: upload.bucket,
    key: upload.key,
    versionId,
    bytes: info?.size ?? upload.bytes,
    etag: etag?.replaceAll('"', ''),
    sequencer: upload.sequencer,
  };
  const identity =
    info === undefined ? '' : options === undefined ? canonicalOptionTexts(texts) : canonicalOptions(options);
  const jobId = jobIdOf({ bucket: upload.bucket, key: upload.key, versionId, options: identity }, hashing);
  const job = storedJob(jobId, input, hashing);
  let error: FileError | undefined;
  if (info === undefined) error = goneError(upload.key, upload.versionId);
  else if ('errors' in parsed) {
    const message = parsed.errors.map((each) => each.message).join('; ');
    error = { code: 'bad_option', message, options: parsed.errors };
  }
  return { job, info, texts, options, error };
}

function metadataOptions(metadata: Readonly<Record<string, string>>): OptionTexts {
  // Not by assignment, which would drop an option named __proto__.
  return Object.fromEntries(
    Object.entries(metadata)
      .filter(([name]) => name.startsWith(OPTION_METADATA_PREFIX))
      .map(([name, value]) => [name.slice(OPTION_METADATA_PREFIX.length), value]),
  );
}
