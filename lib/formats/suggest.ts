/**
 * Finds the options that make an unreadable file readable, by reading a sample of it with each of them in turn.
 *
 * The sample has a fixed maximum size and the number of options is bounded, so the time is too. An option is suggested
 * only if nearly all puzzles of the sample are read with it and the givens of most do not clash: almost any text can be
 * read as some puzzle. Options that the user has passed are tried first without each of them.
 */
import { givensClash } from '../sudoku/checks/givens.ts';
import { VARIANT_NAMES, type VariantName } from '../sudoku/geometry/variants.ts';
import { usualAlphabets } from './cells/alphabets.ts';
import { detect, openFormatReader } from './detect.ts';
import type { CoverFormatName } from './exact-cover/cover-record.ts';
import { openCoverReader } from './exact-cover/covers.ts';
import { FILE_FORMAT_NAMES } from './file-format-registry.ts';
import type { Detection, FormatHints } from './reader.ts';
import type { Layout } from './records/layout.ts';
import type { OptionSuggestion } from './records/record-block.ts';
import { RecordBlock } from './records/record-block.ts';
import { TEXT_FORMAT_NAMES } from './text/registry.ts';
import { WorkBudget, WorkLimitError, type WorkMeter } from './work-meter.ts';

/** Bytes of the sample. */
const SAMPLE_BYTES = 16 * 1024;
/** Bytes that all tries may examine: twice those of any known file that an option makes readable. */
const MAX_EXAMINED = 4 * 1024 * 1024;
/** Records of a block of the sample. */
const BLOCK_RECORDS = 64;
/** Lines whose lengths give the sizes to try. */
const SIZED_LINES = 64;
const MIN_SIZE = 4;
const MAX_SIZE = 36;
/** Sizes for which boxes and alphabets are tried. */
const MAX_SIZES = 4;
/** Suggestions of one file; more would not help. */
const MAX_SUGGESTIONS = 3;

const LF = 10;
const CR = 13;

/** Formats to try: of exact cover only those that detection does not look for, because they also take other text. */
const FORMATS = [...FILE_FORMAT_NAMES, ...TEXT_FORMAT_NAMES, 'sparse', 'dense'];

/** The kinds of options, in the order in which they are tried. */
type OptionName = OptionSuggestion['option'];
const OPTIONS: readonly OptionName[] = ['format', 'box', 'variant', 'alphabet'];

/**
 * The options with which an unreadable file is readable, at most three of one kind; empty if none is found.
 *
 * @param head the first bytes of a file that cannot be read with `hints`
 * @param complete whether they are the whole file
 */
export function suggestOptions(
  head: Uint8Array,
  complete: boolean,
  hints: FormatHints,
  work: WorkMeter = new WorkBudget(MAX_EXAMINED),
): readonly OptionSuggestion[] {
  const sample = sampleOf(head);
  const isWhole = complete && sample.length === head.length;
  const works = ({ option, value }: OptionSuggestion) =>
    isReadable(sample, isWhole, { ...hints, [option]: hintOf(option, value) }, work);
  const left = OPTIONS.filter((option) => hints[option] !== undefined).map((option) => ({ option }));
  for (const candidates of [left, ...OPTIONS.map((option) => valuesToTry(option, sample, hints))]) {
    const found: OptionSuggestion[] = [];
    for (const candidate of candidates) {
      if (found.length < MAX_SUGGESTIONS && works(candidate)) found.push(candidate);
    }
    if (found.length > 0) return found;
  }
  return [];
}

/** The formats that read the head of a file, whatever is detected. */
export function formatsThatRead(head: Uint8Array, complete: boolean, hints: FormatHints): readonly string[] {
  const sample = sampleOf(head);
  const isWhole = complete && sample.length === head.length;
  const work = new WorkBudget(MAX_EXAMINED);
  return FORMATS.filter((format) => isReadable(sample, isWhole, { ...hints, format }, work));
}

/** Returns `--box 2x7 or --box 7x2 reads it`. */
export function suggestionText(suggestions: readonly OptionSuggestion[]): string {
  const [first] = suggestions;
  if (first === undefined) return '';
  const names = suggestions.map(({ option, value }) =>
    value === undefined ? `--${option}` : `--${option} ${value}`,
  );
  const verb = names.length === 1 ? 'reads' : 'read';
  return first.value === undefined
    ? `it can be read without ${names.join(', or without ')}`
    : `${names.join(' or ')} ${verb} it`;
}

function valuesToTry(option: OptionName, sample: Uint8Array, hints: FormatHints): OptionSuggestion[] {
  // Values of an option that was passed are not replaced, except by its absence.
  if (hints[option] !== undefined) return [];
  const values = {
    format: () => FORMATS,
    variant: () => VARIANT_NAMES,
    box: () => sizesOf(sample).flatMap(boxesOf),
    alphabet: () => [
      ...new Set(sizesOf(sample).flatMap((size) => usualAlphabets(size).map(({ name }) => name))),
    ],
  }[option]();
  return values.map((value) => ({ option, value }));
}

function hintOf(option: OptionName, value: string | undefined): FormatHints[OptionName] {
  if (value === undefined || option !== 'box') return value as VariantName | undefined;
  const [rows, columns] = value.split('x').map(Number);
  return [rows, columns];
}

/** Bytes of whole lines at the front; all bytes if the first line is longer. */
function sampleOf(head: Uint8Array): Uint8Array {
  if (head.length <= SAMPLE_BYTES) return head;
  let end = SAMPLE_BYTES;
  while (end > 0 && head[end - 1] !== LF && head[end - 1] !== CR) end--;
  return head.subarray(0, end === 0 ? SAMPLE_BYTES : end);
}

/** @param work limits the work of all tries; nothing is readable above its limit */
function isReadable(sample: Uint8Array, complete: boolean, hints: FormatHints, work: WorkMeter): boolean {
  const detection = detect(sample, complete, hints, work);
  if (detection.kind === 'exact-cover') return hasProblems(sample, detection.format);
  if (detection.kind !== 'puzzles') return false;
  try {
    return hasPuzzles(sample, complete, detection, hints, work);
  } catch (error) {
    if (error instanceof WorkLimitError) return false;
    throw error;
  }
}

function hasPuzzles(
  sample: Uint8Array,
  complete: boolean,
  { format, settings }: Detection & { kind: 'puzzles' },
  hints: FormatHints,
  work: WorkMeter,
): boolean {
  let readable = 0;
  let unreadable = 0;
  let plausible = 0;
  const take = (block: RecordBlock) => {
    const { geometry, cells } = block;
    for (let i = 0; i < block.count; i++) {
      if (!block.isReadable(i)) unreadable++;
      else {
        readable++;
        if (!givensClash(geometry, cells, i * geometry.cellCount)) plausible++;
      }
    }
  };
  const blocks = { acquire: (layout: Layout) => new RecordBlock(layout, BLOCK_RECORDS) };
  const reader = openFormatReader(format, settings, hints, blocks, undefined, undefined, work);
  for (const block of reader.push(sample)) take(block);
  // The end of a cut sample may be inside a puzzle.
  for (const block of complete ? reader.end() : reader.flush()) take(block);
  return unreadable * 10 <= readable && plausible * 2 > readable;
}

function hasProblems(sample: Uint8Array, format: CoverFormatName): boolean {
  const reader = openCoverReader(format);
  const records = [...reader.push(sample), ...reader.end()];
  return (
    records.length > 0 && records.every(({ cover }) => cover !== undefined && cover.problem.optionCount > 1)
  );
}

/** Sizes of puzzles whose rows or lines are as long as the most frequent lines of the sample. */
function sizesOf(sample: Uint8Array): number[] {
  const lines = new TextDecoder()
    .decode(sample)
    .split(/\r\n|[\r\n]/)
    .slice(0, SIZED_LINES);
  const counts = new Map<number, number>();
  for (const line of lines) {
    for (const length of [line.trim().length, line.split(/[\s,;|]+/).filter(Boolean).length]) {
      const size = Number.isInteger(Math.sqrt(length)) && length > MAX_SIZE ? Math.sqrt(length) : length;
      if (size >= MIN_SIZE && size <= MAX_SIZE) counts.set(size, (counts.get(size) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_SIZES)
    .map(([size]) => size);
}

/** Shapes of boxes of two rows and columns or more, the squarest first. */
export function boxesOf(size: number): string[] {
  const rows = Array.from({ length: size }, (_, k) => k + 1).filter(
    (height) => height > 1 && height < size && size % height === 0,
  );
  return rows
    .sort((a, b) => Math.abs(a - size / a) - Math.abs(b - size / b) || a - b)
    .map((height) => `${height}x${size / height}`);
}
