/** Takes a file from the page and puts it into the inbox, as `upload` does. */
import type { Readable } from 'node:stream';
import { uploadObject } from '../../aws/upload-object.ts';
import { parseOptions } from '../../batch/options.ts';
import type { Buckets } from '../remote/connection.ts';
import { CHECKSUM_METADATA, isUnchanged } from '../remote/send-file.ts';
import { inboxKey } from './object-name.ts';
import { pageText } from './page-words.ts';

export type UploadAnswer =
  | {
      readonly kind: 'uploaded';
      readonly versionId: string | undefined;
      /** Whether the upload replaces another file, or the same file with other options. */
      readonly replaces: boolean;
    }
  /** The same file with the same options is stored already. */
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'refused';
      readonly message: string;
      /** Names of the invalid options. */
      readonly options: readonly string[];
    };

/**
 * @param query the file's `name`, its `sha256` in hex if it is known, `force` to store an unchanged file again, and the
 *   options of the job by name
 * @param bytes the announced size of the body
 * @throws an error of the body, such as an end before the announced size; nothing is stored then
 */
export async function takeUpload(
  { s3, store, inputBucket }: Buckets,
  query: URLSearchParams,
  body: Readable,
  bytes: number,
): Promise<UploadAnswer> {
  const { name = '', sha256, force, ...options } = Object.fromEntries(query);
  const key = inboxKey(name);
  if (typeof key !== 'string') return refused(key.problem);
  const parsed = parseOptions(options);
  if ('errors' in parsed) {
    return refused(
      parsed.errors.map(({ message }) => message).join('; '),
      parsed.errors.map(({ option }) => option),
    );
  }
  const existing = await store.head(inputBucket, key);
  const isSame = existing !== undefined && sha256 !== undefined && isUnchanged(existing, sha256, options);
  if (isSame && force === undefined) return { kind: 'unchanged' };
  const metadata: Record<string, string> = sha256 === undefined ? {} : { [CHECKSUM_METADATA]: sha256 };
  const versionId = await uploadObject(s3, inputBucket, key, body, options, { metadata, bytes });
  return { kind: 'uploaded', versionId, replaces: existing !== undefined && !isSame };
}

function refused(message: string, options: readonly string[] = []): UploadAnswer {
  return { kind: 'refused', message: pageText(message), options };
}
