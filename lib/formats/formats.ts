/**
 * The door of this folder: what a file is, how its puzzles are read, how their solutions are written.
 *
 *     const detection = detectFormat(head, complete, hints);          the first MiB decides
 *     const reader = openReader(detection, hints, blocks);            bytes in, blocks of records out
 *     const writer = openWriter('same', detection);                   solutions in, bytes out
 */
import { detect, openFormatReader } from './detect.ts';
import { COVER_FORMAT_NAMES } from './exact-cover/cover-record.ts';
import type {
  BlockSource,
  Detection,
  FormatHints,
  ReaderState,
  RecordReader,
  SolutionWriter,
} from './reader.ts';
import { TEXT_FORMAT_NAMES } from './text/registry.ts';
import { WHOLE_FORMAT_NAMES, WHOLE_FORMATS } from './whole-registry.ts';
import { TEXT_PROFILES } from './writing/profiles.ts';

export { alphabetProblem } from './cells/alphabets.ts';
export { regionMap } from './cells/regions.ts';
export { type CoverDetection, openCoverReader } from './exact-cover/covers.ts';
export { gridText, puzzleText } from './writing/grid-text.ts';

/** Names that `--format` takes. */
export const FORMAT_NAMES = [...TEXT_FORMAT_NAMES, ...WHOLE_FORMAT_NAMES, ...COVER_FORMAT_NAMES] as const;

/** Names that `--output` takes. */
export const OUTPUT_PROFILES = [
  'same',
  'line',
  'sdm',
  'csv',
  'jsonl',
  'grid',
  'tokens',
  'hdu',
  'poj3076',
  'acwing',
  'luogu',
] as const;
export type OutputProfile = (typeof OUTPUT_PROFILES)[number];

export type PuzzleDetection = Detection & { readonly kind: 'puzzles' };

/**
 * Decides what a file is.
 *
 * @param head the first `HEAD_BYTES` bytes, or all of a smaller file
 * @param complete whether `head` is the whole file
 */
export function detectFormat(head: Uint8Array, complete: boolean, hints: FormatHints): Detection {
  return detect(head, complete, hints);
}

/**
 * A reader for a file of that detection; the bytes are pushed from the file's first byte on, or from where another
 * reader of the same file stood.
 *
 * @param from what the other reader remembered; left out at the file's front
 */
export function openReader(
  detection: PuzzleDetection,
  hints: FormatHints,
  blocks: BlockSource,
  from?: ReaderState,
): RecordReader {
  return openFormatReader(detection.format, detection.settings, hints, blocks, undefined, from);
}

/**
 * A writer of solutions; one a file.
 *
 * @param detection the input's; `same` writes in its format
 */
export function openWriter(
  profile: OutputProfile,
  detection: Exclude<Detection, { readonly kind: 'unreadable' }>,
): SolutionWriter {
  if (profile === 'same' && detection.kind === 'puzzles') {
    const whole = WHOLE_FORMATS.find(({ name }) => name === detection.format);
    if (whole !== undefined) return whole.writer(detection.settings);
  }
  return TEXT_PROFILES[profile]();
}
