/** A file that the page wants to upload: the form for it, or why there is none. */
import { presignedPost } from '../../aws/presigned-post.ts';
import { OPTION_METADATA_PREFIX } from '../../batch/names.ts';
import { parseOptions } from '../../batch/options.ts';
import type { Connection } from '../remote/connection.ts';
import { CHECKSUM_METADATA, isUnchanged } from '../remote/upload/unchanged-upload.ts';
import { bytesText } from '../terminal/time-text.ts';
import { inboxKey } from './object-name.ts';
import { parseUploadRequest, type UploadRequest } from './upload-request.ts';

/** Time in which an upload must begin. */
const LIFETIME_SECONDS = 600;

/** What the page is told. */
export type UploadAuthorization =
  | {
      readonly kind: 'form';
      readonly key: string;
      /** Where the form goes, on the page's own origin. */
      readonly action: string;
      readonly fields: Readonly<Record<string, string>>;
      /** Another file, or the same one with other options, has this name. */
      readonly replaces: boolean;
    }
  | { readonly kind: 'unchanged'; readonly key: string; readonly versionId: string }
  | {
      readonly kind: 'refused';
      readonly message: string;
      /** Names of the options that cannot be taken. */
      readonly options: readonly string[];
    };

/**
 * Decides on an upload; nothing is stored yet.
 *
 * @param body what the page sent, unread
 * @param maxBytes of a file, inclusive
 */
export async function authorizeUpload(
  connection: Connection,
  body: string,
  maxBytes: number,
  now: Date,
): Promise<UploadAuthorization> {
  const wish = parseUploadRequest(body);
  if (wish === undefined) return refused('this is no upload of the page: load the page again');
  const key = inboxKey(wish.name);
  if (typeof key !== 'string') return refused(key.problem);
  const parsed = parseOptions(wish.options);
  if ('errors' in parsed) {
    return refused(
      parsed.errors.map(({ message }) => message).join('; '),
      parsed.errors.map(({ option }) => option),
    );
  }
  if (wish.bytes > maxBytes) return refused(tooLargeText(wish, maxBytes));
  return formFor(connection, key, wish, maxBytes, now);
}

async function formFor(
  { s3, store, inputBucket }: Connection,
  key: string,
  { sha256, options, force }: UploadRequest,
  maxBytes: number,
  now: Date,
): Promise<UploadAuthorization> {
  const there = await store.head(inputBucket, key);
  const unchanged = there !== undefined && sha256 !== undefined && isUnchanged(there, sha256, options);
  if (unchanged && !force && there.versionId !== undefined) {
    return { kind: 'unchanged', key, versionId: there.versionId };
  }
  const metadata: Record<string, string> = sha256 === undefined ? {} : { [CHECKSUM_METADATA]: sha256 };
  for (const [name, text] of Object.entries(options)) metadata[`${OPTION_METADATA_PREFIX}${name}`] = text;
  const permission = { bucket: inputBucket, key, metadata, maxBytes };
  const { fields } = await presignedPost(s3, permission, LIFETIME_SECONDS, now);
  return {
    kind: 'form',
    key,
    action: `/${inputBucket}`,
    fields,
    replaces: there !== undefined && !unchanged,
  };
}

function tooLargeText({ name, bytes }: UploadRequest, maxBytes: number): string {
  return (
    `${name} has ${bytesText(bytes)}: this page takes at most ${bytesText(maxBytes)} of one file. ` +
    'Part it, or send it with dlx-batch upload.'
  );
}

function refused(message: string, options: readonly string[] = []): UploadAuthorization {
  return { kind: 'refused', message, options };
}
