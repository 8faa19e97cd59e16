/** Authorizes an upload from the page: signs a URL for one file, or says why not. */
import { presignedUpload } from '../../aws/presigned-upload.ts';
import { OPTION_METADATA_PREFIX } from '../../batch/names.ts';
import { parseOptions } from '../../batch/options.ts';
import type { Buckets } from '../remote/connection.ts';
import { CHECKSUM_METADATA, isUnchanged } from '../remote/send-file.ts';
import { bytesText } from '../terminal/quantity-text.ts';
import { inboxKey } from './object-name.ts';
import { pageText } from './page-words.ts';
import { parseUploadRequest, type UploadRequest } from './upload-request.ts';

/** Lifetime of a URL: the upload must begin within this time. */
const LIFETIME_SECONDS = 600;

export type UploadAuthorization =
  | {
      readonly kind: 'put';
      readonly key: string;
      /** The browser puts the file there. */
      readonly url: string;
      /** Whether the upload replaces another file, or the same file with other options. */
      readonly replaces: boolean;
    }
  | { readonly kind: 'unchanged'; readonly key: string; readonly versionId: string }
  | {
      readonly kind: 'refused';
      readonly message: string;
      /** Names of the invalid options. */
      readonly options: readonly string[];
    };

/**
 * Authorizes an upload; nothing is stored.
 *
 * @param body the request in JSON, unparsed
 * @param maxBytes maximum size of a file
 */
export async function authorizeUpload(
  connection: Buckets,
  body: string,
  maxBytes: number,
  now: Date,
): Promise<UploadAuthorization> {
  const request = parseUploadRequest(body);
  if (request === undefined) return refused('invalid upload request: reload the page');
  const key = inboxKey(request.name);
  if (typeof key !== 'string') return refused(key.problem);
  const parsed = parseOptions(request.options);
  if ('errors' in parsed) {
    return refused(
      parsed.errors.map(({ message }) => message).join('; '),
      parsed.errors.map(({ option }) => option),
    );
  }
  if (request.bytes > maxBytes) return refused(tooLargeText(request, maxBytes));
  return permit(connection, key, request, now);
}

async function permit(
  { s3, store, inputBucket }: Buckets,
  key: string,
  { bytes, sha256, options, force }: UploadRequest,
  now: Date,
): Promise<UploadAuthorization> {
  const existing = await store.head(inputBucket, key);
  const unchanged = existing !== undefined && sha256 !== undefined && isUnchanged(existing, sha256, options);
  if (unchanged && !force && existing.versionId !== undefined) {
    return { kind: 'unchanged', key, versionId: existing.versionId };
  }
  const metadata: Record<string, string> = sha256 === undefined ? {} : { [CHECKSUM_METADATA]: sha256 };
  for (const [name, text] of Object.entries(options)) metadata[`${OPTION_METADATA_PREFIX}${name}`] = text;
  const permission = { bucket: inputBucket, key, metadata, bytes };
  const url = await presignedUpload(s3, permission, LIFETIME_SECONDS, now);
  return { kind: 'put', key, url, replaces: existing !== undefined && !unchanged };
}

function tooLargeText({ name, bytes }: UploadRequest, maxBytes: number): string {
  return (
    `${name} has ${bytesText(bytes)}, expected at most ${bytesText(maxBytes)}: ` +
    'split the file, or send it with dlx-batch upload.'
  );
}

function refused(message: string, options: readonly string[] = []): UploadAuthorization {
  return { kind: 'refused', message: pageText(message), options };
}
