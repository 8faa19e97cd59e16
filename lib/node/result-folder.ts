/**
 * A result set in a folder on this machine.
 *
 * Each file is written under a temporary name and renamed when it is whole; the manifest goes first when a new set
 * begins and comes last when it ends, so that a manifest never names files of another run.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileWriter, ResultFiles } from '../batch/ports.ts';
import { lockFolder } from './folder-lock.ts';

/** Says which process writes the set: two of them would write into each other's files. */
const LOCK_NAME = 'writing.pid';

/** Names of the files that a result set may hold, and of what was left of one that was cut off. */
const RESULT_SET =
  /^(manifest\.json|solutions\.\w+|exceptions\.jsonl|records\.jsonl|stats\.json|report\.html|error\.json)(\.part)?$/;

export class ResultFolder implements ResultFiles {
  readonly path: string;
  #unlock = () => {};

  /** @param path the folder; made by `begin` */
  constructor(path: string) {
    this.path = path;
  }

  /**
   * Makes the folder, and takes it for this process until `end`.
   *
   * @throws FolderInUseError where another process writes a set there
   */
  async lock(): Promise<void> {
    await mkdir(this.path, { recursive: true });
    this.#unlock = lockFolder(this.path, LOCK_NAME);
  }

  /**
   * Removes what an earlier run left that could be taken for part of this one; the folder is taken before.
   *
   * @param kept names of files that are known to be part of it
   */
  async clear(kept: ReadonlySet<string> = new Set()): Promise<void> {
    const names = await readdir(this.path);
    const stale = names.filter((name) => RESULT_SET.test(name) && !kept.has(name));
    // The manifest first: cut off in between, the others are files without one.
    stale.sort((a, b) => Number(b.startsWith('manifest')) - Number(a.startsWith('manifest')));
    for (const name of stale) await rm(join(this.path, name), { force: true });
  }

  /** Gives the folder free: its set is whole, or given up, and then nothing half-written stays. */
  release(): void {
    for (const path of this.unfinished()) rmSync(path, { force: true });
    this.#unlock();
    this.#unlock = () => {};
  }

  /** Paths of what is there only while a set is written. */
  unfinished(): string[] {
    if (!existsSync(this.path)) return [];
    return readdirSync(this.path)
      .filter((name) => name.endsWith('.part') || name === LOCK_NAME)
      .map((name) => join(this.path, name));
  }

  open(name: string): FileWriter {
    return new RenamedFile(join(this.path, name));
  }

  /** Writes a small file at once. */
  async write(name: string, bytes: Uint8Array): Promise<void> {
    const file = this.open(name);
    await file.write(bytes);
    await file.close();
  }
}

class RenamedFile implements FileWriter {
  readonly #path: string;
  readonly #temporary: string;
  #handle: FileHandle | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#temporary = `${path}.part`;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#handle ??= await open(this.#temporary, 'w');
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, at).catch((error: unknown) => {
        // A full disk: Node does not say which file it is.
        throw Object.assign(error as Error, { path: this.#path });
      });
      at += bytesWritten;
    }
  }

  async close(): Promise<void> {
    this.#handle ??= await open(this.#temporary, 'w');
    await this.#handle.close();
    await rename(this.#temporary, this.#path);
  }

  async abort(): Promise<void> {
    await this.#handle?.close();
    await rm(this.#temporary, { force: true });
  }
}
