/** Takes a file from the page and puts it into the inbox, as `upload` does. */
import type { Readable } from 'node:stream';
import { parseOptions } from '../../batch/options.ts';
import type { Buckets } from '../remote/connection.ts';
import { sendFile } from '../remote/send-file.ts';
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
  buckets: Buckets,
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
  const source = { key, bytes, sha256, isStream: true, open: () => body };
  const { unchanged, ...sent } = await sendFile(buckets, source, options, { force: force !== undefined });
  return unchanged ? { kind: 'unchanged' } : { kind: 'uploaded', ...sent };
}

function refused(message: string, options: readonly string[] = []): UploadAnswer {
  return { kind: 'refused', message: pageText(message), options };
}
