/** Detects a file's format from its first MiB; see `Detection`. */
import { CR, HASH, LF, SEMICOLON, SPACE, TAB } from './bytes/ascii.ts';
import { fold, isAscii } from './bytes/character-folding.ts';
import { ENCODING_SAMPLE_BYTES, utf16Of } from './bytes/utf16.ts';
import { visibleText } from './bytes/visible-text.ts';
import { alphabetOf } from './cells/alphabets.ts';
import { CellDecoder, undecidedZero } from './cells/cell-decoder.ts';
import { detectCover } from './exact-cover/covers.ts';
import { type FileFormat, type FormatSettings, isRefusal } from './file-format.ts';
import { FILE_FORMATS } from './file-format-registry.ts';
import { HeadSurvey } from './head-survey.ts';
import { links } from './links/link-layout.ts';
import type { BlockSource, Detection, FormatHints, ReaderState, RecordReader } from './reader.ts';
import { errorAt, makeFault } from './records/fault.ts';
import { LayoutBook, RARE_SIZES } from './records/layout-book.ts';
import { type ParseError, RecordBlock } from './records/record-block.ts';
import { RecordSink, type SinkState } from './records/record-sink.ts';
import { isKnownKind, kindAdvice, ruleIn } from './refusals.ts';
import { isCodeComment } from './text/code-comments.ts';
import { findHashBlanks, type HashBlanks, hashSizes } from './text/hash-blanks.ts';
import type { MapPlace } from './text/maps/map-place.ts';
import { surveyMaps } from './text/maps/map-survey.ts';
import { TextReader } from './text/text-reader.ts';
import { WorkLimitError, WorkMeter } from './work-meter.ts';

/** Settings of every format. */
interface SharedSettings {
  /** Alphabets of large sizes. */
  readonly alphabets: Readonly<Record<string, string>>;
  /** Sizes whose alphabet is a guess. */
  readonly assumed: readonly number[];
  /** Sizes for which 0 may be a digit or a blank. */
  readonly undecided?: readonly number[];
  /** Sizes to look for in addition to the common ones; omitted if there are none. */
  readonly sizes?: readonly number[];
  /** Text with region maps below or above its puzzles. */
  readonly regionMaps?: readonly MapPlace[];
  /** Sizes of puzzles whose blank is `#`. */
  readonly hashBlanks?: HashBlanks;
}

/** The head of a file, and the user's settings for it. */
interface FileHead {
  readonly head: Uint8Array;
  readonly complete: boolean;
  readonly hints: FormatHints;
  readonly work: WorkMeter;
  /** Alphabets that the user gave, by size. */
  readonly given: Readonly<Record<string, string>>;
  /** Sizes to look for in addition to the common ones. */
  readonly sizes: readonly number[];
  /** What `findHashBlanks` finds in the head. */
  readonly hashBlanks: () => HashBlanks | undefined;
}

/** A detection, and whether a puzzle was read: a header alone also announces puzzles. */
interface HeadResult {
  readonly detection: Detection;
  readonly hasRead: boolean;
}

/**
 * Detects a file's format. Characters that stand for ASCII are folded if that gives more puzzles or fewer errors.
 *
 * @param work limits the work of all passes over the head
 */
export function detect(
  head: Uint8Array,
  complete: boolean,
  hints: FormatHints,
  work = new WorkMeter(head.length),
): Detection {
  try {
    return detectWithin(head, complete, hints, work);
  } catch (error) {
    if (!(error instanceof WorkLimitError)) throw error;
    const { message } = error;
    return { kind: 'unreadable', error: { code: 'too_large', message, line: 1, column: 1 } };
  }
}

function detectWithin(head: Uint8Array, complete: boolean, hints: FormatHints, work: WorkMeter): Detection {
  const encoding = encodingError(head);
  if (encoding !== undefined) return { kind: 'unreadable', error: encoding };
  const detection = detectFormat(head, complete, hints, work);
  const text = withoutMark(head);
  if (detection.kind === 'exact-cover' || isAscii(text)) return detection;
  const { folded } = fold(text);
  if (isSame(folded, text)) return detection;
  const other = detectFormat(folded, complete, hints, work);
  if (other.kind !== 'puzzles') {
    return other.kind === 'unreadable' && isCertain(folded, hints) ? other : detection;
  }
  const [readable, errors] = countRecords(detection, head, complete, hints, work);
  const [foldedReadable, foldedErrors] = countRecords(other, folded, complete, hints, work);
  const isBetter = foldedReadable > readable || (foldedReadable === readable && foldedErrors < errors);
  return isBetter ? { ...other, settings: { ...other.settings, folded: true } } : detection;
}

/** Whether a file has a format beyond doubt: if its reader has refused the file, no other reader is asked. */
function isCertain(body: Uint8Array, { format }: FormatHints): boolean {
  return FILE_FORMATS.some(
    (each) => (format === undefined || format === each.name) && each.isCertain?.(body) === true,
  );
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** Records of the head: readable and unreadable ones. */
function countRecords(
  detection: Detection,
  head: Uint8Array,
  complete: boolean,
  hints: FormatHints,
  work: WorkMeter,
): [readable: number, unreadable: number] {
  const counts: [number, number] = [0, 0];
  if (detection.kind !== 'puzzles') return counts;
  const reader = openFormatReader(
    detection.format,
    detection.settings,
    hints,
    scratchBlocks(),
    undefined,
    undefined,
    work,
  );
  work.spend(head.length);
  const count = (blocks: Iterable<RecordBlock>) => {
    for (const block of blocks) {
      for (let record = 0; record < block.count; record++) counts[block.isReadable(record) ? 0 : 1]++;
    }
  };
  count(reader.push(head));
  count(complete ? reader.end() : reader.flush());
  return counts;
}

/** Detects a file's format; if it has no puzzle of a common size, tries the rare sizes. */
function detectFormat(head: Uint8Array, complete: boolean, hints: FormatHints, work: WorkMeter): Detection {
  const cover = detectCover(head, complete, hints, undefined);
  if (cover !== undefined) return cover;
  let blanks: { found: HashBlanks | undefined } | undefined;
  const hashBlanks = () => {
    blanks ??= { found: findHashBlanks(head, complete, [...new LayoutBook(hints).sizes, ...RARE_SIZES]) };
    return blanks.found;
  };
  const file = { head, complete, hints, work, given: hintedAlphabets(hints), hashBlanks };
  const { detection, hasRead } = detectPuzzles({ ...file, sizes: [] });
  if (hasRead || detection.kind === 'empty') return detection;
  // A header alone may be one of an exact cover.
  const isOpen = detection.kind !== 'unreadable' || detection.error.code === 'no_puzzles';
  const laterCover =
    isOpen && !isCertain(withoutMark(head), hints) ? detectCover(head, complete, hints, false) : undefined;
  if (laterCover !== undefined) return laterCover;
  const rare = detectPuzzles({ ...file, sizes: RARE_SIZES });
  return rare.hasRead ? rare.detection : detection;
}

/** Looks for puzzles in every possible format. */
function detectPuzzles(file: FileHead): HeadResult {
  const { head, hints } = file;
  const body = withoutMark(head);
  for (const format of FILE_FORMATS) {
    if (hints.format !== undefined && hints.format !== format.name) continue;
    const settings = format.recognise(body, hints);
    if (settings === undefined) continue;
    if (isRefusal(settings)) {
      return { detection: { kind: 'unreadable', error: settings.refused }, hasRead: true };
    }
    const found = survey(file, format.name, settings);
    // A damaged first byte may look like the start of another format; the text after it decides.
    if (found.hasRead || found.detection.kind !== 'unreadable' || hints.format !== undefined) return found;
    if (isCertain(body, hints)) return found;
    const text = surveyText(file);
    if (text.detection.kind === 'puzzles') return text;
    return surveyAfterDamage(file, body, readingOf(format, settings)) ?? found;
  }
  const text = surveyText(file);
  if (text.hasRead || text.detection.kind !== 'unreadable') return text;
  return surveyAfterDamage(file, body) ?? text;
}

/** The head after its byte-order mark, if it has one. */
function withoutMark(head: Uint8Array): Uint8Array {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;
}

/** What a reading of the head depends on. */
function readingOf({ name }: FileFormat, settings: FormatSettings): string {
  return JSON.stringify([name, settings]);
}

/**
 * Looks for a file format that begins after a damaged start.
 *
 * @param without a reading without puzzles
 */
function surveyAfterDamage(file: FileHead, body: Uint8Array, without = ''): HeadResult | undefined {
  const { hints } = file;
  // Many starts give the same reading, which takes as long as the head has records.
  const readings = new Set([without]);
  for (const format of FILE_FORMATS) {
    if (hints.format !== undefined && hints.format !== format.name) continue;
    let tried = 0;
    for (let from = 1; from < Math.min(body.length, MAX_DAMAGED_BYTES) && tried < MAX_TRIED_STARTS; from++) {
      if (!OPENING_BYTES.includes(body[from])) continue;
      tried++;
      const settings = format.recognise(body.subarray(from), hints);
      if (settings === undefined || isRefusal(settings)) continue;
      const reading = readingOf(format, settings);
      if (readings.has(reading)) continue;
      readings.add(reading);
      const found = survey(file, format.name, settings);
      if (found.detection.kind === 'puzzles') return found;
    }
  }
  return undefined;
}

/** First bytes of JSON and XML: `[` `{` `<`. */
const OPENING_BYTES = [91, 123, 60];
const MAX_DAMAGED_BYTES = 1024;
/** Starts that are tried for each format: each costs a reading of the head, and a head may have only brackets. */
const MAX_TRIED_STARTS = 8;

/** Reads the head as text, with the region maps that it has. */
function surveyText(file: FileHead): HeadResult {
  file.work.spend(file.head.length);
  const maps = surveyMaps(file.head, file.complete);
  if (maps.length === 0) return withRules(survey(file, undefined, {}), file);
  const mapped = maps.map(({ size }) => size);
  const sizes = [...new Set([...file.sizes, ...mapped])];
  return withRules(survey({ ...file, sizes }, undefined, { regionMaps: maps }), file);
}

/** Rejects a text with a rule for its puzzles that no reader sees. */
function withRules(found: HeadResult, { head }: FileHead): HeadResult {
  if (found.detection.kind === 'empty') return found;
  const error = ruleIn(head);
  return error === undefined ? found : { detection: { kind: 'unreadable', error }, hasRead: true };
}

/** Opens the reader of a file format, or of text. */
export function openFormatReader(
  format: string,
  settings: FormatSettings,
  hints: FormatHints,
  blocks: BlockSource,
  headSurvey?: HeadSurvey,
  from?: ReaderState,
  work?: WorkMeter,
): RecordReader {
  const shared = settings as Partial<SharedSettings>;
  const { alphabets = {}, assumed = [], undecided, sizes = [], hashBlanks } = shared;
  const book = new LayoutBook(hints);
  for (const size of sizes) book.addSize(size);
  const decoder = new CellDecoder(alphabets, assumed, undecided, hashSizes(hashBlanks));
  const sink = new RecordSink(book, decoder, blocks, headSurvey, work);
  if (from !== undefined) sink.restore(from.sink as SinkState);
  const fileFormat = FILE_FORMATS.find(({ name }) => name === format);
  return fileFormat === undefined
    ? new TextReader([links], sink, settings, hints.format, from)
    : fileFormat.open(settings, sink, from);
}

/** Reads the head once without keeping its records. */
function survey(file: FileHead, fileFormat: string | undefined, settings: FormatSettings): HeadResult {
  const { head, complete, hints, given, sizes, work } = file;
  const seen = new HeadSurvey(Object.keys(given).map(Number));
  const own = (settings as Partial<SharedSettings>).sizes ?? [];
  const wider = {
    ...settings,
    ...(sizes.length === 0 ? {} : { sizes: [...new Set([...own, ...sizes])] }),
  };
  const first = { ...wider, alphabets: given, assumed: [] };
  work.spend(head.length);
  const reader = openFormatReader(fileFormat ?? 'text', first, hints, scratchBlocks(), seen, undefined, work);
  for (let from = 0; from < head.length; from += PIECE_BYTES) {
    for (const _ of reader.push(head.subarray(from, from + PIECE_BYTES)));
  }
  for (const _ of complete ? reader.end() : reader.flush());
  const hashBlanks = seen.hasHashLines ? file.hashBlanks() : undefined;
  if (hashBlanks !== undefined && settings.hashBlanks === undefined) {
    return survey(file, fileFormat, { ...settings, hashBlanks });
  }
  const { choices, undecided, lineSize, hasPuzzles, hasRead } = seen.decide();
  if (seen.hasHiddenLines && lineSize !== undefined && settings.lineSize === undefined) {
    return survey(file, fileFormat, { ...settings, lineSize });
  }
  const alphabets: Record<string, string> = { ...given };
  const assumed: number[] = [];
  for (const [size, { alphabet, assumed: isGuess }] of choices) {
    alphabets[size] = alphabet.singleCharacter ? alphabet.symbols.join('') : alphabet.name;
    if (isGuess) assumed.push(size);
  }
  if (!hasPuzzles || (!hasRead && isKnownKind(head))) {
    // Symbols outside every alphabet are errors only after an alphabet is decided.
    if (choices.size > 0) return survey({ ...file, given: alphabets }, fileFormat, settings);
    const isText = fileFormat === undefined && !isFileFormat(hints.format);
    if (seen.firstError === undefined && !complete && isText && endsInText(head)) {
      // Comments of any length may precede puzzles. Without a head, the alphabets of large puzzles are assumed.
      return { detection: { kind: 'puzzles', format: hints.format ?? 'line', settings: first }, hasRead };
    }
    return { detection: withoutPuzzles(head, complete, seen.firstError), hasRead };
  }
  // Headers of text formats are no puzzles of the file format that the user named.
  if (fileFormat === undefined && seen.format === undefined && isFileFormat(hints.format)) {
    return { detection: withoutPuzzles(head, complete, seen.firstError), hasRead };
  }
  const [firstUndecided] = undecided;
  if (firstUndecided !== undefined && !seen.hasOthers(undecided)) {
    return { detection: { kind: 'unreadable', error: undecidedError(...firstUndecided) }, hasRead };
  }
  const format = fileFormat ?? seen.format ?? hints.format ?? 'line';
  const open = undecided.size === 0 ? {} : { undecided: [...undecided.keys()] };
  const lines = lineSize === undefined || fileFormat !== undefined ? {} : { lineSize };
  return {
    detection: {
      kind: 'puzzles',
      format,
      settings: { ...wider, ...open, ...lines, alphabets, assumed },
    },
    hasRead,
  };
}

/** The head is read in pieces, so that the reader's buffer stays in the processor's cache. */
const PIECE_BYTES = 32 * 1024;

/**
 * Whether the last line of a head, which may be cut, is a comment or not most of it: then the lines before it are comments if
 * they are no error.
 */
function endsInText(head: Uint8Array): boolean {
  const from = Math.max(head.lastIndexOf(LF), head.lastIndexOf(CR)) + 1;
  if (head.length - from < MAX_TAIL_BYTES) return from > 0;
  let text = from;
  while (head[text] === SPACE || head[text] === TAB) text++;
  return head[text] === HASH || head[text] === SEMICOLON || isCodeComment(head, text, head.length);
}

const MAX_TAIL_BYTES = 64 * 1024;

function isFileFormat(name: string | undefined): boolean {
  return FILE_FORMATS.some((format) => format.name === name);
}

/** With a region map, a puzzle may have any size. */
const MAP_SIZES = Array.from({ length: 35 }, (_, index) => index + 2);

/** The user's alphabet, by size. */
function hintedAlphabets({ alphabet, box, variant }: FormatHints): Record<string, string> {
  if (alphabet === undefined) return {};
  const sizes =
    box === undefined
      ? new Set([...new LayoutBook({ variant }).sizes, ...RARE_SIZES, ...MAP_SIZES, alphabet.length])
      : [box[0] * box[1]];
  return Object.fromEntries(
    [...sizes].filter((size) => alphabetOf(size, alphabet) !== undefined).map((size) => [size, alphabet]),
  );
}

/** Why a file is rejected in which 0 may be a digit or a blank. */
function undecidedError(size: number, line: number): ParseError {
  return errorAt({ line, column: 1 }, undecidedZero(size));
}

function withoutPuzzles(head: Uint8Array, complete: boolean, first: ParseError | undefined): Detection {
  if (first === undefined && complete) return { kind: 'empty' };
  const place = first ?? firstText(head);
  const advice = place.code === 'unsupported_variant' ? '' : kindAdvice(head);
  return {
    kind: 'unreadable',
    error: {
      ...place,
      code: place.code === 'unsupported_variant' ? place.code : 'no_puzzles',
      message: `no puzzles found${complete ? '' : ' in the first MiB'}; ${advice}${place.message}`,
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

/** Rejects UTF-16 and UTF-32, by the byte-order mark, and binary data, by its zero bytes; zeros at the end do not count. */
function encodingError(head: Uint8Array): ParseError | undefined {
  const found = otherEncoding(head);
  if (found === undefined) return undefined;
  const advice = 'save the file as UTF-8';
  return errorAt({ line: 1, column: 1 }, makeFault('bad_encoding', 0, found, 'ASCII or UTF-8', { advice }));
}

function otherEncoding(head: Uint8Array): string | undefined {
  const [a, b, c, d] = head;
  if (a === 0xff && b === 0xfe) return `a byte-order mark of ${c === 0 && d === 0 ? 'UTF-32' : 'UTF-16'}`;
  if (a === 0xfe && b === 0xff) return 'a byte-order mark of UTF-16';
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'a byte-order mark of UTF-32';
  if (utf16Of(head) !== undefined) return 'UTF-16 without a byte-order mark';
  let end = Math.min(head.length, ENCODING_SAMPLE_BYTES);
  if (end === 0) return undefined;
  while (end > 0 && head[end - 1] === 0) end--;
  let zeros = 0;
  for (let at = 0; at < end; at++) if (head[at] === 0) zeros++;
  return zeros * 3 < end ? undefined : 'many zero bytes, as in binary data or UTF-32';
}

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
