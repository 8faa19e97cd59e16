/**
 * Exact-cover problems as files hold them, and what every reader of such a file looks like.
 *
 * Unlike puzzles in cells, problems have no common shape: they are objects, one at a time in memory, each within
 * the limits below.
 *
 *     A B C | X Y          items: three primary ones, two secondary ones
 *     A B X:0 Y:0          option 0, on line 2
 *     X:0 Y:1              no primary item: left out, with a warning
 *     C                    option 1, on line 4
 *
 *     text        A B X:0 Y:0|C          options as they are written out again, white space made one space
 *     textStart   0           11 12
 *     lineOf      2           4
 */
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';

export const COVER_FORMAT_NAMES = ['dlx', 'xcc', 'sparse', 'dense'] as const;
export type CoverFormatName = (typeof COVER_FORMAT_NAMES)[number];

/**
 * Entries of all options together that one problem may have; Knuth's DLX2 stops at as many. The solver needs about
 * 60 bytes for each.
 */
export const MAX_ENTRIES = 10_000_000;
/** Items that one matrix may have, secondary ones too; in Knuth's format, lines of 1 MiB at most are the limit. */
export const MAX_ITEMS = 1_000_000;
/** Bytes of text that the options of one problem may have. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;

export type CoverErrorCode =
  | 'bad_character'
  | 'bad_length'
  | 'bad_colour'
  | 'unknown_item'
  | 'duplicate_item'
  | 'unsupported_variant'
  | 'too_large';

/** Why a problem could not be read; a value, never thrown. */
export interface CoverError {
  readonly code: CoverErrorCode;
  /** One sentence for people: what was found, what was expected, what to do. */
  readonly message: string;
  /** Where, both from 1; the column counts characters. */
  readonly line: number;
  readonly column: number;
  readonly found?: string;
  readonly expected?: string;
}

/** A problem that could be read. */
export interface CoverProblem {
  readonly problem: ExactCoverProblem;
  /** The options as they are written out, in UTF-8, one after the other. */
  readonly text: Uint8Array;
  /** One entry an option, and one more: where its text starts. */
  readonly textStart: Int32Array;
  /** By option: its line in the file, from 1. */
  readonly lineOf: Int32Array;
  /** Options that were left out because they have no primary item. */
  readonly ignoredOptions: number;
}

/** One problem of a file, or what should have been one. */
export interface CoverRecord {
  readonly format: CoverFormatName;
  /** First line, that of the items, and last line, from 1. */
  readonly line: number;
  readonly lineEnd: number;
  readonly warnings: readonly string[];
  /** Undefined where `error` says why. */
  readonly cover: CoverProblem | undefined;
  readonly error: CoverError | undefined;
}

/** Takes a file's bytes in any pieces and gives its problems; how they are cut changes nothing. */
export interface CoverReader {
  /** The next bytes; the array may be reused by the caller after the iteration is over. */
  push(bytes: Uint8Array): Iterable<CoverRecord>;
  /** The end of the file. */
  end(): Iterable<CoverRecord>;
}
