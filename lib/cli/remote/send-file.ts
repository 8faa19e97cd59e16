/** Uploads one file into the input bucket, unless it is there already: for commands, and for the page. */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { RestartError, RetriesExhaustedError } from '../../aws/retries.ts';
import { statusOf } from '../../aws/store-errors.ts';
import { PartsLeftError, TOKEN_METADATA, uploadObject } from '../../aws/upload-object.ts';
import { metadataOptions, type OptionTexts } from '../../batch/options.ts';
import type { ObjectInfo } from '../../batch/ports.ts';
import type { Buckets } from './connection.ts';

/** A file to upload. */
export interface UploadSource {
  readonly key: string;
  /** Undefined if it is not known, as of standard input. */
  readonly bytes: number | undefined;
  /** SHA-256 in hex. A file without one is always sent. */
  readonly sha256?: string | undefined;
  /** Whether `open` gives the content only once, as of standard input. */
  readonly isStream?: boolean;
  open(): Readable | Uint8Array;
}

/** An uploaded or unchanged file. */
export interface SentFile {
  readonly versionId: string | undefined;
  /** The object already existed with the same bytes and options, so nothing was sent. */
  readonly unchanged: boolean;
  /** An object with other bytes or options existed. */
  readonly replaces: boolean;
}

interface SendOptions {
  /** Sends unchanged files, too. */
  readonly force?: boolean | undefined;
  /** Receives the total number of bytes sent so far. */
  readonly onSent?: (bytes: number) => void;
}

/**
 * Uploads a file unless the object exists unchanged. After a failed upload, a file is sent again from its beginning, and
 * a stream is not.
 *
 * @throws the errors of its requests
 */
export async function sendFile(
  buckets: Buckets,
  source: UploadSource,
  texts: OptionTexts,
  options: SendOptions = {},
): Promise<SentFile> {
  const token = randomUUID();
  const send = () => sendOnce(buckets, source, texts, token, options);
  if (source.isStream === true) return send();
  return buckets.retries.operation(async () => {
    try {
      return await send();
    } catch (error) {
      if (canRestart(error)) throw new RestartError('the upload failed', { cause: error });
      throw error;
    }
  });
}

/** Whether the multipart upload was removed by another program, or the object changed meanwhile. */
function canRestart(error: unknown): boolean {
  if (error instanceof PartsLeftError || error instanceof RetriesExhaustedError) return false;
  return statusOf(error) === 412 || (error instanceof Error && error.name === 'NoSuchUpload');
}

async function sendOnce(
  { s3, store, inputBucket, retries }: Buckets,
  { key, bytes, sha256, open }: UploadSource,
  texts: OptionTexts,
  token: string,
  { force = false, onSent }: SendOptions,
): Promise<SentFile> {
  const existing = await store.head(inputBucket, key);
  const isSame = existing !== undefined && sha256 !== undefined && isUnchanged(existing, sha256, texts);
  if (isSame && !force) {
    // An earlier try of this upload may have stored it.
    const unchanged = existing.metadata[TOKEN_METADATA] !== token;
    return { versionId: existing.versionId, unchanged, replaces: false };
  }
  const versionId = await uploadObject(s3, inputBucket, key, open(), texts, {
    ...{ token, retries, bytes, onSent },
    metadata: sha256 === undefined ? {} : { [CHECKSUM_METADATA]: sha256 },
    replacedEtag: existing?.etag ?? null,
  });
  return { versionId, unchanged: false, replaces: existing !== undefined && !isSame };
}

/** Metadata key for the checksum of an upload. */
const CHECKSUM_METADATA = 'content-sha256';

/** Whether an object has this checksum and these options. */
function isUnchanged({ metadata }: ObjectInfo, checksum: string, texts: OptionTexts): boolean {
  return metadata[CHECKSUM_METADATA] === checksum && isDeepStrictEqual(metadataOptions(metadata), texts);
}
