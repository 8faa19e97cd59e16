/** The files of an upload and their object keys. */
import type { Readable } from 'node:stream';
import { INBOX_PREFIX, SCHEDULED_PREFIX } from '../../../batch/names.ts';
import { CommandError } from '../../exit.ts';
import { findFilesAndFolders } from '../../files/input-files.ts';

/** The flags that determine the keys. */
export interface SourceFlags {
  readonly schedule?: boolean;
  readonly prefix?: string;
  /** Name of the object for standard input. */
  readonly name?: string;
  readonly gzip?: boolean;
}

/** A file to upload. */
export interface UploadSource {
  readonly path: string;
  readonly key: string;
  /** Undefined for standard input. */
  readonly bytes: number | undefined;
  open(): Readable;
}

/**
 * Lists every file, including those in folders, each with its own key.
 *
 * @throws CommandError for an unreadable file, an empty folder, or two files with the same key
 */
export async function findUploadSources(
  paths: readonly string[],
  flags: SourceFlags,
): Promise<UploadSource[]> {
  const sources: UploadSource[] = [];
  const base = `${flags.schedule === true ? SCHEDULED_PREFIX : INBOX_PREFIX}${flags.prefix ?? ''}`;
  const suffix = flags.gzip === true ? '.gz' : '';
  for (const path of paths) {
    for (const { path: file, name, bytes, open } of await findFilesAndFolders([path])) {
      const key = `${base}${file === '-' ? (flags.name ?? 'stdin.txt') : name}${suffix}`;
      sources.push({ path: file, key, bytes, open });
    }
  }
  const seen = new Map<string, string>();
  for (const { key, path } of sources) {
    const other = seen.get(key);
    if (other !== undefined) {
      throw new CommandError(
        `${other} and ${path} have the same object key ${key}: upload them separately with different --prefix`,
      );
    }
    seen.set(key, path);
  }
  return sources;
}
