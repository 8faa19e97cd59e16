/**
 * The door of this folder: what a file is, how its puzzles are read, how their solutions are written.
 */
import type { Layout } from './layout.ts';
import type { BlockSource, Detection, FormatHints, RecordReader, SolutionWriter } from './reader.ts';

/** Names that `--format` takes. */
export const FORMAT_NAMES = ['line', 'rows', 'tokens', 'json'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

/** Names that `--output` takes. */
export const OUTPUT_PROFILES = ['same', 'line', 'hdu', 'poj3076', 'acwing', 'luogu'] as const;
export type OutputProfile = (typeof OUTPUT_PROFILES)[number];

export type PuzzleDetection = Detection & { readonly kind: 'puzzles' };

/**
 * Decides what a file is.
 *
 * @param head the first `HEAD_BYTES` bytes, or all of a smaller file
 * @param complete whether `head` is the whole file
 */
export function detectFormat(head: Uint8Array, complete: boolean, hints: FormatHints): Detection {
  throw new Error(`not built yet: ${head.length} ${complete} ${hints.format}`);
}

/** A reader for a file of that detection; the bytes are pushed from the file's first byte on. */
export function openReader(
  detection: PuzzleDetection,
  hints: FormatHints,
  blocks: BlockSource,
): RecordReader {
  throw new Error(`not built yet: ${detection.format} ${hints.format} ${typeof blocks}`);
}

/** A writer of solutions; one a file. */
export function openWriter(
  profile: OutputProfile,
  detection: PuzzleDetection | { readonly kind: 'empty' },
  hints: FormatHints,
): SolutionWriter {
  throw new Error(`not built yet: ${profile} ${detection.kind} ${hints.format}`);
}

/**
 * A grid as one string in the puzzle's own symbols, blanks as the layout's blank, parted by spaces where a
 * symbol has several digits.
 *
 * @param cells values 0 (blank) to size, `cellCount` of them from `offset`
 */
export function gridText(layout: Layout, cells: Uint8Array, offset: number): string {
  const { symbols, singleCharacter } = layout.alphabet;
  const texts = Array.from({ length: layout.geometry.cellCount }, (_, cell) => {
    const value = cells[offset + cell]!;
    return value === 0 ? layout.blank : symbols[value]!;
  });
  return texts.join(singleCharacter ? '' : ' ');
}

/** What is wrong with an alphabet, as a sentence; undefined where it can be used. */
export function alphabetProblem(alphabet: string, size?: number): string | undefined {
  throw new Error(`not built yet: ${alphabet} ${size}`);
}
