/** Uploads a puzzle file with its options. */
import type { Readable } from 'node:stream';
import type { S3 } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { OPTION_METADATA_PREFIX } from '../batch/names.ts';
import type { OptionTexts } from '../batch/options.ts';

export interface UploadSettings {
  /** Further metadata: names in lower case, without the prefix of options. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Size of the body, if known: a large one needs larger parts. */
  readonly bytes?: number;
  /** Aborts the upload; its parts are removed before it throws. */
  readonly signal?: AbortSignal;
  /** Called with the number of bytes uploaded so far. */
  readonly onSent?: (bytes: number) => void;
}

/** Size of a part; 10,000 parts limit a body of unknown size to 80 GB. */
const PART_BYTES = 8 * 1024 * 1024;
const MAX_PARTS = 10_000;

/**
 * Uploads an object, in parts if it is large.
 *
 * @param options stored as object metadata
 * @returns the new version's id; undefined for a bucket without versions
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
  // `Upload.abort` does not wait for the removal of the parts; after an error of the body, `done` does.
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
