/** Detects exact-cover files and opens their readers. */
import { CR, HASH, LF, SEMICOLON, SLASH } from '../bytes/ascii.ts';
import type { Detection, FormatHints } from '../reader.ts';
import { errorAt, makeFault } from '../records/fault.ts';
import type { CoverDraft } from './cover-draft.ts';
import { draftReader } from './cover-reader.ts';
import { COVER_FORMAT_NAMES, type CoverError, type CoverFormatName } from './cover-record.ts';
import { puzzleReading } from './matrix.ts';

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
  const { format: asked, fileName = '', variant, box, alphabet } = hints;
  const named = COVER_FORMAT_NAMES.find((format) => format === asked);
  if (named !== undefined) return { kind: 'exact-cover', format: named };
  if (asked !== undefined) return undefined;
  const name = KNUTH_FILE.exec(fileName)?.[1]?.toLowerCase();
  const isFirst = name === undefined && puzzles === undefined;
  const mayBeMatrix = variant === undefined && box === undefined && alphabet === undefined;
  const matrix = isFirst && mayBeMatrix ? matrixIn(head, complete) : undefined;
  if (matrix !== undefined) return matrix;
  const sets = name === undefined && puzzles === false ? setsIn(head, complete) : undefined;
  if (sets !== undefined) return sets;
  const isKnuth = hasKnuthSigns(head, complete, isFirst) || (name !== undefined && puzzles === false);
  return isKnuth ? { kind: 'exact-cover', format: name === 'xcc' ? 'xcc' : 'dlx' } : undefined;
}

/** Bytes that are read at once: the first lines exclude most files. */
const PIECE_BYTES = 4096;

/**
 * Reads the head of a file in a format.
 *
 * @param goesOn whether to read on, asked before each piece with the problem that is being read
 * @returns the problems; the last one may be cut
 */
function problemsIn(
  head: Uint8Array,
  complete: boolean,
  format: CoverFormatName,
  goesOn: (open: CoverDraft) => boolean,
): { problems: CoverDraft[]; comments: number } {
  const reader = draftReader(format);
  const problems: CoverDraft[] = [];
  let at = 0;
  // Of a line that goes on, as in much JSON, nothing is read.
  const last = complete || head.includes(LF) || head.includes(CR) ? head.length : 0;
  for (; at < last && problems.every(({ cover }) => cover !== undefined); at += PIECE_BYTES) {
    if (reader.open !== undefined && !goesOn(reader.open)) break;
    problems.push(...reader.push(head.subarray(at, at + PIECE_BYTES)));
  }
  problems.push(...reader.end(!complete || at < head.length));
  return { problems, comments: reader.comments.count };
}

/**
 * Detects matrices of 0s and 1s, which may also be puzzles: 0 is a blank there, and 1 a given. They are puzzles if some column
 * has no 1, so that the matrix has no solution, and matrices if two 1s of a puzzle are in one row or column.
 *
 * @returns a refusal if both are possible
 */
function matrixIn(head: Uint8Array, complete: boolean): Detection | undefined {
  const { problems } = problemsIn(head, complete, 'matrix', ({ error }) => error === undefined);
  const ambiguous = problems.find(({ isAmbiguous }) => isAmbiguous)?.error;
  if (ambiguous !== undefined) return refusal(ambiguous);
  if (!problems.some(({ good }) => good > 1)) return undefined;
  const readings = problems.map((problem) =>
    problem.cover === undefined || problem.itemCount < 2 || problem.isMixed
      ? 'alone'
      : puzzleReading(problem, problem.cover),
  );
  if (readings.includes('alone')) return undefined;
  const both = problems[readings.indexOf('too')];
  if (both === undefined) return { kind: 'exact-cover', format: 'matrix' };
  const found = `${both.good} rows of ${both.itemCount} 0s and 1s, which are an exact cover and also puzzles with 1s alone`;
  const advice = 'use --format matrix for the exact cover, or --format rows for the puzzles';
  return undecided(both, found, 'one meaning', advice);
}

/** Refuses a file that has a second reading. */
function undecided({ line }: CoverDraft, found: string, expected: string, advice: string): Detection {
  return refusal(errorAt({ line, column: 1 }, makeFault('bad_character', 0, found, expected, { advice })));
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
  const goesOn = ({ error, good }: CoverDraft) => error === undefined && good < MAX_SAMPLE_SETS;
  const [draft] = problemsIn(head, complete, 'sets', goesOn).problems;
  if ((draft?.cover?.problem.optionCount ?? 0) < 2) return undefined;
  if (draft.isSure) return { kind: 'exact-cover', format: 'sets' };
  // A solved grid has all items in each row.
  const { items, optionCount, primaryCount } = draft.cover!.problem;
  if (!draft.hasCounts || items.length === optionCount * primaryCount) return undefined;
  const found = 'lists of numbers below counts, which may be the items of an exact cover';
  const advice = 'use --format sets for items by their names, or --format sparse for items from 0';
  return undecided(draft, found, 'names of the items above the lists', advice);
}

/** Option lines that are checked for Knuth's format. */
const MAX_SAMPLE_OPTIONS = 100;
/** Cells of the longest row of a puzzle. */
const MAX_ROW_CELLS = 36;

/**
 * Detects Knuth's format. Any line of words could be an item line; the lines after it must consist of the same items.
 *
 *     A B C | X Y        strong: a bar among the items or a multiplicity (2:3|A), and more valid options than invalid ones;
 *     A B X:0 Y:0        or more items than a row of a puzzle has cells, and a hundred options, all of which are valid
 *
 *     1 2 3 4            weak: no bar; a solved grid also consists of the items of its first line, so the sudoku formats
 *     3 4 1 2            take precedence
 */
function hasKnuthSigns(head: Uint8Array, complete: boolean, strongOnly: boolean): boolean {
  const first = head.findIndex((byte) => byte > 32);
  // Comments of other formats, which would be items in this one.
  if (first < 0 || [HASH, SEMICOLON, SLASH].includes(head[first])) return false;
  /** Whether no row of a puzzle is its line of items, and all options so far are valid. */
  const mayBeLong = ({ itemCount, bad }: CoverDraft) => itemCount > MAX_ROW_CELLS && bad === 0;
  const goesOn = (open: CoverDraft) => {
    if (open.good + open.bad >= MAX_SAMPLE_OPTIONS) return false;
    return open.itemCount === 0 ? open.error === undefined : open.isSure || mayBeLong(open) || !strongOnly;
  };
  const { problems, comments } = problemsIn(head.subarray(first), complete, 'dlx', goesOn);
  const [draft] = problems;
  if (draft === undefined || draft.itemCount === 0 || draft.good <= draft.bad) return false;
  const isLong = mayBeLong(draft) && draft.good >= MAX_SAMPLE_OPTIONS && draft.hasPart;
  if (draft.isSure || isLong) return true;
  if (strongOnly) return false;
  // Repetitions of one line are not a set of options.
  return draft.hasPart && (comments > 0 || (draft.good > 1 && draft.bad === 0));
}
