/** Detects exact-cover files and opens their readers. */
import type { Detection, FormatHints } from '../reader.ts';
import { COVER_FORMAT_NAMES, type CoverFormatName, type CoverReader } from './cover-record.ts';
import { KnuthReader } from './knuth.ts';
import { knuthSigns } from './knuth-signs.ts';
import { isMatrixFile } from './matrix-signs.ts';
import { ZeroOneReader } from './zero-one.ts';

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
): CoverDetection | undefined {
  const { format: asked, fileName = '' } = hints;
  const named = COVER_FORMAT_NAMES.find((format) => format === asked);
  if (named !== undefined) return { kind: 'exact-cover', format: named };
  if (asked !== undefined) return undefined;
  const name = KNUTH_FILE.exec(fileName)?.[1]?.toLowerCase();
  const format = name === 'xcc' ? 'xcc' : 'dlx';
  if (name === undefined && puzzles === undefined && mayBeMatrix(hints) && isMatrixFile(head, complete)) {
    return { kind: 'exact-cover', format: 'matrix' };
  }
  const signs = knuthSigns(head, complete, name === undefined && puzzles === undefined);
  const sure = signs !== undefined || (name !== undefined && puzzles === false);
  return sure ? { kind: 'exact-cover', format } : undefined;
}

/** Whether the user's settings allow a matrix: these are settings of puzzles. */
function mayBeMatrix({ variant, box, alphabet }: FormatHints): boolean {
  return variant === undefined && box === undefined && alphabet === undefined;
}

export function openCoverReader(format: CoverFormatName): CoverReader {
  return format === 'dlx' || format === 'xcc' ? new KnuthReader(format) : new ZeroOneReader(format);
}
