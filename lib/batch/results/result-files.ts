/** Writes the files of a result set: buffers, counts and hashes their bytes. */
import { ByteBuffer } from '../../formats/bytes/byte-buffer.ts';
import type { FileWriter, Hash, Hashing, ResultFiles } from '../ports.ts';

/** A written file, as in the manifest. */
export interface WrittenFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

export const EXCEPTIONS_FILE = 'exceptions.jsonl';

/** Bytes to buffer before a write. */
const FLUSH_BYTES = 256 * 1024;

/** One file: callers append to `out`, and `flush` writes it. */
export class ResultFile {
  readonly out = new ByteBuffer();
  readonly #name: string;
  readonly #writer: FileWriter;
  readonly #hash: Hash;
  #writing: Promise<void> = Promise.resolve();
  #spare = new Uint8Array(0);
  #bytes = 0;
  #open = true;

  constructor(name: string, contentType: string, files: ResultFiles, hashing: Hashing) {
    this.#name = name;
    this.#writer = files.open(name, contentType);
    this.#hash = hashing.sha256();
  }

  /** Bytes so far. */
  get bytes(): number {
    return this.#bytes + this.out.length;
  }

  /** Whether `out` holds enough for a `flush`. */
  get full(): boolean {
    return this.out.length >= FLUSH_BYTES;
  }

  /** Starts to write the buffered bytes, after the previous write has finished. */
  async flush(): Promise<void> {
    if (this.out.length === 0) return;
    await this.#writing;
    // The memory of the previous write is free again.
    const memory = this.out.bytes;
    const bytes = this.out.exchange(this.#spare);
    this.#spare = memory;
    this.#writing = this.#writer.write(bytes);
    this.#bytes += bytes.length;
    this.#hash.update(bytes);
    // A failure is handled at the next flush or at the close; until then it must not count as unhandled.
    this.#writing.catch(() => {});
  }

  /** Stores the file. */
  async close(): Promise<WrittenFile> {
    await this.flush();
    await this.#writing;
    await this.#writer.close();
    this.#open = false;
    return { name: this.#name, bytes: this.#bytes, sha256: this.#hash.hex() };
  }

  /** Removes the file, unless it is closed. */
  async abort(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await Promise.allSettled([this.#writing]);
    await this.#writer.abort();
  }
}

/** Writes a file with the given text. */
export function storeText(
  name: string,
  contentType: string,
  text: string,
  files: ResultFiles,
  hashing: Hashing,
): Promise<WrittenFile> {
  const file = new ResultFile(name, contentType, files, hashing);
  file.out.text(text);
  return file.close();
}
