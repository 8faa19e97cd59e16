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
import { concatBytes, type InputProgress, plainBytes, type StoredForm, type UnpackLimits } from './input.ts';
import { emptyReason } from './no-puzzles.ts';

/** The detection of a file without puzzles, which needs no settings. */
const ANY_TEXT: PuzzleDetection = { kind: 'puzzles', format: 'line', settings: {} };

const NO_BLOCKS: BlockSource = {
  acquire() {
    throw new Error('a file that was detected as empty has a puzzle');
  },
};

export class RecordSource {
  /** Bytes read so far. */
  readonly progress: InputProgress = { storedBytes: 0, plainBytes: 0 };
  /** Milliseconds spent waiting for bytes, and parsing them. */
  readMs = 0;
  parseMs = 0;
  /** Why the file has no puzzle, if it has none. */
  noPuzzles: NoPuzzlesReason = 'header';
  /** How the file is stored; known after `detect`. */
  readonly form: StoredForm = {};
  /** Whether `readAhead` may be called. */
  canReadAhead = false;
  readonly #storedBytes: number | undefined;
  readonly #bytes: AsyncIterator<Uint8Array>;
  readonly #hints: FormatHints;
  readonly #clock: Clock;
  #head = new Uint8Array(0);
  #comments: CommentLog | undefined;
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
    this.#hints = hints;
    this.#clock = clock;
  }

  /** Reads the first MiB and detects the format; call it once, before the records are read. */
  async detect(): Promise<Detection> {
    const pieces: Uint8Array[] = [];
    for (let length = 0; length < HEAD_BYTES; ) {
      const bytes = await this.#next();
      if (bytes === undefined) {
        this.#complete = true;
        break;
      }
      pieces.push(new Uint8Array(bytes));
      length += bytes.length;
    }
    this.#head = concatBytes(pieces);
    const detection = detectFormat(this.#head.subarray(0, HEAD_BYTES), this.#complete, this.#hints);
    const reason = detection.kind === 'empty' || !this.#complete ? emptyReason(this.#head) : 'list';
    if (detection.kind === 'empty' || reason !== 'list') this.noPuzzles = reason;
    return detection;
  }

  /** The first MiB of the file's text, until its records are read. */
  get head(): Uint8Array {
    return this.#head.subarray(0, HEAD_BYTES);
  }

  /** Whether the head is the whole file. */
  get isWhole(): boolean {
    return this.#complete && this.#head.length <= HEAD_BYTES;
  }

  /** Whether the size of the text is known before it is read: that of the stored file. */
  get knowsSize(): boolean {
    const { container, encoding } = this.form;
    return this.#storedBytes !== undefined && container === undefined && encoding === undefined;
  }

  /** The comment lines of the records that were read; of a file without puzzles, of its head. */
  get comments(): CommentLog | undefined {
    return this.#comments;
  }

  /** Reads a file without puzzles for its comments, if it has any. */
  readComments(): void {
    if (this.noPuzzles !== 'comments') return;
    const reader = openReader(ANY_TEXT, this.#hints, NO_BLOCKS);
    for (const _ of reader.push(this.#head));
    for (const _ of reader.end());
    this.#comments = reader.comments;
  }

  /** All records, in blocks of `pool`. */
  async *blocks(detection: PuzzleDetection, pool: BlockSource): AsyncGenerator<RecordBlock, void, void> {
    yield* this.#records(openReader(detection, this.#hints, pool));
  }

  /** All problems of an exact-cover file. */
  async *covers({ format }: CoverDetection): AsyncGenerator<CoverRecord, void, void> {
    yield* this.#records(openCoverReader(format));
  }

  /** Reads more bytes before their records, so that more of the file's size is known. @returns false at its end */
  async readAhead(): Promise<boolean> {
    if (this.#complete) return false;
    const bytes = await this.#read();
    if (bytes === undefined) return false;
    this.#ahead.push(this.knowsSize ? new Uint8Array(bytes) : bytes);
    return true;
  }

  /** Reads a file to its end, instead of its records. @returns the bytes of its text */
  async countText(): Promise<number> {
    while ((await this.#next()) !== undefined);
    return this.progress.plainBytes;
  }

  async close(): Promise<void> {
    await this.#bytes.return?.();
  }

  #records<T>(reader: RecordReader<T>): AsyncGenerator<T, void, void> {
    this.#comments = reader.comments;
    let isBegun = false;
    const next = async () => {
      const head = this.#head;
      this.#head = new Uint8Array(0);
      if (isBegun) return this.#complete ? undefined : this.#next();
      isBegun = true;
      return head;
    };
    return readRecords(reader, next, this, this.#clock);
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
    const startMs = this.#clock.monotonicMs();
    const next = await this.#bytes.next();
    this.readMs += this.#clock.monotonicMs() - startMs;
    if (next.done === true) return undefined;
    // The stream may reuse an array, of which records are still read, for bytes that are read ahead.
    return this.canReadAhead && !this.knowsSize ? new Uint8Array(next.value) : next.value;
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
 * @param next the next bytes; undefined at their end
 * @param times the time of parsing is added to it
 */
export async function* readRecords<T>(
  reader: RecordReader<T>,
  next: () => Promise<Uint8Array | undefined>,
  times: { parseMs: number },
  clock: Clock,
): AsyncGenerator<T, void, void> {
  for (let ended = false; !ended; ) {
    const bytes = await next();
    ended = bytes === undefined;
    const records = (bytes === undefined ? reader.end() : reader.push(bytes))[Symbol.iterator]();
    for (;;) {
      const startMs = clock.monotonicMs();
      const record = records.next();
      times.parseMs += clock.monotonicMs() - startMs;
      if (record.done === true) break;
      yield record.value;
    }
  }
}
