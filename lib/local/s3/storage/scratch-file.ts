/**
 * Texts of any size in one file, for data that need not stay in memory. Nothing in it outlives the process: the file is
 * emptied when it is opened, and removed when it is closed.
 *
 * A text takes consecutive blocks. The blocks of a text that is freed are used again for the next text of that size.
 */
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

const BLOCK_BYTES = 4096;

/** The place of a text. */
export interface Slot {
  /** Number of its first block. */
  readonly block: number;
  /** Length of the text in UTF-8. */
  readonly bytes: number;
}

export class ScratchFile {
  readonly #path: string;
  readonly #descriptor: number;
  #blocks = 0;
  /** First blocks of freed slots, by the number of blocks. */
  readonly #free = new Map<number, number[]>();
  /** For all reads and writes: buffers of their own would be garbage outside the heap, which is collected late. */
  #buffer = Buffer.alloc(16 * BLOCK_BYTES);

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'w+', 0o600);
  }

  /** Size of the file in bytes. */
  get size(): number {
    return this.#blocks * BLOCK_BYTES;
  }

  /** Stores a text. @throws Error of the file system, without any change */
  write(text: string): Slot {
    const bytes = Buffer.byteLength(text);
    const buffer = this.#bufferOf(bytes);
    buffer.write(text);
    const count = blocksOf(bytes);
    const free = this.#free.get(count) ?? [];
    const block = free.at(-1) ?? this.#blocks;
    for (let at = 0; at < bytes; ) {
      at += writeSync(this.#descriptor, buffer, at, bytes - at, block * BLOCK_BYTES + at);
    }
    if (free.pop() === undefined) this.#blocks += count;
    return { block, bytes };
  }

  /** @throws Error if the file is shorter than what was written to it */
  read({ block, bytes }: Slot): string {
    const buffer = this.#bufferOf(bytes);
    for (let at = 0; at < bytes; ) {
      const found = readSync(this.#descriptor, buffer, at, bytes - at, block * BLOCK_BYTES + at);
      if (found === 0) throw new Error(`${this.#path} was truncated by another program: restart the stack`);
      at += found;
    }
    return buffer.toString('utf8', 0, bytes);
  }

  #bufferOf(bytes: number): Buffer {
    if (this.#buffer.length < bytes) this.#buffer = Buffer.alloc(2 * bytes);
    return this.#buffer;
  }

  free({ block, bytes }: Slot): void {
    const count = blocksOf(bytes);
    const free = this.#free.get(count);
    if (free === undefined) this.#free.set(count, [block]);
    else free.push(block);
  }

  close(): void {
    closeSync(this.#descriptor);
    rmSync(this.#path, { force: true });
  }
}

function blocksOf(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES);
}
