/** Reads the records of a stored file: decompresses it, detects the format from the first MiB, and parses its records. */
import type { CoverRecord } from '../../formats/exact-cover/cover-record.ts';
import {
  type CoverDetection,
  detectFormat,
  openCoverReader,
  openReader,
  type PuzzleDetection,
} from '../../formats/formats.ts';
import { type BlockSource, type Detection, type FormatHints, HEAD_BYTES } from '../../formats/reader.ts';
import type { CommentLog } from '../../formats/records/comment-log.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import type { Clock, Unpacking } from '../ports.ts';
import type { NoPuzzlesReason } from '../results/job-totals.ts';
import {
  concatBytes,
  FileRejection,
  type InputProgress,
  plainBytes,
  type StoredForm,
  type UnpackLimits,
} from './input.ts';
import { emptyReason } from './no-puzzles.ts';

/** The detection of a file without puzzles, which needs no settings. */
const ANY_TEXT: PuzzleDetection = { kind: 'puzzles', format: 'line', settings: {} };

const NO_BLOCKS: BlockSource = {
  acquire() {
    throw new Error('a file that was detected as empty has a puzzle');
  },
};

export class RecordSource {
  /** What helps to detect and read the format. */
  readonly hints: FormatHints;
  /** Bytes read so far. */
  readonly progress: InputProgress = { storedBytes: 0, plainBytes: 0 };
  /** Milliseconds spent waiting for bytes, and parsing them. */
  readMs = 0;
  parseMs = 0;
  /** Why the file has no puzzle, if it has none. */
  noPuzzles: NoPuzzlesReason = 'header';
  /** The comment lines of the records that were read; of a file without puzzles, of its head. */
  comments: CommentLog | undefined;
  /** How the file is stored; known after `detect`. */
  readonly form: StoredForm = {};
  readonly #storedBytes: number | undefined;
  readonly #bytes: AsyncIterator<Uint8Array>;
  readonly #clock: Clock;
  #head = new Uint8Array(0);
  /** Whether all bytes are read. */
  #complete = false;
  #lastRead: Promise<unknown> = Promise.resolve();
  /** Bytes that were read before their records. */
  readonly #ahead: Uint8Array[] = [];

  /**
   * @param stored the stored file, compressed or not; it may reuse an array once the next is requested
   * @param limits of what compressed data may unpack to
   */
  constructor(
    stored: AsyncIterable<Uint8Array>,
    hints: FormatHints,
    unpacking: Unpacking,
    clock: Clock,
    limits?: UnpackLimits,
  ) {
    this.#storedBytes = limits?.storedBytes;
    const plain = plainBytes(stored, unpacking, this.progress, this.form, limits);
    this.#bytes = plain[Symbol.asyncIterator]();
    this.hints = hints;
    this.#clock = clock;
  }

  /** Reads the first MiB and detects the format; call it once, before the text is read. */
  async detect(): Promise<Detection> {
    const pieces: Uint8Array[] = [];
    for (let length = 0; length < HEAD_BYTES; ) {
      const bytes = await this.#next();
      if (bytes === undefined) break;
      pieces.push(new Uint8Array(bytes));
      length += bytes.length;
    }
    this.#head = concatBytes(pieces);
    const detection = detectFormat(this.head, this.#complete, this.hints);
    const reason = detection.kind === 'empty' || !this.#complete ? emptyReason(this.#head) : 'list';
    if (detection.kind === 'empty' || reason !== 'list') this.noPuzzles = reason;
    return detection;
  }

  /** The same for a file that can be read. @throws FileRejection if it cannot */
  async detectReadable(): Promise<Exclude<Detection, { kind: 'unreadable' }>> {
    const detection = await this.detect();
    if (detection.kind === 'unreadable') throw new FileRejection(detection.error);
    return detection;
  }

  /** The first MiB of the file's text. */
  get head(): Uint8Array {
    return this.#head.subarray(0, HEAD_BYTES);
  }

  /** Whether the head is the whole file. */
  get isWhole(): boolean {
    return this.#complete && this.progress.plainBytes <= HEAD_BYTES;
  }

  /** Whether the stored file is the text, neither compressed nor in UTF-16. */
  get isPlain(): boolean {
    return this.form.container === undefined && this.form.encoding === undefined;
  }

  /** Bytes of the text, if they are known: those of a plain file, or of text that is read to its end. */
  get textBytes(): number | undefined {
    if (this.#complete) return this.progress.plainBytes;
    return this.isPlain ? this.#storedBytes : undefined;
  }

  /** Reads a file without puzzles for its comments, if it has any. */
  readComments(): void {
    if (this.noPuzzles !== 'comments') return;
    const reader = openReader(ANY_TEXT, this.hints, NO_BLOCKS);
    for (const _ of reader.push(this.#head));
    for (const _ of reader.end());
    this.comments = reader.comments;
  }

  /** All records, in blocks of `pool`. */
  async *blocks(detection: PuzzleDetection, pool: BlockSource): AsyncGenerator<RecordBlock, void, void> {
    yield* this.#records(openReader(detection, this.hints, pool));
  }

  /** All problems of an exact-cover file. */
  async *covers({ format }: CoverDetection): AsyncGenerator<CoverRecord, void, void> {
    yield* this.#records(openCoverReader(format));
  }

  /** The text from its beginning, instead of the records. An array may be used again once the next is requested. */
  async *text(): AsyncGenerator<Uint8Array, void, void> {
    yield this.#head;
    for (let bytes = await this.#next(); bytes !== undefined; bytes = await this.#next()) yield bytes;
  }

  /** Reads more bytes before their records: of a file whose text has an unknown size. */
  async readAhead(): Promise<void> {
    const bytes = await this.#read();
    if (bytes !== undefined) this.#ahead.push(bytes);
  }

  async close(): Promise<void> {
    await this.#bytes.return?.();
  }

  #records<T>(reader: RecordReader<T>): AsyncGenerator<T, void, void> {
    this.comments = reader.comments;
    return readRecords(reader, this.text(), this, this.#clock);
  }

  async #next(): Promise<Uint8Array | undefined> {
    return this.#ahead.shift() ?? this.#read();
  }

  /** Reads when what was requested before is read, and copied if need be. */
  #read(): Promise<Uint8Array | undefined> {
    const read = this.#lastRead.then(() => this.#readNow());
    this.#lastRead = read.catch(() => undefined);
    return read;
  }

  async #readNow(): Promise<Uint8Array | undefined> {
    if (this.#complete) return undefined;
    const startMs = this.#clock.monotonicMs();
    const next = await this.#bytes.next();
    this.readMs += this.#clock.monotonicMs() - startMs;
    if (next.done === true) {
      this.#complete = true;
      return undefined;
    }
    // The stream may reuse an array, of which records are still read, for bytes that are read ahead.
    return this.textBytes === undefined ? new Uint8Array(next.value) : next.value;
  }
}

/** A reader of records, of any format. */
interface RecordReader<T> {
  readonly comments?: CommentLog;
  push(bytes: Uint8Array): Iterable<T>;
  end(): Iterable<T>;
}

/**
 * The records of a stream of bytes, from its beginning or from a place in the middle.
 *
 * @param times the time of parsing is added to it
 */
export async function* readRecords<T>(
  reader: RecordReader<T>,
  text: AsyncIterable<Uint8Array>,
  times: { parseMs: number },
  clock: Clock,
): AsyncGenerator<T, void, void> {
  for await (const bytes of text) yield* timed(reader.push(bytes));
  yield* timed(reader.end());

  function* timed(parsed: Iterable<T>): Generator<T, void, void> {
    const records = parsed[Symbol.iterator]();
    for (;;) {
      const startMs = clock.monotonicMs();
      const record = records.next();
      times.parseMs += clock.monotonicMs() - startMs;
      if (record.done === true) return;
      yield record.value;
    }
  }
}
