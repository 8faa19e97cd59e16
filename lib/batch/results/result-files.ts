/** Writes the files of a result set: buffers, counts and hashes their bytes. */
import { ByteBuffer } from '../../formats/bytes/byte-buffer.ts';
import type { CoverReport } from '../covers/cover-report.ts';
import type { JobWork } from '../job-limits.ts';
import type { FileWriter, Hash, Hashing, ResultFiles } from '../ports.ts';
import { JSON_LINES_TYPE } from './content-types.ts';
import { ExceptionSample } from './exception-sample.ts';
import type { PuzzleRecord } from './puzzle-record.ts';

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

/** The files whose size depends on the input: solutions, exceptions and, on request, records. */
export class OpenResults {
  readonly solutions: ResultFile;
  /** The first exceptions, for the report. */
  readonly exceptions = new ExceptionSample();
  readonly #exceptionsFile: ResultFile;
  readonly #records: ResultFile | undefined;

  /** @param solutions file name extension and media type of the solutions */
  constructor(
    solutions: { readonly extension: string; readonly contentType: string },
    records: boolean,
    files: ResultFiles,
    hashing: Hashing,
  ) {
    this.solutions = new ResultFile(
      `solutions.${solutions.extension}`,
      solutions.contentType,
      files,
      hashing,
    );
    this.#exceptionsFile = new ResultFile(EXCEPTIONS_FILE, JSON_LINES_TYPE, files, hashing);
    if (records) this.#records = new ResultFile('records.jsonl', JSON_LINES_TYPE, files, hashing);
  }

  /**
   * Bytes so far of the files that a limit bounds. Records contain times, so their size is not the same in every run;
   * they are in proportion to the exceptions and the puzzles.
   */
  get outputBytes(): Omit<JobWork, 'nodes'> {
    return { solutionBytes: this.solutions.bytes, exceptionBytes: this.#exceptionsFile.bytes };
  }

  /** Whether records are requested. */
  get hasRecords(): boolean {
    return this.#records !== undefined;
  }

  writeException(record: PuzzleRecord | CoverReport): void {
    this.exceptions.add(record);
    this.#exceptionsFile.out.text(`${JSON.stringify(record)}\n`);
  }

  /** @param record called only if records are requested */
  writeRecord(record: () => object): void {
    this.#records?.out.text(`${JSON.stringify(record())}\n`);
  }

  /** Flushes the files that hold enough. */
  async flushFull(): Promise<void> {
    for (const file of this.#all()) if (file.full) await file.flush();
  }

  /** Stores the files and returns them in the order of the manifest. */
  async close(): Promise<WrittenFile[]> {
    const written: WrittenFile[] = [];
    for (const file of this.#all()) written.push(await file.close());
    return written;
  }

  /** Removes the files that are not closed. */
  async abort(): Promise<void> {
    for (const file of this.#all()) await file.abort();
  }

  #all(): ResultFile[] {
    const files = [this.solutions, this.#exceptionsFile];
    if (this.#records !== undefined) files.push(this.#records);
    return files;
  }
}
