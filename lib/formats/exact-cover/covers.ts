/** Exact-cover files: how they are told, and which reader reads them. */
import type { Detection, FormatHints } from '../reader.ts';
import { COVER_FORMAT_NAMES, type CoverFormatName, type CoverReader } from './cover-record.ts';
import { KnuthReader } from './knuth.ts';
import { knuthSigns } from './knuth-signs.ts';
import { ZeroOneReader } from './zero-one.ts';

/** Names of files in Knuth's format. */
const KNUTH_FILE = /\.(dlx|xcc)(\.gz)?$/i;

export type CoverDetection = Detection & { readonly kind: 'exact-cover' };

/**
 * Tells an exact-cover file; asked before it is looked for puzzles in cells, and afterwards.
 *
 * The format that the user named decides. Where none was named:
 *
 * Strong signs of Knuth's format decide at once, weak ones where the file has its name or no puzzles in cells were
 * found; and a file that just has the name is one where no puzzles were found.
 *
 * @param head the first bytes of the file
 * @param puzzles false where no puzzles in cells were found; undefined where nobody has looked yet
 */
export function detectCover(
  head: Uint8Array,
  complete: boolean,
  { format: asked, fileName = '' }: FormatHints,
  puzzles: false | undefined,
): CoverDetection | undefined {
  const named = COVER_FORMAT_NAMES.find((format) => format === asked);
  if (named !== undefined) return { kind: 'exact-cover', format: named };
  if (asked !== undefined) return undefined;
  const name = KNUTH_FILE.exec(fileName)?.[1]?.toLowerCase();
  const format = name === 'xcc' ? 'xcc' : 'dlx';
  const signs = knuthSigns(head, complete, name === undefined && puzzles === undefined);
  const sure = signs !== undefined || (name !== undefined && puzzles === false);
  return sure ? { kind: 'exact-cover', format } : undefined;
}

export function openCoverReader(format: CoverFormatName): CoverReader {
  return format === 'sparse' || format === 'dense' ? new ZeroOneReader(format) : new KnuthReader(format);
}
