/** What a file is, found from its first MiB; see `Detection`. */
import { needsRegions } from '../sudoku/geometry/variants.ts';
import { visibleText } from './bytes/visible-text.ts';
import { alphabetOf } from './cells/alphabets.ts';
import { CellDecoder } from './cells/cell-decoder.ts';
import { detectCover } from './exact-cover/covers.ts';
import { HeadSurvey } from './head-survey.ts';
import type { BlockSource, Detection, FormatHints, ReaderState, RecordReader } from './reader.ts';
import { LayoutBook, RARE_SIZES } from './records/layout-book.ts';
import { type ParseError, RecordBlock } from './records/record-block.ts';
import { RecordSink, type SinkState } from './records/record-sink.ts';
import { createTextLayouts } from './text/registry.ts';
import { TextReader } from './text/text-reader.ts';
import type { FormatSettings } from './whole-format.ts';
import { WHOLE_FORMATS } from './whole-registry.ts';

/** What all settings hold. */
interface SharedSettings {
  /** Of large sizes. */
  readonly alphabets: Readonly<Record<string, string>>;
  /** Sizes whose alphabets are guesses. */
  readonly assumed: readonly number[];
  /** Sizes that are looked for beside those that always are; left out where there are none. */
  readonly sizes?: readonly number[];
}

/** A file of which the front is looked at, and what the user said of it. */
interface Front {
  readonly head: Uint8Array;
  readonly complete: boolean;
  readonly hints: FormatHints;
  /** Alphabets that the user gave, by size. */
  readonly given: Readonly<Record<string, string>>;
  /** Sizes that are looked for beside those that always are. */
  readonly sizes: readonly number[];
}

/** A detection, and whether it was made by a puzzle that was read: a header alone says that puzzles follow, too. */
interface Look {
  readonly detection: Detection;
  readonly hasRead: boolean;
}

/** Decides what a file is; where no puzzle of the sizes that are always looked for is in it, the rare ones are tried. */
export function detect(head: Uint8Array, complete: boolean, hints: FormatHints): Detection {
  const encoding = encodingError(head);
  if (encoding !== undefined) return { kind: 'unreadable', error: encoding };
  const cover = detectCover(head, complete, hints, undefined);
  if (cover !== undefined) return cover;
  const given = hintedAlphabets(hints);
  const { detection, hasRead } = look({ head, complete, hints, given, sizes: [] });
  if (hasRead || detection.kind === 'empty') return detection;
  if (detection.kind === 'unreadable') {
    const late =
      detection.error.code === 'no_puzzles' ? detectCover(head, complete, hints, false) : undefined;
    if (late !== undefined) return late;
  }
  const rare = look({ head, complete, hints, given, sizes: RARE_SIZES });
  return rare.hasRead ? rare.detection : detection;
}

/** Looks for puzzles in every format that the file may be of. */
function look(front: Front): Look {
  const { head, hints } = front;
  const body = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;
  for (const format of WHOLE_FORMATS) {
    if (hints.format !== undefined && hints.format !== format.name) continue;
    const settings = format.recognise(body, hints);
    if (settings === undefined) continue;
    const found = survey(front, format.name, settings);
    // A damaged first byte may look like the front of another format: then the text behind it tells.
    if (found.detection.kind !== 'unreadable' || hints.format !== undefined) return found;
    const text = surveyText(front);
    return text.detection.kind === 'puzzles' ? text : (surveyBehind(front, body) ?? found);
  }
  const text = surveyText(front);
  return text.detection.kind === 'unreadable' ? (surveyBehind(front, body) ?? text) : text;
}

/** A file that is no text of puzzles may be of another format with a damaged front: what stands behind it tells. */
function surveyBehind(front: Front, body: Uint8Array): Look | undefined {
  const { hints } = front;
  for (const format of WHOLE_FORMATS) {
    if (hints.format !== undefined && hints.format !== format.name) continue;
    for (let from = 1; from < Math.min(body.length, DAMAGED_FRONT_BYTES); from++) {
      const settings = FRONT_SIGNS.includes(body[from])
        ? format.recognise(body.subarray(from), hints)
        : undefined;
      if (settings === undefined) continue;
      const found = survey(front, format.name, settings);
      if (found.detection.kind === 'puzzles') return found;
    }
  }
  return undefined;
}

/** What JSON and XML begin with: `[` `{` `<`. */
const FRONT_SIGNS = [91, 123, 60];
const DAMAGED_FRONT_BYTES = 1024;

/** Where maps of regions stand among the grids, the head is read once more: they tell nothing of the alphabets. */
function surveyText(front: Front): Look {
  const { variant } = front.hints;
  const mapped = { regionMaps: true };
  if (variant !== undefined && needsRegions(variant)) return survey(front, undefined, mapped);
  const first = survey(front, undefined, {});
  const { detection } = first;
  if (detection.kind !== 'puzzles' || detection.settings.regionMaps !== true) return first;
  return survey(front, undefined, mapped);
}

/** Opens the reader of a format: a whole one, or that of text. */
export function openNamed(
  format: string,
  settings: FormatSettings,
  hints: FormatHints,
  blocks: BlockSource,
  headSurvey?: HeadSurvey,
  from?: ReaderState,
): RecordReader {
  const { alphabets = {}, assumed = [], sizes = [] } = settings as Partial<SharedSettings>;
  const book = new LayoutBook(hints);
  for (const size of sizes) book.allow(size);
  const sink = new RecordSink(book, new CellDecoder(alphabets, assumed), blocks, headSurvey);
  if (from !== undefined) sink.restore(from.sink as SinkState);
  const whole = WHOLE_FORMATS.find(({ name }) => name === format);
  return whole === undefined
    ? new TextReader(createTextLayouts(hints.format), sink, hints.format, settings.regionMaps === true, from)
    : whole.open(settings, sink, from);
}

/** Reads the head once, only to see what is there. */
function survey(front: Front, whole: string | undefined, settings: FormatSettings): Look {
  const { head, complete, hints, given, sizes } = front;
  const seen = new HeadSurvey(Object.keys(given).map(Number));
  const wider = sizes.length === 0 ? settings : { ...settings, sizes };
  const first = { ...wider, alphabets: given, assumed: [] };
  const reader = openNamed(whole ?? 'text', first, hints, scratchBlocks(), seen);
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
    // What no alphabet explains is an error only where one is decided.
    if (choices.size > 0) return survey({ ...front, given: alphabets }, whole, settings);
    return { detection: withoutPuzzles(head, complete, seen.firstError), hasRead };
  }
  const format = whole ?? seen.format ?? hints.format ?? 'line';
  const maps = seen.regionMaps ? { regionMaps: true } : {};
  return {
    detection: { kind: 'puzzles', format, settings: { ...wider, ...maps, alphabets, assumed } },
    hasRead,
  };
}

/** The user's alphabet, by the size it is for. */
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
      message: `no puzzle was found${complete ? '' : ' in the first MiB'}; the first thing that is none: ${place.message}`,
    },
  };
}

/** Where there is no error to show: the file's first line. */
function firstText(head: Uint8Array): ParseError {
  const text = new TextDecoder()
    .decode(head.subarray(0, 200))
    .split(/[\r\n]/, 1)[0]
    .slice(0, 40);
  const message = `line 1: found "${visibleText(text)}"`;
  return { code: 'no_puzzles', message, line: 1, column: 1, found: text };
}

/** Files in UTF-16 or UTF-32 are told by their byte-order mark, or by the zero bytes of ASCII in them. */
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

/** Blocks that nobody reads: one for each size does. */
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
