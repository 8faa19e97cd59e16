/** Uploads one file into the input bucket, unless it is there already. */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { RestartError, RetriesExhaustedError } from '../../aws/retries.ts';
import { statusOf } from '../../aws/store-errors.ts';
import { PartsLeftError, TOKEN_METADATA, uploadObject } from '../../aws/upload-object.ts';
import { OPTION_METADATA_PREFIX } from '../../batch/names.ts';
import type { OptionTexts } from '../../batch/options.ts';
import type { ObjectInfo } from '../../batch/ports.ts';
import type { Buckets } from './connection.ts';
import { fileSha256 } from './fetch-results.ts';

/** A file to upload. */
export interface UploadSource {
  readonly path: string;
  readonly key: string;
  /** Undefined for standard input. */
  readonly bytes: number | undefined;
  open(): Readable;
}

/** An uploaded or unchanged file. */
export interface SentFile {
  readonly path: string;
  readonly key: string;
  readonly versionId?: string;
  /** The object already existed with the same bytes and options, so nothing was sent. */
  readonly unchanged: boolean;
}

export interface SendOptions {
  readonly gzip?: boolean;
  /** Sends unchanged files, too. */
  readonly force?: boolean;
  /** Receives the total number of bytes sent so far. */
  readonly onSent: (bytes: number) => void;
}

/**
 * Uploads a file unless the object exists unchanged. After a failed upload, a file is sent again from its beginning, and
 * standard input is not.
 *
 * @throws the errors of its requests
 */
export async function sendFile(
  buckets: Buckets,
  source: UploadSource,
  texts: OptionTexts,
  options: SendOptions,
): Promise<SentFile> {
  const { retries } = buckets;
  const token = randomUUID();
  const send = () => sendOnce(buckets, source, texts, token, options);
  if (source.bytes === undefined) return send();
  return retries.operation(async () => {
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
  { path, key, bytes, open }: UploadSource,
  texts: OptionTexts,
  token: string,
  { gzip, force, onSent }: SendOptions,
): Promise<SentFile> {
  const checksum = bytes === undefined ? undefined : await fileSha256(path);
  const isAlwaysSent = force === true || checksum === undefined;
  const existing = isAlwaysSent ? undefined : await store.head(inputBucket, key);
  if (existing !== undefined && isUnchanged(existing, checksum!, texts)) {
    return {
      path,
      key,
      versionId: existing.versionId,
      unchanged: existing.metadata[TOKEN_METADATA] !== token,
    };
  }
  const plain = open();
  const body = gzip === true ? plain.pipe(createGzip()) : plain;
  // pipe does not forward errors, and a read error must end the upload.
  plain.on('error', (error) => body.destroy(error));
  const metadata: Record<string, string> = checksum === undefined ? {} : { [CHECKSUM_METADATA]: checksum };
  // The compressed size is unknown, so progress counts the bytes read from the file.
  if (gzip === true) countBytes(plain, onSent);
  const versionId = await uploadObject(s3, inputBucket, key, body, texts, {
    ...{ metadata, bytes, token, retries },
    replacedEtag: isAlwaysSent ? undefined : (existing?.etag ?? null),
    onSent: gzip === true ? undefined : onSent,
  });
  return { path, key, versionId, unchanged: false };
}

/** Reports the total number of bytes read from a stream. */
function countBytes(stream: Readable, onRead: (bytes: number) => void): void {
  let read = 0;
  stream.on('data', (bytes: Uint8Array) => {
    read += bytes.length;
    onRead(read);
  });
}

/** Metadata key for the checksum of an upload. */
export const CHECKSUM_METADATA = 'content-sha256';

/** Whether an object has this checksum and these options. @param checksum SHA-256 of the file in hex */
export function isUnchanged({ metadata }: ObjectInfo, checksum: string, texts: OptionTexts): boolean {
  const stored = Object.entries(metadata)
    .filter(([name]) => name.startsWith(OPTION_METADATA_PREFIX))
    .map(([name, text]) => `${name.slice(OPTION_METADATA_PREFIX.length)}=${text}`);
  const wanted = Object.entries(texts).map(([name, text]) => `${name}=${text}`);
  return metadata[CHECKSUM_METADATA] === checksum && stored.sort().join('\n') === wanted.sort().join('\n');
}
