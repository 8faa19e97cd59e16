/** The files of an upload and their object keys. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { INBOX_PREFIX, SCHEDULED_PREFIX } from '../../../batch/names.ts';
import { CommandError } from '../../exit.ts';
import { findInputFiles } from '../../files/input-files.ts';

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
    if (path === '-') {
      const name = flags.name ?? 'stdin.txt';
      sources.push({ path, key: `${base}${name}${suffix}`, bytes: undefined, open: () => process.stdin });
      continue;
    }
    const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
    const files = isFolder ? await filesBelow(path) : [path];
    if (files.length === 0) throw new CommandError(`${path}: this folder has no files`);
    for (const file of files) {
      const [{ bytes } = { bytes: undefined }] = await findInputFiles([file]);
      const name = isFolder ? relative(path, file).split(sep).join('/') : basename(file);
      const open = () => createReadStream(file, { highWaterMark: 256 * 1024 });
      sources.push({ path: file, key: `${base}${name}${suffix}`, bytes, open });
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

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
