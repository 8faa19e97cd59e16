/** The files of a result set while they are written: buffered, counted and hashed on the way. */
import { ByteBuffer } from '../../formats/bytes/byte-buffer.ts';
import type { CoverReport } from '../covers/cover-report.ts';
import type { FileWriter, Hash, Hashing, ResultFiles } from '../ports.ts';
import { JSON_LINES_TYPE } from './content-types.ts';
import { ExceptionSample } from './exception-sample.ts';
import type { PuzzleRecord } from './puzzle-record.ts';

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
  #writing: Promise<void> = Promise.resolve();
  #spare = new Uint8Array(FLUSH_BYTES + 64 * 1024);
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

  /** Hands on what is gathered, as soon as what was handed on before is written; does not wait for its own end. */
  async flush(): Promise<void> {
    if (this.out.length === 0) return;
    await this.#writing;
    // What was written before is free again.
    const memory = this.out.bytes;
    const bytes = this.out.exchange(this.#spare);
    this.#spare = memory;
    this.#writing = this.#writer.write(bytes);
    this.#bytes += bytes.length;
    this.#hash.update(bytes);
    // A failure is met at the next flush or at the close; until then it must not count as unhandled.
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

  /** Gives the file up, if it is not closed. */
  async abort(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await Promise.allSettled([this.#writing]);
    await this.#writer.abort();
  }
}

/** Writes a file whose text is at hand. */
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

/** The files that grow with the input: solutions, exceptions and, on request, records. */
export class OpenResults {
  readonly solutions: ResultFile;
  /** What the report says of them. */
  readonly exceptionSample = new ExceptionSample();
  readonly #exceptions: ResultFile;
  readonly #records: ResultFile | undefined;

  /** @param solutions how the solutions are written */
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
    this.#exceptions = new ResultFile('exceptions.jsonl', JSON_LINES_TYPE, files, hashing);
    if (records) this.#records = new ResultFile('records.jsonl', JSON_LINES_TYPE, files, hashing);
  }

  /** Whether records are asked for. */
  get hasRecords(): boolean {
    return this.#records !== undefined;
  }

  writeException(record: PuzzleRecord | CoverReport): void {
    this.exceptionSample.add(record);
    this.#exceptions.out.text(`${JSON.stringify(record)}\n`);
  }

  /** @param record called only where records are asked for */
  writeRecord(record: () => object): void {
    this.#records?.out.text(`${JSON.stringify(record())}\n`);
  }

  /** Hands on what is gathered, where it is much. */
  async flushFull(): Promise<void> {
    for (const file of this.#all()) if (file.full) await file.flush();
  }

  /** Stores every file, in the order in which the manifest names them. */
  async close(): Promise<WrittenFile[]> {
    const written: WrittenFile[] = [];
    for (const file of this.#all()) written.push(await file.close());
    return written;
  }

  /** Gives up every file that is not closed. */
  async abort(): Promise<void> {
    for (const file of this.#all()) await file.abort();
  }

  #all(): ResultFile[] {
    const files = [this.solutions, this.#exceptions];
    if (this.#records !== undefined) files.push(this.#records);
    return files;
  }
}
