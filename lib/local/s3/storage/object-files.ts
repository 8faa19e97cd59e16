/**
 * The bytes of objects, in files that are written once and never changed.
 *
 * A file is named by a random id, never by a key: no key, whatever it holds, can lead outside the folder or meet
 * another one. A file that a reader has open under `hold` stays until it is released, so an object that is
 * overwritten while it is read is read to its end.
 *
 * Removal is cleaning up: no request waits for it or fails with it, and what it could not remove the next start
 * does.
 */

import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFile } from './catalog.ts';

const READ_CHUNK_BYTES = 256 * 1024;

/** The data files of one folder. */
export class ObjectFiles {
  readonly #folder: string;
  readonly #madeFolders = new Set<string>();
  /** How many readers hold a file. */
  readonly #holds = new Map<string, number>();
  /** Files to be removed when their last reader is done. */
  readonly #doomed = new Set<string>();
  readonly #removals = new Set<Promise<void>>();
  readonly #onFault: (error: unknown) => void;

  /** @param onFault told of a file that could not be removed */
  constructor(folder: string, onFault: (error: unknown) => void) {
    this.#folder = folder;
    this.#onFault = onFault;
  }

  /**
   * Writes a stream to a new file and hands that over; where either fails, the file is removed and the error
   * thrown on.
   *
   * @param keep takes the file, or no file for an empty stream; what it returns is returned
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
    await this.#makeFolder(id);
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
   * The bytes from `start` to `end`, exclusive, of the files joined; the caller holds the files.
   *
   * @throws Error where a file is shorter than it was when it was written
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
      if (missing > 0) throw new Error(`${this.#path(file.id)} lacks ${missing} of its ${file.bytes} bytes`);
    }
  }

  /** Keeps files from being removed until the function that is returned is called, once. */
  hold(files: readonly DataFile[]): () => void {
    for (const { id } of files) this.#holds.set(id, (this.#holds.get(id) ?? 0) + 1);
    return () => this.#release(files);
  }

  /** Removes files, those that are held when their last reader is done. */
  remove(files: readonly DataFile[]): void {
    const free: string[] = [];
    for (const { id } of files) {
      if (this.#holds.has(id)) this.#doomed.add(id);
      else free.push(id);
    }
    this.#unlinkAll(free);
  }

  /** Resolves when everything that was to be removed so far is gone. */
  async settled(): Promise<void> {
    await Promise.all(this.#removals);
  }

  /** Removes the files that are not in `known`: a process that died while it wrote left them behind. */
  async removeUnknown(known: ReadonlySet<string>): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const found = new Set<string>();
    for (const shelf of await readdir(this.#folder)) {
      for (const id of await readdir(join(this.#folder, shelf))) {
        if (known.has(id)) found.add(id);
        else await unlink(join(this.#folder, shelf, id));
      }
    }
    const missing = [...known].filter((id) => !found.has(id));
    if (missing.length === 0) return;
    throw new Error(
      `${this.#path(missing[0]!)} is missing (${missing.length} files in all). The folder is damaged: give another data folder, or remove this one.`,
    );
  }

  #release(files: readonly DataFile[]): void {
    const free: string[] = [];
    for (const { id } of files) {
      const holds = (this.#holds.get(id) ?? 0) - 1;
      if (holds > 0) this.#holds.set(id, holds);
      else this.#holds.delete(id);
      if (holds <= 0 && this.#doomed.delete(id)) free.push(id);
    }
    this.#unlinkAll(free);
  }

  #unlinkAll(ids: readonly string[]): void {
    if (ids.length === 0) return;
    const unlinkInTurn = async () => {
      for (const id of ids) await unlink(this.#path(id));
    };
    const removal = unlinkInTurn()
      .catch(this.#onFault)
      .finally(() => this.#removals.delete(removal));
    this.#removals.add(removal);
  }

  /** 256 shelves, so that no folder grows too long for the file system. */
  #path(id: string): string {
    return join(this.#folder, id.slice(0, 2), id);
  }

  async #makeFolder(id: string): Promise<void> {
    const shelf = id.slice(0, 2);
    if (this.#madeFolders.has(shelf)) return;
    await mkdir(join(this.#folder, shelf), { recursive: true });
    this.#madeFolders.add(shelf);
  }
}
