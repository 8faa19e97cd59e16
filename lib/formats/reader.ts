/**
 * What every reader and writer of a puzzle format looks like, and what is decided about a file before it is read.
 */
import type { VariantName } from '../sudoku/geometry/variants.ts';
import type { ByteBuffer } from './bytes/byte-buffer.ts';
import type { CoverFormatName } from './exact-cover/cover-record.ts';
import type { Layout } from './records/layout.ts';
import type { ParseError, RecordBlock } from './records/record-block.ts';

/** What the user said about a file; everything left out is found from its content. */
export interface FormatHints {
  readonly format?: string;
  /** Symbols of the digits in order, such as `ABCDEFGHIJKLMNOP`. */
  readonly alphabet?: string;
  /** Rules of the puzzles whose file names none. */
  readonly variant?: VariantName;
  readonly box?: readonly [rows: number, columns: number];
  /** The file's name; `.dlx` and `.xcc` are taken for Knuth's format where nothing speaks against it. */
  readonly fileName?: string;
}

/** Bytes from which a file's format and alphabets are decided. */
export const HEAD_BYTES = 1024 * 1024;

/**
 * What the first MiB of a file shows. The same head and hints always give the same detection; it is plain data
 * (it survives JSON), so that a shard in the middle of the file can be read with the detection of its head.
 */
export type Detection =
  | {
      readonly kind: 'puzzles';
      readonly format: string;
      /** Decided alphabets by size, `{ "16": "ABCDEFGHIJKLMNOP" }`, and whatever else the reader needs. */
      readonly settings: Readonly<Record<string, unknown>>;
    }
  /** Exact-cover problems: no cells and no blocks, see `exact-cover/`. */
  | { readonly kind: 'exact-cover'; readonly format: CoverFormatName }
  /** Nothing but comments and blank lines. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'unreadable'; readonly error: ParseError };

/** Where blocks come from: a pool reuses them, a worker pool puts them into shared memory. */
export interface BlockSource {
  /** An empty block of that layout; its capacity is the source's choice, at least 1. */
  acquire(layout: Layout): RecordBlock;
}

/**
 * What a reader remembers of all it has read, between two puzzles: plain data (it survives JSON). A reader that is
 * opened with it and shown the bytes from there on gives the same records as one that read the file from its front.
 */
export interface ReaderState {
  /** Number of the line that comes next, from 1. */
  readonly line: number;
  /** What the sink of the records remembers. */
  readonly sink: unknown;
  readonly [name: string]: unknown;
}

/** A place between two puzzles. */
export interface ReaderCheckpoint {
  readonly state: ReaderState;
  /** Bytes that were pushed and lie behind this place: the next reader must see them again. */
  readonly unreadBytes: number;
}

/** Takes a file's bytes in any pieces and gives its records in blocks. */
export interface RecordReader {
  /** The next bytes; the array may be reused by the caller after the iteration is over. */
  push(bytes: Uint8Array): Iterable<RecordBlock>;
  /** Hands on the records so far, so that their number is known; those that follow begin a block. */
  flush(): Iterable<RecordBlock>;
  /** Where reading stands; undefined in the midst of a puzzle, or of something that should have been one. */
  checkpoint(): ReaderCheckpoint | undefined;
  /** The end of the file: what is left, an incomplete grid included (`truncated`). */
  end(): Iterable<RecordBlock>;
}

/** How an entry stands in a file of solutions: on a line, or on several. */
export type EntryForm = 'line' | 'grid';

/** What a writer remembers of its entries: plain data (it survives JSON). */
export interface WriterState {
  readonly first: EntryForm;
  readonly last: EntryForm;
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
}

/** Writes solutions, one entry a record, in input order. Every byte is a function of the calls and of `state`. */
export interface SolutionWriter {
  /** File name extension without the dot. */
  readonly extension: string;
  readonly contentType: string;
  /** Before the first entry. */
  begin(out: ByteBuffer): void;
  /** @param first whether this is the first entry of the file: no separator is written before it */
  entry(out: ByteBuffer, solved: SolvedRecord, first: boolean): void;
  /**
   * Writes `entry` for `count` records at once, if that is faster: `solved`, and those after it in its block, whose
   * solutions follow it in `cells`.
   *
   * @returns false if the writer cannot do so for this block: it has written nothing
   */
  entries?(out: ByteBuffer, solved: SolvedRecord, count: number, first: boolean): boolean;
  /** Keeps the place of a record that has no solution; `text` is one line without `#`. */
  placeholder(out: ByteBuffer, text: string, first: boolean): void;
  /**
   * Names the entry that follows, where the output can carry comments; `text` is one line without `#`.
   *
   * @returns whether it was written: then nothing parts it from its entry, which is passed as a first one
   */
  heading(out: ByteBuffer, text: string, first: boolean): boolean;
  /** After the last entry. */
  end(out: ByteBuffer): void;
  /** What is remembered of the entries so far; undefined before the first one. */
  readonly state: WriterState | undefined;
  /** Goes on behind the entries of another writer for the same file, whose state this is. */
  restore(state: WriterState | undefined): void;
  /**
   * What stands between two pieces of one file, each written by a writer of its own whose first entry was passed as
   * the first one.
   *
   * @param before how the last entry of the piece before stands: its writer's `state.last`
   * @param behind how the first entry of the piece behind stands: its writer's `state.first`
   */
  writeSeparator(out: ByteBuffer, before: EntryForm, behind: EntryForm): void;
}
