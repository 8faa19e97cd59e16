/** Detects exact-cover files and opens their readers. */
import { HASH, SEMICOLON, SLASH } from '../bytes/ascii.ts';
import type { Detection, FormatHints } from '../reader.ts';
import { errorAt, makeFault } from '../records/fault.ts';
import { CoverRecords, DraftReader, type FinishedDraft } from './cover-reader.ts';
import {
  COVER_FORMAT_NAMES,
  type CoverError,
  type CoverFormatName,
  type CoverReader,
} from './cover-record.ts';
import { puzzleReading } from './puzzle-shapes.ts';

/** File names of Knuth's format. */
const KNUTH_FILE = /\.(dlx|xcc)(\.gz)?$/i;

export type CoverDetection = Detection & { readonly kind: 'exact-cover' };

/**
 * Detects an exact-cover file; called before and after the search for sudoku puzzles.
 *
 * A format that the user named decides. Otherwise, strong signs of Knuth's format are enough. Weak signs are enough if the
 * file name is one of that format or no sudoku puzzles were found; the file name alone is enough if none were found.
 * Lines of 0s and 1s alone are a matrix, unless they may be puzzles; a variant, a box or an alphabet means puzzles.
 *
 * @param head the first bytes of the file
 * @param puzzles false if no sudoku puzzles were found; undefined before the search
 */
export function detectCover(
  head: Uint8Array,
  complete: boolean,
  hints: FormatHints,
  puzzles: false | undefined,
): Detection | undefined {
  const { format: asked, fileName = '' } = hints;
  const named = COVER_FORMAT_NAMES.find((format) => format === asked);
  if (named !== undefined) return { kind: 'exact-cover', format: named };
  if (asked !== undefined) return undefined;
  const name = KNUTH_FILE.exec(fileName)?.[1]?.toLowerCase();
  const format = name === 'xcc' ? 'xcc' : 'dlx';
  const isFirst = name === undefined && puzzles === undefined;
  const matrix = isFirst && mayBeMatrix(hints) ? matrixIn(head, complete) : undefined;
  if (matrix !== undefined) return matrix;
  const sets = name === undefined && puzzles === false ? setsIn(head, complete) : undefined;
  if (sets !== undefined) return sets;
  const sure = hasKnuthSigns(head, complete, isFirst) || (name !== undefined && puzzles === false);
  return sure ? { kind: 'exact-cover', format } : undefined;
}

/** Whether the user's settings allow a matrix: these are settings of puzzles. */
function mayBeMatrix({ variant, box, alphabet }: FormatHints): boolean {
  return variant === undefined && box === undefined && alphabet === undefined;
}

export function openCoverReader(format: CoverFormatName): CoverReader {
  return new CoverRecords(format);
}

/** Bytes that are read at once: the first lines exclude most files. */
const PIECE_BYTES = 4096;

/**
 * Reads the head of a file in a format.
 *
 * @param goesOn asked before each piece
 * @returns the problems; the last one may be cut
 */
function problemsIn(
  head: Uint8Array,
  complete: boolean,
  format: CoverFormatName,
  goesOn: (reader: DraftReader) => boolean,
): { problems: FinishedDraft[]; reader: DraftReader } {
  const reader = new DraftReader(format);
  const problems: FinishedDraft[] = [];
  let at = 0;
  for (
    ;
    at < head.length && goesOn(reader) && !problems.some(({ cover }) => cover === undefined);
    at += PIECE_BYTES
  ) {
    problems.push(...reader.push(head.subarray(at, at + PIECE_BYTES)));
  }
  problems.push(...reader.end(!complete || at < head.length));
  return { problems, reader };
}

const untilError = ({ open }: DraftReader) => open?.error === undefined;

/**
 * Detects matrices of 0s and 1s, which may also be puzzles: 0 is a blank there, and 1 a given. They are puzzles if some column
 * has no 1, so that the matrix has no solution, and matrices if two 1s of a puzzle are in one row or column.
 *
 * @returns a refusal if both are possible
 */
function matrixIn(head: Uint8Array, complete: boolean): Detection | undefined {
  const { problems } = problemsIn(head, complete, 'matrix', untilError);
  const ambiguous = problems.find(({ draft }) => draft.signs.isAmbiguous)?.draft.error;
  if (ambiguous !== undefined) return refusal(ambiguous);
  if (!problems.some(({ draft }) => draft.good > 1)) return undefined;
  let both: FinishedDraft | undefined;
  for (const problem of problems) {
    if (problem.cover === undefined || problem.draft.itemCount < 2 || problem.draft.signs.isMixed)
      return undefined;
    const reading = puzzleReading(problem.draft, problem.cover);
    if (reading === 'alone') return undefined;
    if (reading === 'too') both ??= problem;
  }
  if (both === undefined) return { kind: 'exact-cover', format: 'matrix' };
  const { line, good, itemCount } = both.draft;
  const found = `${good} rows of ${itemCount} 0s and 1s, which are an exact cover and also puzzles with 1s alone`;
  const advice = 'use --format matrix for the exact cover, or --format rows for the puzzles';
  return refusal(
    errorAt({ line, column: 1 }, makeFault('bad_character', 0, found, 'one meaning', { advice })),
  );
}

function refusal({ message, line, column }: CoverError): Detection {
  return {
    kind: 'unreadable',
    error: { code: 'no_puzzles', message: `no puzzles found; ${message}`, line, column },
  };
}

/** Lists that are checked: more would take longer than reading the file. */
const MAX_SAMPLE_SETS = 1000;

/** Detects lists of items, by their names, their brackets or their head; refuses numbers that may be something else. */
function setsIn(head: Uint8Array, complete: boolean): Detection | undefined {
  const { problems } = problemsIn(
    head,
    complete,
    'sets',
    ({ open }) => open?.error === undefined && (open?.good ?? 0) < MAX_SAMPLE_SETS,
  );
  const [{ cover, draft } = { cover: undefined, draft: undefined }] = problems;
  if (cover === undefined || draft === undefined || cover.problem.optionCount < 2) return undefined;
  if (draft.signs.strong) return { kind: 'exact-cover', format: 'sets' };
  if (!draft.signs.hasCounts) return undefined;
  const found = 'lists of numbers below counts, which may be the items of an exact cover';
  const advice = 'use --format sets for items by their names, or --format sparse for items from 0';
  return refusal(
    errorAt(
      { line: draft.line, column: 1 },
      makeFault('bad_character', 0, found, 'names of the items above the lists', { advice }),
    ),
  );
}

/** Option lines that are checked for Knuth's format. */
const MAX_SAMPLE_OPTIONS = 100;

/**
 * Detects Knuth's format. Any line of words could be an item line; the lines after it must consist of the same items.
 *
 *     A B C | X Y        strong: a bar among the items or a multiplicity (2:3|A), and more valid options than invalid ones
 *     A B X:0 Y:0
 *
 *     1 2 3 4            weak: no bar; a solved grid also consists of the items of its first line, so the sudoku formats
 *     3 4 1 2            take precedence
 */
function hasKnuthSigns(head: Uint8Array, complete: boolean, strongOnly: boolean): boolean {
  const first = head.findIndex((byte) => byte > 32);
  // Comments of other formats, which would be items in this one.
  if (first < 0 || [HASH, SEMICOLON, SLASH].includes(head[first])) return false;
  const goesOn = ({ open }: DraftReader) =>
    open === undefined ||
    ((open.itemCount === 0 ? open.error === undefined : open.signs.strong || !strongOnly) &&
      open.good + open.bad < MAX_SAMPLE_OPTIONS);
  const { problems, reader } = problemsIn(head.subarray(first), complete, 'dlx', goesOn);
  const [{ draft } = { draft: undefined }] = problems;
  if (draft === undefined || draft.itemCount === 0 || draft.good <= draft.bad) return false;
  if (draft.signs.strong || strongOnly) return draft.signs.strong;
  // Repetitions of one line are not a set of options.
  return draft.signs.hasPart && (reader.comments.count > 0 || (draft.good > 1 && draft.bad === 0));
}
