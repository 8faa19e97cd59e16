/** Uploads one file into the input bucket. */
import type { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { uploadObject } from '../../../aws/upload-object.ts';
import type { OptionTexts } from '../../../batch/options.ts';
import type { Connection } from '../connection.ts';
import { fileSha256 } from '../download/fetch-results.ts';
import { remoteError } from '../remote-error.ts';
import { CHECKSUM_METADATA, isUnchanged } from './unchanged-upload.ts';
import type { UploadSource } from './upload-sources.ts';

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
  readonly signal: AbortSignal;
  /** Receives the total number of bytes sent so far. */
  readonly onSent: (bytes: number) => void;
}

/**
 * Uploads a file unless the object exists unchanged.
 *
 * @throws CommandError if the upload fails for a reason that the user can fix
 */
export async function sendFile(
  { s3, store, inputBucket }: Connection,
  { path, key, bytes, open }: UploadSource,
  texts: OptionTexts,
  { gzip, force, signal, onSent }: SendOptions,
): Promise<SentFile> {
  const checksum = bytes === undefined ? undefined : await fileSha256(path);
  try {
    if (force !== true && checksum !== undefined) {
      const existing = await store.head(inputBucket, key);
      if (existing !== undefined && isUnchanged(existing, checksum, texts)) {
        return { path, key, versionId: existing.versionId, unchanged: true };
      }
    }
    const plain = open();
    const body = gzip === true ? plain.pipe(createGzip()) : plain;
    // pipe does not forward errors, and a read error must end the upload.
    plain.on('error', (error) => body.destroy(error));
    const metadata: Record<string, string> = checksum === undefined ? {} : { [CHECKSUM_METADATA]: checksum };
    // The compressed size is unknown, so progress counts the bytes read from the file.
    if (gzip === true) countBytes(plain, onSent);
    const extras = { metadata, bytes, signal, onSent: gzip === true ? undefined : onSent };
    const versionId = await uploadObject(s3, inputBucket, key, body, texts, extras);
    return { path, key, versionId, unchanged: false };
  } catch (error) {
    throw remoteError(error, `uploading ${path}`);
  }
}

/** Reports the total number of bytes read from a stream. */
function countBytes(stream: Readable, onRead: (bytes: number) => void): void {
  let read = 0;
  stream.on('data', (bytes: Uint8Array) => {
    read += bytes.length;
    onRead(read);
  });
}
