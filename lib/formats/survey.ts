/** Reads the head of a file in one format, and decides what the reader of the whole file has to know. */
import { CR, HASH, LF, SEMICOLON, SPACE, TAB } from './bytes/ascii.ts';
import { alphabetText } from './cells/alphabets.ts';
import { CellDecoder } from './cells/cell-decoder.ts';
import { undecidedZero } from './cells/cell-faults.ts';
import { isCodeComment } from './cells/comments.ts';
import type { FormatSettings } from './file-format.ts';
import { FILE_FORMATS } from './file-format-registry.ts';
import { type HeadDecision, type HeadSurvey, headSurvey } from './head-survey.ts';
import { links } from './links/link-layout.ts';
import type { BlockSource, Detection, FormatHints, ReaderState, RecordReader } from './reader.ts';
import { errorAt, makeFault } from './records/fault.ts';
import { layoutBook } from './records/layout-book.ts';
import { RecordBlock } from './records/record-block.ts';
import { RecordSink, type SinkState } from './records/record-sink.ts';
import { isKnownKind, kindAdvice } from './refusals.ts';
import type { MapPlace } from './text/maps/map-place.ts';
import { textReader } from './text/text-reader.ts';
import type { WorkMeter } from './work-meter.ts';

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
}

/** The head of a file, and the user's settings for it. */
export interface FileHead {
  readonly head: Uint8Array;
  readonly complete: boolean;
  readonly hints: FormatHints;
  readonly work: WorkMeter;
  /** Alphabets that the user gave, by size. */
  readonly given: Readonly<Record<string, string>>;
  /** Sizes to look for in addition to the common ones. */
  readonly sizes: readonly number[];
}

/** A detection, and what the head has in its format. */
export interface HeadResult {
  readonly detection: Detection;
  /** Whether a puzzle was read: a header alone also announces puzzles. */
  readonly hasRead: boolean;
  /** Records of the head. */
  readonly readable: number;
  readonly unreadable: number;
}

/** Opens the reader of a file format, or of text. */
export function openFormatReader(
  format: string,
  settings: FormatSettings,
  hints: FormatHints,
  blocks: BlockSource,
  seen?: HeadSurvey,
  from?: ReaderState,
  work?: WorkMeter,
): RecordReader {
  const shared = settings as Partial<SharedSettings>;
  const { alphabets = {}, assumed = [], undecided, sizes = [] } = shared;
  const book = layoutBook(hints);
  for (const size of sizes) book.addSize(size);
  const decoder = new CellDecoder(alphabets, assumed, undecided);
  const sink = new RecordSink(book, decoder, blocks, seen, work);
  if (from !== undefined) sink.restore(from.sink as SinkState);
  const fileFormat = FILE_FORMATS.find(({ name }) => name === format);
  return fileFormat === undefined
    ? textReader([links], sink, settings, hints.format, from)
    : fileFormat.open(settings, sink, from);
}

/**
 * Reads the head without keeping its records, at most a few times: what one reading finds (region maps, puzzles on lines of their
 * own, alphabets) may be a setting of the next one.
 */
export function survey(file: FileHead, fileFormat: string | undefined, settings: FormatSettings): HeadResult {
  const { head, complete, hints, sizes } = file;
  const { sizes: ownSizes = [] } = settings as Partial<SharedSettings>;
  let own = sizes.length === 0 ? settings : { ...settings, sizes: [...new Set([...ownSizes, ...sizes])] };
  let { given } = file;
  for (;;) {
    const seen = readHead(file, fileFormat ?? 'text', { ...own, alphabets: given, assumed: [] }, given);
    const decision = seen.decide();
    const { choices, lineSize, hasPuzzles, hasRead, hasDamage } = decision;
    // Headings with other text alone are those of a page, unless the user says that they are of puzzles.
    const isPage = !hasDamage && seen.firstError !== undefined && hints.format === undefined;
    const isEmpty = !hasPuzzles || (!hasRead && (isPage || isKnownKind(head)));
    const maps =
      fileFormat === undefined && own.regionMaps === undefined
        ? seen.maps.places(complete && head.length <= FRONT_BYTES)
        : [];
    if (maps.length > 0) own = { ...own, regionMaps: maps };
    else if (seen.hasSolutions && own.hasSolutions === undefined) own = { ...own, hasSolutions: true };
    else if (own.hasSolutions === true && !hasRead && !hasDamage) own = { ...own, hasSolutions: false };
    else if (seen.hasHiddenLines && lineSize !== undefined && own.lineSize === undefined)
      own = { ...own, lineSize };
    else if (isEmpty && choices.size > 0) given = { ...given, ...textsOf(choices) };
    else {
      const isOther = fileFormat === undefined && seen.format === undefined && isFileFormat(hints.format);
      // Headers of text formats are no puzzles of the file format that the user named.
      const detection =
        isEmpty || isOther
          ? withoutPuzzles(file, seen, fileFormat, { ...own, alphabets: given, assumed: [] }, isEmpty)
          : withPuzzles(file, seen, fileFormat, own, { ...given, ...textsOf(choices) }, decision);
      return { detection, hasRead, readable: decision.readable, unreadable: seen.unreadable };
    }
  }
}

function readHead(file: FileHead, format: string, settings: FormatSettings, given: object): HeadSurvey {
  const { head, complete, hints, work } = file;
  const seen = headSurvey(Object.keys(given).map(Number));
  work.spend(head.length);
  const reader = openFormatReader(format, settings, hints, scratchBlocks(), seen, undefined, work);
  const mayHaveMaps = format === 'text' && (settings as Partial<SharedSettings>).regionMaps === undefined;
  for (let from = 0; from < head.length; from += PIECE_BYTES) {
    // With region maps, it is read again.
    if (from === FRONT_BYTES && mayHaveMaps && seen.maps.places(false).length > 0) return seen;
    // Of a larger file, the rest of the head tells nothing else if it is written with the same characters; lines of cells are
    // read as fast as these are looked for.
    const isSettled = from === SETTLED_BYTES && !complete && seen.isSettled();
    if (isSettled && !seen.hasLinesAlone() && !hasOtherBytes(head)) break;
    for (const _ of reader.push(head.subarray(from, from + PIECE_BYTES)));
  }
  for (const _ of complete ? reader.end() : reader.flush());
  return seen;
}

/** The front of the head, which tells whether there are region maps if it has many puzzles. */
const FRONT_BYTES = 64 * 1024;

/** The part of the head that tells the settings of a file if it has many puzzles; with less, maps in a part of it are missed. */
const SETTLED_BYTES = 256 * 1024;

/** Whether a head has a byte below its first `SETTLED_BYTES` that is not among these: a heading, a sign, a symbol. */
function hasOtherBytes(head: Uint8Array): boolean {
  const { length } = head;
  const known = new Uint8Array(256);
  for (let at = 0; at < SETTLED_BYTES; at++) known[head[at]] = 1;
  // A branch for each byte would take longer.
  let all = 1;
  for (let at = SETTLED_BYTES; at < length; at++) all &= known[head[at]];
  return all === 0;
}

/** The head is read in pieces, so that the reader's buffer stays in the processor's cache. */
const PIECE_BYTES = 32 * 1024;

function textsOf(choices: HeadDecision['choices']): Record<string, string> {
  return Object.fromEntries([...choices].map(([size, { alphabet }]) => [size, alphabetText(alphabet)]));
}

function withPuzzles(
  { hints }: FileHead,
  seen: HeadSurvey,
  fileFormat: string | undefined,
  settings: FormatSettings,
  alphabets: Readonly<Record<string, string>>,
  { choices, undecided, lineSize }: HeadDecision,
): Detection {
  const [firstUndecided] = undecided;
  if (firstUndecided !== undefined && !seen.hasOthers(undecided)) {
    const [size, line] = firstUndecided;
    return { kind: 'unreadable', error: errorAt({ line, column: 1 }, undecidedZero(size)) };
  }
  const format = fileFormat ?? seen.format ?? hints.format ?? 'line';
  const open = undecided.size === 0 ? {} : { undecided: [...undecided.keys()] };
  const lines = lineSize === undefined || fileFormat !== undefined ? {} : { lineSize };
  const assumed = [...choices].filter(([, choice]) => choice.assumed).map(([size]) => size);
  return { kind: 'puzzles', format, settings: { ...settings, ...open, ...lines, alphabets, assumed } };
}

/** The fault of a head without a puzzle and without an error. */
const NOTHING = makeFault('truncated', 0, 'the first MiB without a puzzle', 'a puzzle there');

function withoutPuzzles(
  { head, complete, hints }: FileHead,
  { firstError, firstRule }: HeadSurvey,
  fileFormat: string | undefined,
  settings: FormatSettings,
  isEmpty: boolean,
): Detection {
  const isText = fileFormat === undefined && !isFileFormat(hints.format);
  if (isEmpty && firstError === undefined && !complete && isText && endsInText(head)) {
    // Comments of any length may precede puzzles. Without a head, the alphabets of large puzzles are assumed.
    return { kind: 'puzzles', format: hints.format ?? 'line', settings };
  }
  if (firstError === undefined && complete) return { kind: 'empty' };
  // In a text, a rule is why nothing is read, whatever is above it.
  const place = (isText ? firstRule : undefined) ?? firstError ?? errorAt({ line: 1, column: 1 }, NOTHING);
  const isVariant = place.code === 'unsupported_variant';
  return {
    kind: 'unreadable',
    error: {
      ...place,
      code: isVariant ? place.code : 'no_puzzles',
      message: `no puzzles found${complete ? '' : ' in the first MiB'}; ${isVariant ? '' : kindAdvice(head)}${place.message}`,
    },
  };
}

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

const SCRATCH_RECORDS = 256;
