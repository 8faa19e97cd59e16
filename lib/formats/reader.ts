/** Interfaces of all readers and writers of puzzle formats, and the result of detection. */
import type { VariantName } from '../sudoku/geometry/variants.ts';
import type { ByteBuffer } from './bytes/byte-buffer.ts';
import type { CoverFormatName } from './exact-cover/cover-record.ts';
import type { CommentLog } from './records/comment-log.ts';
import type { Layout } from './records/layout.ts';
import type { ParseError, RecordBlock } from './records/record-block.ts';

/** The user's settings for a file; everything omitted is detected from its content. */
export interface FormatHints {
  readonly format?: string;
  /** Symbols of the digits in order, such as `ABCDEFGHIJKLMNOP`. */
  readonly alphabet?: string;
  /** Variant of puzzles for which the file names none. */
  readonly variant?: VariantName;
  readonly box?: readonly [rows: number, columns: number];
  /** The file's name; `.dlx` and `.xcc` mean Knuth's format unless the content contradicts it. */
  readonly fileName?: string;
}

/** Size of the head of a file, which decides its format and alphabets. */
export const HEAD_BYTES = 1024 * 1024;

/**
 * The format of a file, detected from its head. A function of head and hints alone. It is plain data (survives JSON), so
 * a shard in the middle of the file is read with the detection of its head.
 */
export type Detection =
  | {
      readonly kind: 'puzzles';
      readonly format: string;
      /** Alphabets by size, `{ "16": "ABCDEFGHIJKLMNOP" }`, and other settings of the reader. */
      readonly settings: Readonly<Record<string, unknown>>;
    }
  /** Exact-cover problems: no cells and no blocks, see `exact-cover/`. */
  | { readonly kind: 'exact-cover'; readonly format: CoverFormatName }
  /** Only comments and blank lines. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'unreadable'; readonly error: ParseError };

/** Supplies blocks: a pool reuses them, a worker pool allocates them in shared memory. */
export interface BlockSource {
  /** @returns an empty block of that layout; the source chooses its capacity, at least 1 */
  acquire(layout: Layout): RecordBlock;
}

/**
 * State of a reader between two puzzles, as plain data (survives JSON). A reader that is opened with it and receives the
 * bytes after that place yields the same records as one that reads the file from its start.
 */
export interface ReaderState {
  /** Number of the next line, from 1. */
  readonly line: number;
  /** State of the record sink. */
  readonly sink: unknown;
  readonly [name: string]: unknown;
}

/** A place between two puzzles. */
export interface ReaderCheckpoint {
  readonly state: ReaderState;
  /** Pushed bytes after this place: the next reader must receive them again. */
  readonly unreadBytes: number;
}

/** Converts a file's bytes, in chunks of any size, to blocks of records. */
export interface RecordReader {
  /** The comment lines among the bytes that it has read; undefined for a format that has none. */
  readonly comments?: CommentLog;
  /** Reads the next bytes; the caller may reuse the array after the iteration. */
  push(bytes: Uint8Array): Iterable<RecordBlock>;
  /** Yields all records so far; the next record begins a new block. */
  flush(): Iterable<RecordBlock>;
  /** @returns the current place; undefined inside a puzzle or inside damage */
  checkpoint(): ReaderCheckpoint | undefined;
  /** Ends the file and yields the rest; an incomplete grid becomes a `truncated` record. */
  end(): Iterable<RecordBlock>;
}

/** Whether an entry of a solution file takes one line or several. */
export type EntryForm = 'line' | 'grid';

/** State of a writer, as plain data (survives JSON). */
export interface WriterState {
  readonly first: EntryForm;
  readonly last: EntryForm;
}

/** The outcome of a record, which tables have in columns. */
export interface RecordOutcome {
  readonly status: string;
  /** One line: why the record has no solution, or not the expected one, or not all; empty otherwise. */
  readonly error: string;
  /** Number of its solutions, if they are only counted. */
  readonly solutions?: string;
  /** How hard it is, if it is rated. */
  readonly rating?: { readonly rating: number; readonly grade: string; readonly isLowerBound: boolean };
}

/**
 * A record and its solution. Callers reuse one object for all records of a block, so an entry allocates nothing; a
 * writer does not keep it.
 */
export interface SolvedRecord {
  block: RecordBlock;
  /** Index of the record in the block. */
  index: number;
  /** The solution: `cellCount` values from 1 to size, starting at `offset`. */
  cells: Uint8Array;
  offset: number;
  /** By default, it is solved. */
  outcome?: RecordOutcome;
}

/** A record without a solution, or what is known of it after its solutions. */
export interface UnsolvedRecord {
  readonly block: RecordBlock;
  /** Index of the record in the block. */
  readonly index: number;
  readonly outcome: RecordOutcome;
  /** Whether solutions of it are written: its last entry has the outcome. */
  readonly hasEntries: boolean;
}

/** What all writers of a job have in common. */
export interface WriterOptions {
  /** Whether tables get an apostrophe before cells that begin a formula. */
  readonly csvSafe: boolean;
  /** Whether solutions are only counted. @default false */
  readonly countsOnly?: boolean | undefined;
  /** Whether puzzles are rated. @default false */
  readonly ratings?: boolean | undefined;
}

/**
 * Writes solutions, one entry per record, in input order. Every byte is a function of the calls and of `state`.
 *
 * @typeParam Solution a grid, or the options of an exact cover
 */
export interface SolutionWriter<Solution = SolvedRecord> {
  /** File name extension without the dot. */
  readonly extension: string;
  readonly contentType: string;
  /** Writes the text before the first entry. */
  begin(out: ByteBuffer): void;
  /** @param first whether this is the first entry of the file; it gets no separator */
  entry(out: ByteBuffer, solved: Solution, first: boolean): void;
  /**
   * Writes `entry` for `count` records at once, if that is faster: `solved`, and those after it in its block, whose
   * solutions follow it in `cells`.
   *
   * @returns false if the writer cannot do so for this block: it has written nothing
   */
  entries?(out: ByteBuffer, solved: Solution, count: number, first: boolean): boolean;
  /** Writes a record unchanged instead of an entry, if the output has whole records. */
  line?: ((out: ByteBuffer, record: object, first: boolean) => void) | undefined;
  /** Writes an entry for a record without a solution, or a comment on it; `text` is one line without `#`. */
  placeholder(out: ByteBuffer, text: string, first: boolean, unsolved: UnsolvedRecord): void;
  /**
   * Writes a comment that names the next entry, if the output allows comments; `text` is one line without `#`.
   *
   * @returns whether it was written: if so, the next entry needs no separator and is passed as a first one
   */
  heading(out: ByteBuffer, text: string, first: boolean): boolean;
  /** Writes the text after the last entry. */
  end(out: ByteBuffer): void;
  /** Undefined before the first entry. */
  readonly state: WriterState | undefined;
  /** Continues after the entries of another writer of the same file, given its state. */
  restore(state: WriterState | undefined): void;
  /**
   * Writes the separator between two pieces of one file, each written by its own writer as if it were the whole file.
   *
   * @param before form of the last entry of the piece before: its writer's `state.last`
   * @param after form of the first entry of the piece after: its writer's `state.first`
   */
  writeSeparator(out: ByteBuffer, before: EntryForm, after: EntryForm): void;
}
