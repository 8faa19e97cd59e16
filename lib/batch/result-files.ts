/** The files of a result set while they are written: buffered, counted and hashed on the way. */
import { ByteBuffer } from '../formats/byte-buffer.ts';
import type { FileWriter, Hash, Hashing, ResultFiles } from './ports.ts';

/** A written file, as the manifest names it. */
export interface WrittenFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Bytes gathered before they are handed on. */
const FLUSH_BYTES = 256 * 1024;

/** One file: text and bytes go into `out`, and `flush` hands them on. */
export class ResultFile {
  readonly out = new ByteBuffer(FLUSH_BYTES + 64 * 1024);
  readonly #name: string;
  readonly #writer: FileWriter;
  readonly #hash: Hash;
  #bytes = 0;
  #open = true;

  constructor(name: string, contentType: string, files: ResultFiles, hashing: Hashing) {
    this.#name = name;
    this.#writer = files.open(name, contentType);
    this.#hash = hashing.sha256();
  }

  /** Whether so much is gathered that `flush` is due. */
  get full(): boolean {
    return this.out.length >= FLUSH_BYTES;
  }

  /** Hands on what is gathered. */
  async flush(): Promise<void> {
    if (this.out.length === 0) return;
    const bytes = this.out.take();
    this.#bytes += bytes.length;
    this.#hash.update(bytes);
    await this.#writer.write(bytes);
  }

  /** Stores the file. */
  async close(): Promise<WrittenFile> {
    await this.flush();
    await this.#writer.close();
    this.#open = false;
    return { name: this.#name, bytes: this.#bytes, sha256: this.#hash.hex() };
  }

  /** Gives the file up, if it is not closed. */
  async abort(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.#writer.abort();
  }
}
