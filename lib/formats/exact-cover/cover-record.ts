/**
 * Exact-cover problems of a file, and the interface of their readers.
 *
 * Unlike sudoku puzzles, problems have no common shape: each is one object within the limits below, and one at a time is
 * in memory.
 *
 *     A B C | X Y          items: three primary ones, two secondary ones
 *     A B X:0 Y:0          option 0, on line 2
 *     X:0 Y:1              no primary item: omitted, with a warning
 *     C                    option 1, on line 4
 *
 *     text        A B X:0 Y:0|C          options for the output
 *     textStart   0           11 12
 *     lineOf      2           4
 */
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';
import type { CommentLog } from '../records/comment-log.ts';
import type { errorAt } from '../records/fault.ts';

export const COVER_FORMAT_NAMES = ['dlx', 'xcc', 'sparse', 'dense', 'matrix', 'sets'] as const;
export type CoverFormatName = (typeof COVER_FORMAT_NAMES)[number];

/**
 * Maximum number of entries in all options of a problem, the same as in Knuth's DLX2. The solver needs about 60 bytes
 * per entry.
 */
export const MAX_ENTRIES = 10_000_000;
/** Maximum number of items of a matrix, with secondary ones; in Knuth's format the line length of 1 MiB limits them. */
export const MAX_ITEMS = 1_000_000;
/** Maximum size of the text of a problem's options. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;

export type CoverErrorCode =
  | 'bad_character'
  | 'bad_length'
  | 'bad_colour'
  | 'bad_multiplicity'
  | 'bad_cost'
  | 'unknown_item'
  | 'duplicate_item'
  | 'too_large';

/** Why a problem is unreadable; a value, never thrown. */
export type CoverError = ReturnType<typeof errorAt<CoverErrorCode>>;

/** A readable problem. */
export interface CoverProblem {
  readonly problem: ExactCoverProblem;
  /** The options for the output, concatenated, in UTF-8. */
  readonly text: Uint8Array;
  /** Start of each option's text, and the end of the last one. */
  readonly textStart: Int32Array;
  /** Line of each option in the file, from 1. */
  readonly lineOf: Int32Array;
  /** Number of omitted options, which have no primary item. */
  readonly ignoredOptions: number;
}

/** One problem of a file, readable or not. */
export interface CoverRecord {
  readonly format: CoverFormatName;
  /** First line (that of the items) and last line, from 1. */
  readonly line: number;
  readonly lineEnd: number;
  readonly warnings: readonly string[];
  /** Undefined if there is an `error`. */
  readonly cover: CoverProblem | undefined;
  readonly error: CoverError | undefined;
}

/** Converts a file's bytes, in chunks of any size, to problems; chunk boundaries do not matter. */
export interface CoverReader {
  /** The comment lines that it has read. */
  readonly comments: CommentLog;
  /** Reads the next bytes; the caller may reuse the array after the iteration. */
  push(bytes: Uint8Array): Iterable<CoverRecord>;
  /** Ends the file and yields the rest. */
  end(): Iterable<CoverRecord>;
}
