/**
 * A result set in a folder on this machine.
 *
 * Each file is written under a temporary name and renamed when it is whole; the manifest goes first when a new set
 * begins and comes last when it ends, so that a manifest never names files of another run.
 */
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileWriter, ResultFiles } from '../batch/ports.ts';

/** Names of the files that a result set may hold, and of what was left of one that was cut off. */
const RESULT_SET =
  /^(manifest\.json|solutions\.\w+|exceptions\.jsonl|records\.jsonl|stats\.json|report\.html|error\.json)(\.part)?$/;

export class ResultFolder implements ResultFiles {
  readonly path: string;

  /** @param path the folder; made by `begin` */
  constructor(path: string) {
    this.path = path;
  }

  /**
   * Makes the folder, and removes what an earlier run left that could be taken for part of this one.
   *
   * @param kept names of files that are known to be part of it
   */
  async begin(kept: ReadonlySet<string> = new Set()): Promise<void> {
    await mkdir(this.path, { recursive: true });
    const names = await readdir(this.path);
    const stale = names.filter((name) => RESULT_SET.test(name) && !kept.has(name));
    // The manifest first: cut off in between, the others are files without one.
    stale.sort((a, b) => Number(b.startsWith('manifest')) - Number(a.startsWith('manifest')));
    for (const name of stale) await rm(join(this.path, name), { force: true });
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
      const { bytesWritten } = await this.#handle.write(bytes, at);
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
