/**
 * Entry point of the formats module: detects a file's format, reads its puzzles, writes their solutions.
 *
 *     const detection = detectFormat(head, complete, hints);          from the first MiB
 *     const reader = openReader(detection, hints, blocks);            bytes in, blocks of records out
 *     const writer = openWriter('same', detection);                   solutions in, bytes out
 */
import { detect } from './detect.ts';
import { FILE_FORMATS } from './file-format-registry.ts';
import { foldingReader } from './folding-reader.ts';
import type { OutputProfile } from './names.ts';
import type {
  BlockSource,
  Detection,
  FormatHints,
  ReaderState,
  RecordReader,
  SolutionWriter,
  WriterOptions,
} from './reader.ts';
import type { ParseError } from './records/record-block.ts';
import { nearestLayouts } from './refusals.ts';
import { suggestionText, suggestOptions } from './suggest.ts';
import { openFormatReader } from './survey.ts';
import type { WorkMeter } from './work-meter.ts';
import { OUTPUT_WRITERS } from './writing/profiles.ts';

export { alphabetProblem } from './cells/alphabets.ts';
export { regionMap } from './cells/regions.ts';
export { openCoverReader } from './exact-cover/cover-reader.ts';
export type { CoverDetection } from './exact-cover/covers.ts';
export { FORMAT_NAMES, OUTPUT_PROFILES, type OutputProfile } from './names.ts';
export { boxesOf, formatsThatRead } from './suggest.ts';

export { columnsText, type TableColumns, tableColumns } from './table/table-columns.ts';
export { gridText, puzzleText } from './writing/grid-text.ts';

export type PuzzleDetection = Detection & { readonly kind: 'puzzles' };

/**
 * Detects a file's format.
 *
 * @param head the first `HEAD_BYTES` bytes, or all of a smaller file
 * @param complete whether `head` is the whole file
 */
export function detectFormat(head: Uint8Array, complete: boolean, hints: FormatHints): Detection {
  const detection = detect(head, complete, hints);
  return detection.kind === 'unreadable'
    ? { ...detection, error: withSuggestion(detection.error) }
    : detection;

  function withSuggestion(error: ParseError): ParseError {
    if (error.code !== 'no_puzzles') return error;
    const suggestion = suggestOptions(head, complete, hints);
    if (suggestion.length === 0) {
      const isDecided = error.message.includes('--format');
      return isDecided ? error : { ...error, message: `${error.message}${nearestLayouts(head)}` };
    }
    return { ...error, message: `${error.message}; ${suggestionText(suggestion)}`, suggestion };
  }
}

/**
 * Opens a reader for a file with that detection.
 *
 * @param from state of another reader of the same file, after which the pushed bytes begin; omitted at the file's start
 * @param work limits its work, by default that of a whole file
 */
export function openReader(
  detection: PuzzleDetection,
  hints: FormatHints,
  blocks: BlockSource,
  from?: ReaderState,
  work?: WorkMeter,
): RecordReader {
  const { format, settings } = detection;
  const reader = openFormatReader(format, settings, hints, blocks, undefined, from, work);
  return settings.folded === true ? foldingReader(reader) : reader;
}

/**
 * Opens a writer of solutions for one output file.
 *
 * @param detection the input's; the profile `same` writes in its format, and `csv` keeps the columns of a table
 */
export function openWriter(
  profile: OutputProfile,
  detection: Exclude<Detection, { readonly kind: 'unreadable' }>,
  options: WriterOptions = { csvSafe: false },
): SolutionWriter {
  if (detection.kind === 'puzzles') {
    const { format, settings } = detection;
    const fileFormat = FILE_FORMATS.find(({ name }) => name === format);
    if (fileFormat !== undefined && (profile === 'same' || profile === format))
      return fileFormat.writer(settings, options, profile);
  }
  return OUTPUT_WRITERS[profile](options);
}
