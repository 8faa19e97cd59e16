/** One file on its way into the input bucket. */
import type { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { uploadObject } from '../../../aws/upload-object.ts';
import type { OptionTexts } from '../../../batch/options.ts';
import type { Connection } from '../connection.ts';
import { fileSha256 } from '../download/fetch-results.ts';
import { remoteError } from '../remote-error.ts';
import { CHECKSUM_METADATA, isUnchanged } from './unchanged-upload.ts';
import type { UploadSource } from './upload-sources.ts';

/** What became of it. */
export interface SentFile {
  readonly path: string;
  readonly key: string;
  readonly versionId?: string;
  /** It was there already, the same bytes with the same options. */
  readonly unchanged: boolean;
}

export interface SendOptions {
  readonly gzip?: boolean;
  /** Sends what is there unchanged, too. */
  readonly force?: boolean;
  readonly signal: AbortSignal;
  /** Told how many bytes of the file have been sent. */
  readonly onSent: (bytes: number) => void;
}

/**
 * Uploads a file, unless it is there unchanged.
 *
 * @throws CommandError where the stack does not take it
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
      const there = await store.head(inputBucket, key);
      if (there !== undefined && isUnchanged(there, checksum, texts)) {
        return { path, key, versionId: there.versionId, unchanged: true };
      }
    }
    const plain = open();
    const body = gzip === true ? plain.pipe(createGzip()) : plain;
    // What goes wrong in reading must end the upload, whatever stands between.
    plain.on('error', (error) => body.destroy(error));
    const metadata: Record<string, string> = checksum === undefined ? {} : { [CHECKSUM_METADATA]: checksum };
    // Of a file that is compressed on the way, nobody knows how many bytes will arrive.
    if (gzip === true) countBytes(plain, onSent);
    const extras = { metadata, bytes, signal, onSent: gzip === true ? undefined : onSent };
    const versionId = await uploadObject(s3, inputBucket, key, body, texts, extras);
    return { path, key, versionId, unchanged: false };
  } catch (error) {
    throw remoteError(error, `uploading ${path}`);
  }
}

/** Tells how many bytes were read of a stream. */
function countBytes(stream: Readable, onRead: (bytes: number) => void): void {
  let read = 0;
  stream.on('data', (bytes: Uint8Array) => {
    read += bytes.length;
    onRead(read);
  });
}
