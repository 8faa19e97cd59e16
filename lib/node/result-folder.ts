/**
 * A result set in a folder on this machine.
 *
 * Each file is written under a temporary name and renamed when it is complete. The manifest is removed first when a
 * new set begins, and written last, so that a manifest never names files of another run.
 */
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileWriter, ResultFiles } from '../batch/ports.ts';
import { createFolder } from './create-folder.ts';
import { lockFolder } from './folder-lock.ts';

const LOCK_NAME = 'writing.pid';

/** Names of the files of a result set. */
const FILE_NAME =
  'manifest\\.json|solutions\\.\\w+|exceptions\\.jsonl|records\\.jsonl|stats\\.json|report\\.html|error\\.json';
const RESULT_FILE = new RegExp(`^(?:${FILE_NAME})(?:\\.part)?$`);
/** All names that a result folder may use, in any case. */
export const RESULT_SET_NAME = new RegExp(
  `^(?:(?:${FILE_NAME})(?:\\.part)?|writing\\.pid(?:\\.taking)?)$`,
  'i',
);

/** Whether a result set may have a file with this name. */
export function isResultFile(name: string): boolean {
  return RESULT_FILE.test(name) && !name.endsWith('.part');
}

export class ResultFolder implements ResultFiles {
  readonly path: string;
  /** The folders that `lock` has created, the innermost first. */
  #created: readonly string[] = [];
  #unlock = () => {};

  /** @param path the folder; `lock` creates it */
  constructor(path: string) {
    this.path = path;
  }

  /**
   * Creates the folder, and locks it for this process until `release`.
   *
   * @throws FolderInUseError if another process writes a set there
   */
  async lock(): Promise<void> {
    this.#created = createFolder(this.path);
    this.#unlock = lockFolder(this.path, LOCK_NAME);
  }

  /**
   * Removes the files of an earlier run; the folder must be locked.
   *
   * @param kept names of files that are part of the new set
   */
  async clear(kept: ReadonlySet<string> = new Set()): Promise<void> {
    const names = await readdir(this.path);
    const stale = names.filter((name) => RESULT_FILE.test(name) && !kept.has(name));
    // The manifest first: if this is interrupted, the remaining files have no manifest.
    stale.sort((a, b) => Number(b.startsWith('manifest')) - Number(a.startsWith('manifest')));
    for (const name of stale) await rm(join(this.path, name), { force: true });
  }

  /** Removes incomplete files, and releases the lock. */
  release(): void {
    if (!existsSync(this.path)) return;
    const names = readdirSync(this.path).filter((name) => name.endsWith('.part') && RESULT_FILE.test(name));
    for (const name of names) rmSync(join(this.path, name), { force: true });
    this.#unlock();
    this.#unlock = () => {};
  }

  /** The same for a set that has no file: also removes the folders that `lock` has created, if they are empty. */
  discard(): void {
    this.release();
    for (const folder of this.#created) {
      if (readdirSync(folder).length > 0) break;
      rmdirSync(folder);
    }
  }

  open(name: string): FileWriter {
    return new RenamedFile(join(this.path, name));
  }

  /** Writes a small file at once. */
  async write(name: string, bytes: Uint8Array): Promise<void> {
    const file = this.open(name);
    try {
      await file.write(bytes);
      await file.close();
    } catch (error) {
      await file.abort();
      throw error;
    }
  }
}

class RenamedFile implements FileWriter {
  readonly #path: string;
  readonly #temporary: string;
  /** Kept as a promise, so that a file that is aborted while it is being opened is closed, too. */
  #opened: Promise<FileHandle> | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#temporary = `${path}.part`;
  }

  async write(bytes: Uint8Array): Promise<void> {
    const handle = await this.#open();
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, at).catch((error: unknown) => {
        // Node's error does not name the file, for example if the disk is full.
        throw Object.assign(error as Error, { path: this.#path });
      });
      at += bytesWritten;
    }
  }

  async close(): Promise<void> {
    const handle = await this.#open();
    await handle.close();
    await rename(this.#temporary, this.#path);
  }

  async abort(): Promise<void> {
    // If it could not be opened, the write that opened it throws.
    const handle = await this.#opened?.catch(() => undefined);
    await handle?.close();
    await rm(this.#temporary, { force: true });
  }

  /** Removes the file of a killed process first, and follows no symbolic link that has its name. */
  async #create(): Promise<FileHandle> {
    await rm(this.#temporary, { force: true });
    return open(this.#temporary, 'wx');
  }

  #open(): Promise<FileHandle> {
    this.#opened ??= this.#create();
    return this.#opened;
  }
}
