/**
 * Finds the boxes or alphabets with which an unreadable file is readable, by reading a sample of it with each in turn.
 *
 * The sample has a fixed maximum size and the number of options is bounded, so the time is too. An option is suggested
 * only if nearly all puzzles of the sample are read with it and the givens of most do not clash: almost any text can be
 * read as some puzzle.
 */

import { givensClash } from '../sudoku/checks/givens.ts';
import { parseBox } from '../sudoku/geometry/geometry.ts';
import { usualAlphabets } from './cells/alphabets.ts';
import { detect } from './detect.ts';
import { openCoverReader } from './exact-cover/cover-reader.ts';
import type { CoverFormatName } from './exact-cover/cover-record.ts';
import { FILE_FORMAT_NAMES, TEXT_FORMAT_NAMES } from './names.ts';
import type { Detection, FormatHints } from './reader.ts';
import type { Layout } from './records/layout.ts';
import type { OptionSuggestion } from './records/record-block.ts';
import { RecordBlock } from './records/record-block.ts';
import { openFormatReader } from './survey.ts';
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

/** Formats to try: of exact cover only those that detection does not look for, because they also take other text. */
const FORMATS = [...FILE_FORMAT_NAMES, ...TEXT_FORMAT_NAMES, 'sparse', 'dense'];

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
  const sample = head.subarray(0, SAMPLE_BYTES);
  const isWhole = complete && sample.length === head.length;
  const sizes = sizesOf(sample);
  const boxes = hints.box === undefined ? sizes.flatMap(boxesOf) : [];
  const alphabets = sizes.flatMap((size) => usualAlphabets(size).map(({ name }) => name));
  const works = (own: FormatHints) => isReadable(sample, isWhole, { ...hints, ...own }, work);
  const found = firstOf(boxes, (value) => works({ box: parseBox(value) }));
  if (found.length > 0) return found.map((value) => ({ option: 'box', value }));
  if (hints.alphabet !== undefined) return [];
  const named = firstOf([...new Set(alphabets)], (alphabet) => works({ alphabet }));
  return named.map((value) => ({ option: 'alphabet', value }));
}

/** The first values that pass a test, at most as many as are suggested. */
function firstOf(values: readonly string[], passes: (value: string) => boolean): string[] {
  const found: string[] = [];
  for (const value of values) if (found.length < MAX_SUGGESTIONS && passes(value)) found.push(value);
  return found;
}

/** The formats that read the head of a file, whatever is detected. */
export function formatsThatRead(head: Uint8Array, complete: boolean, hints: FormatHints): readonly string[] {
  const sample = head.subarray(0, SAMPLE_BYTES);
  const isWhole = complete && sample.length === head.length;
  const work = new WorkBudget(MAX_EXAMINED);
  return FORMATS.filter((format) => isReadable(sample, isWhole, { ...hints, format }, work));
}

/** Returns `--box 2x7 or --box 7x2 read it`. */
export function suggestionText(suggestions: readonly OptionSuggestion[]): string {
  const names = suggestions.map(({ option, value }) => `--${option} ${value}`);
  return `${names.join(' or ')} ${names.length === 1 ? 'reads' : 'read'} it`;
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
