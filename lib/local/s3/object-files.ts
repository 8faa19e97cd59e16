/**
 * The bytes of objects, in files that are written once and never changed.
 *
 * A file is named by a random id, never by a key, so no key can lead outside the folder or collide with another one. A
 * file that a reader holds is not removed until its release, so a read of an object that is overwritten completes.
 *
 * No request fails with the removal of files; the next start removes leftover files.
 */

import { randomBytes } from 'node:crypto';
import { createReadStream, unlinkSync } from 'node:fs';
import { mkdir, open, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFile } from './catalog.ts';

const READ_CHUNK_BYTES = 256 * 1024;

/** The data files of one folder. */
export class ObjectFiles {
  readonly #folder: string;
  readonly #createdFolders = new Set<string>();
  /** Number of readers that hold a file. */
  readonly #holds = new Map<string, number>();
  /** Files to remove after their last reader's release. */
  readonly #removeLater = new Set<string>();
  readonly #onFault: (error: unknown) => void;

  /** @param onFault called if a file cannot be removed */
  constructor(folder: string, onFault: (error: unknown) => void) {
    this.#folder = folder;
    this.#onFault = onFault;
  }

  /**
   * Writes a stream to a new file and passes the file to `keep`; if either fails, removes the file and rethrows.
   *
   * @param keep receives the file, or no file for an empty stream; its result is returned
   */
  async write<Result>(
    bytes: AsyncIterable<Uint8Array>,
    keep: (files: readonly DataFile[]) => Result,
  ): Promise<Result> {
    const files = await this.#writeFile(bytes);
    try {
      return keep(files);
    } catch (error) {
      this.remove(files);
      throw error;
    }
  }

  async #writeFile(bytes: AsyncIterable<Uint8Array>): Promise<readonly DataFile[]> {
    const id = randomBytes(16).toString('hex');
    await this.#createFolder(id);
    const path = this.#path(id);
    const file = await open(path, 'wx');
    let written = 0;
    try {
      for await (const piece of bytes) {
        for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten;
        written += piece.length;
      }
      await file.close();
    } catch (error) {
      await file.close();
      await unlink(path);
      throw error;
    }
    if (written > 0) return [{ id, bytes: written }];
    await unlink(path);
    return [];
  }

  /**
   * The bytes from `start` to `end`, exclusive, of the concatenated files, which the caller holds.
   *
   * @throws Error if a file is shorter than it was when it was written
   */
  async *read(files: readonly DataFile[], start: number, end: number): AsyncGenerator<Uint8Array> {
    let offset = 0;
    for (const file of files) {
      const from = Math.max(start - offset, 0);
      const to = Math.min(end - offset, file.bytes);
      offset += file.bytes;
      if (from >= to) continue;
      let missing = to - from;
      const options = { start: from, end: to - 1, highWaterMark: READ_CHUNK_BYTES };
      for await (const piece of createReadStream(this.#path(file.id), options)) {
        missing -= piece.length;
        yield piece;
      }
      if (missing > 0)
        throw new Error(`${this.#path(file.id)} is missing ${missing} of its ${file.bytes} bytes`);
    }
  }

  /** Prevents the removal of files until the returned function is called, once. */
  hold(files: readonly DataFile[]): () => void {
    for (const { id } of files) this.#holds.set(id, (this.#holds.get(id) ?? 0) + 1);
    return () => this.#release(files);
  }

  /** Removes files; held ones after their last reader's release. */
  remove(files: readonly DataFile[]): void {
    for (const { id } of files) {
      if (this.#holds.has(id)) this.#removeLater.add(id);
      else this.#unlink(id);
    }
  }

  /** Removes files not in `known`, which a dead process left. @throws Error if a known file is missing */
  async removeUnknown(known: ReadonlySet<string>): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const found = new Set<string>();
    for (const subfolder of await readdir(this.#folder)) {
      for (const id of await readdir(join(this.#folder, subfolder))) {
        if (known.has(id)) found.add(id);
        else await unlink(join(this.#folder, subfolder, id));
      }
    }
    const missing = [...known].filter((id) => !found.has(id));
    if (missing.length === 0) return;
    throw new Error(
      `${this.#path(missing[0]!)} is missing (${missing.length} missing in total). The folder is damaged: use another data folder, or delete this one.`,
    );
  }

  #release(files: readonly DataFile[]): void {
    for (const { id } of files) {
      const holds = (this.#holds.get(id) ?? 0) - 1;
      if (holds > 0) this.#holds.set(id, holds);
      else this.#holds.delete(id);
      if (holds <= 0 && this.#removeLater.delete(id)) this.#unlink(id);
    }
  }

  #unlink(id: string): void {
    try {
      unlinkSync(this.#path(id));
    } catch (error) {
      this.#onFault(error);
    }
  }

  /** 256 subfolders, so that no folder has too many entries for the file system. */
  #path(id: string): string {
    return join(this.#folder, id.slice(0, 2), id);
  }

  async #createFolder(id: string): Promise<void> {
    const subfolder = id.slice(0, 2);
    if (this.#createdFolders.has(subfolder)) return;
    await mkdir(join(this.#folder, subfolder), { recursive: true });
    this.#createdFolders.add(subfolder);
  }
}
