/** Uploading a puzzle file with its options. */
import type { Readable } from 'node:stream';
import type { S3 } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { OPTION_METADATA_PREFIX } from '../batch/names.ts';
import type { OptionTexts } from '../batch/options.ts';

/** What else there is to an upload. */
export interface UploadSettings {
  /** Names in lower case, none of which begins as options do. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Size of the body, where it is known: a large one needs larger parts. */
  readonly bytes?: number;
  /** Ends the upload: the parts that are there are removed before it throws. */
  readonly signal?: AbortSignal;
  /** Told how many bytes of the body have arrived. */
  readonly onSent?: (bytes: number) => void;
}

/** 10,000 parts of this size hold 80 GB, as much as a body of unknown size may come to. */
const PART_BYTES = 8 * 1024 * 1024;
const MAX_PARTS = 10_000;

/**
 * Uploads an object, in parts where it is large.
 *
 * @param options travel as object metadata
 * @returns the version that was made; undefined where the bucket keeps none
 */
export async function uploadObject(
  s3: S3,
  bucket: string,
  key: string,
  body: Readable | Uint8Array,
  options: OptionTexts,
  { metadata = {}, bytes = 0, signal, onSent }: UploadSettings = {},
): Promise<string | undefined> {
  const optionMetadata = Object.entries(options).map(([name, text]) => [
    `${OPTION_METADATA_PREFIX}${name}`,
    text,
  ]);
  const upload = new Upload({
    client: s3,
    params: {
      Bucket: bucket,
      Key: key,
      Body: body,
      Metadata: { ...metadata, ...Object.fromEntries(optionMetadata) },
    },
    partSize: Math.max(PART_BYTES, Math.ceil(bytes / MAX_PARTS)),
  });
  if (onSent !== undefined) upload.on('httpUploadProgress', ({ loaded = 0 }) => onSent(loaded));
  // `Upload.abort` does not wait for the removal of the parts; a body that fails makes `done` do so before it throws.
  const end = () => {
    if (!(body instanceof Uint8Array)) body.destroy(new Error('the upload was interrupted'));
  };
  if (signal?.aborted === true) end();
  signal?.addEventListener('abort', end, { once: true });
  try {
    const { VersionId } = await upload.done();
    return VersionId;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}
