/** Detects a file's format from its first MiB; see `Detection`. */
import { needsRegions } from '../sudoku/geometry/variants.ts';
import { visibleText } from './bytes/visible-text.ts';
import { alphabetOf } from './cells/alphabets.ts';
import { CellDecoder } from './cells/cell-decoder.ts';
import { detectCover } from './exact-cover/covers.ts';
import type { FormatSettings } from './file-format.ts';
import { FILE_FORMATS } from './file-format-registry.ts';
import { HeadSurvey } from './head-survey.ts';
import type { BlockSource, Detection, FormatHints, ReaderState, RecordReader } from './reader.ts';
import { LayoutBook, RARE_SIZES } from './records/layout-book.ts';
import { type ParseError, RecordBlock } from './records/record-block.ts';
import { RecordSink, type SinkState } from './records/record-sink.ts';
import { createTextLayouts } from './text/registry.ts';
import { TextReader } from './text/text-reader.ts';

/** Settings of every format. */
interface SharedSettings {
  /** Alphabets of large sizes. */
  readonly alphabets: Readonly<Record<string, string>>;
  /** Sizes whose alphabet is a guess. */
  readonly assumed: readonly number[];
  /** Sizes to look for in addition to the common ones; omitted if there are none. */
  readonly sizes?: readonly number[];
}

/** The head of a file and what the user specified about it. */
interface FileHead {
  readonly head: Uint8Array;
  readonly complete: boolean;
  readonly hints: FormatHints;
  /** Alphabets that the user gave, by size. */
  readonly given: Readonly<Record<string, string>>;
  /** Sizes to look for in addition to the common ones. */
  readonly sizes: readonly number[];
}

/** A detection, and whether a puzzle was read: a header alone also announces puzzles. */
interface HeadResult {
  readonly detection: Detection;
  readonly hasRead: boolean;
}

/** Detects a file's format; if it has no puzzle of a common size, tries the rare sizes. */
export function detect(head: Uint8Array, complete: boolean, hints: FormatHints): Detection {
  const encoding = encodingError(head);
  if (encoding !== undefined) return { kind: 'unreadable', error: encoding };
  const cover = detectCover(head, complete, hints, undefined);
  if (cover !== undefined) return cover;
  const given = hintedAlphabets(hints);
  const { detection, hasRead } = detectPuzzles({ head, complete, hints, given, sizes: [] });
  if (hasRead || detection.kind === 'empty') return detection;
  if (detection.kind === 'unreadable') {
    const laterCover =
      detection.error.code === 'no_puzzles' ? detectCover(head, complete, hints, false) : undefined;
    if (laterCover !== undefined) return laterCover;
  }
  const rare = detectPuzzles({ head, complete, hints, given, sizes: RARE_SIZES });
  return rare.hasRead ? rare.detection : detection;
}

/** Looks for puzzles in every possible format. */
function detectPuzzles(file: FileHead): HeadResult {
  const { head, hints } = file;
  const body = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;
  for (const format of FILE_FORMATS) {
    if (hints.format !== undefined && hints.format !== format.name) continue;
    const settings = format.recognise(body, hints);
    if (settings === undefined) continue;
    const found = survey(file, format.name, settings);
    // A damaged first byte may look like the start of another format; the text after it decides.
    if (found.detection.kind !== 'unreadable' || hints.format !== undefined) return found;
    const text = surveyText(file);
    return text.detection.kind === 'puzzles' ? text : (surveyAfterDamage(file, body) ?? found);
  }
  const text = surveyText(file);
  return text.detection.kind === 'unreadable' ? (surveyAfterDamage(file, body) ?? text) : text;
}

/** Looks for a file format that begins after a damaged start. */
function surveyAfterDamage(file: FileHead, body: Uint8Array): HeadResult | undefined {
  const { hints } = file;
  let surveys = 0;
  for (const format of FILE_FORMATS) {
    if (hints.format !== undefined && hints.format !== format.name) continue;
    for (let from = 1; from < Math.min(body.length, MAX_DAMAGED_BYTES); from++) {
      const settings = OPENING_BYTES.includes(body[from])
        ? format.recognise(body.subarray(from), hints)
        : undefined;
      if (settings === undefined) continue;
      // The reader starts at the same place each time: more surveys differ in nothing but their settings.
      if (++surveys > MAX_SURVEYS) return undefined;
      const found = survey(file, format.name, settings);
      if (found.detection.kind === 'puzzles') return found;
    }
  }
  return undefined;
}

/** First bytes of JSON and XML: `[` `{` `<`. */
const OPENING_BYTES = [91, 123, 60];
const MAX_DAMAGED_BYTES = 1024;
const MAX_SURVEYS = 4;

/** Reads the head as text; if some grids are region maps, reads it again without taking their symbols for an alphabet. */
function surveyText(file: FileHead): HeadResult {
  const { variant } = file.hints;
  const mapped = { regionMaps: true };
  if (variant !== undefined && needsRegions(variant)) return survey(file, undefined, mapped);
  const first = survey(file, undefined, {});
  const { detection } = first;
  if (detection.kind !== 'puzzles' || detection.settings.regionMaps !== true) return first;
  return survey(file, undefined, mapped);
}

/** Opens the reader of a file format, or of text. */
export function openFormatReader(
  format: string,
  settings: FormatSettings,
  hints: FormatHints,
  blocks: BlockSource,
  headSurvey?: HeadSurvey,
  from?: ReaderState,
): RecordReader {
  const { alphabets = {}, assumed = [], sizes = [] } = settings as Partial<SharedSettings>;
  const book = new LayoutBook(hints);
  for (const size of sizes) book.allowSize(size);
  const sink = new RecordSink(book, new CellDecoder(alphabets, assumed), blocks, headSurvey);
  if (from !== undefined) sink.restore(from.sink as SinkState);
  const fileFormat = FILE_FORMATS.find(({ name }) => name === format);
  return fileFormat === undefined
    ? new TextReader(createTextLayouts(hints.format), sink, hints.format, settings.regionMaps === true, from)
    : fileFormat.open(settings, sink, from);
}

/** Reads the head once without keeping its records. */
function survey(file: FileHead, fileFormat: string | undefined, settings: FormatSettings): HeadResult {
  const { head, complete, hints, given, sizes } = file;
  const seen = new HeadSurvey(Object.keys(given).map(Number));
  const wider = sizes.length === 0 ? settings : { ...settings, sizes };
  const first = { ...wider, alphabets: given, assumed: [] };
  const reader = openFormatReader(fileFormat ?? 'text', first, hints, scratchBlocks(), seen);
  for (const _ of reader.push(head));
  if (complete) for (const _ of reader.end());
  const { choices, hasPuzzles, hasRead } = seen.decide();
  const alphabets: Record<string, string> = { ...given };
  const assumed: number[] = [];
  for (const [size, { alphabet, assumed: isGuess }] of choices) {
    alphabets[size] = alphabet.singleCharacter ? alphabet.symbols.join('') : alphabet.name;
    if (isGuess) assumed.push(size);
  }
  if (!hasPuzzles) {
    // Symbols outside every alphabet are errors only after an alphabet is decided.
    if (choices.size > 0) return survey({ ...file, given: alphabets }, fileFormat, settings);
    return { detection: withoutPuzzles(head, complete, seen.firstError), hasRead };
  }
  const format = fileFormat ?? seen.format ?? hints.format ?? 'line';
  const maps = seen.regionMaps ? { regionMaps: true } : {};
  return {
    detection: { kind: 'puzzles', format, settings: { ...wider, ...maps, alphabets, assumed } },
    hasRead,
  };
}

/** The user's alphabet, by size. */
function hintedAlphabets({ alphabet, box, variant }: FormatHints): Record<string, string> {
  if (alphabet === undefined) return {};
  const sizes =
    box === undefined
      ? new Set([...new LayoutBook({ variant }).sizes, ...RARE_SIZES, alphabet.length])
      : [box[0] * box[1]];
  return Object.fromEntries(
    [...sizes].filter((size) => alphabetOf(size, alphabet) !== undefined).map((size) => [size, alphabet]),
  );
}

function withoutPuzzles(head: Uint8Array, complete: boolean, first: ParseError | undefined): Detection {
  if (first === undefined && complete) return { kind: 'empty' };
  const place = first ?? firstText(head);
  return {
    kind: 'unreadable',
    error: {
      ...place,
      code: place.code === 'unsupported_variant' ? place.code : 'no_puzzles',
      message: `no puzzles found${complete ? '' : ' in the first MiB'}; ${place.message}`,
    },
  };
}

/** Quotes the file's first line if there is no error to show. */
function firstText(head: Uint8Array): ParseError {
  const text = new TextDecoder()
    .decode(head.subarray(0, 200))
    .split(/[\r\n]/, 1)[0]
    .slice(0, 40);
  const message = `line 1: found "${visibleText(text)}"`;
  return { code: 'no_puzzles', message, line: 1, column: 1, found: text };
}

/** Detects UTF-16 and UTF-32 by the byte-order mark, or by the zero bytes of ASCII text. */
function encodingError(head: Uint8Array): ParseError | undefined {
  const [a, b] = head;
  const marked = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  const sample = head.subarray(0, ENCODING_SAMPLE_BYTES);
  let zeros = 0;
  for (const byte of sample) if (byte === 0) zeros++;
  if (!marked && zeros * 3 < sample.length) return undefined;
  if (sample.length === 0) return undefined;
  const found = marked ? 'a byte-order mark of UTF-16' : 'a zero byte in every character, as in UTF-16';
  return {
    code: 'bad_encoding',
    message: `line 1, column 1: found ${found}: expected ASCII or UTF-8; save the file as UTF-8`,
    line: 1,
    column: 1,
    found,
    expected: 'ASCII or UTF-8',
  };
}

const ENCODING_SAMPLE_BYTES = 4096;

/** Supplies blocks whose records are not used: one for each number of cells. */
function scratchBlocks(): BlockSource {
  const blocks = new Map<number, RecordBlock>();
  return {
    acquire(layout) {
      const { cellCount } = layout.geometry;
      const block = blocks.get(cellCount) ?? new RecordBlock(layout, SCRATCH_RECORDS);
      blocks.set(cellCount, block);
      block.reuse(layout);
      return block;
    },
  };
}

const SCRATCH_RECORDS = 64;
