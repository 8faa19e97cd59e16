/** All readers of puzzle files. The first byte of an input chooses the user's settings. */
import { ByteBuffer } from '../../../lib/formats/bytes/byte-buffer.ts';
import {
  detectFormat,
  FORMAT_NAMES,
  openReader,
  openWriter,
  type PuzzleDetection,
} from '../../../lib/formats/formats.ts';
import type { FormatHints, ReaderState } from '../../../lib/formats/reader.ts';
import {
  PARSE_ERROR_CODES,
  type ParseError,
  RecordBlock,
} from '../../../lib/formats/records/record-block.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';
import { VARIANT_NAMES } from '../../../lib/sudoku/geometry/variants.ts';
import { wellFormedFiles } from '../../formats/catalogue.ts';
import { plainNotes } from '../../formats/reading.ts';
import { check, checkSame, digest, type Target } from '../target.ts';

/** Settings by the first byte, from 33; most bytes choose none. */
const HINTS: readonly FormatHints[] = [
  ...FORMAT_NAMES.map((format) => ({ format })),
  ...VARIANT_NAMES.map((variant) => ({ variant })),
  { box: [2, 3] },
  { box: [3, 2] },
  { alphabet: '1-9' },
  { alphabet: 'ABCDEFGHIJKLMNOP' },
];

const TOKENS = [
  '.........',
  '0 0 0 0 0 0 0 0 0\n',
  '53..7....',
  '|',
  '+---+---+---+\n',
  '------+-------+------\n',
  'Grid 01\n',
  '[Puzzle]\n',
  '#',
  '# c\n',
  'end\n',
  '9 9\n',
  '9\n',
  'sep=;\n',
  'puzzle,solution\n',
  '{"puzzle":"',
  '"variant":"x"',
  '"regions":"',
  '"box":"2x3"',
  '"solution":"',
  '"grid":[[',
  '[[0,0,',
  'null',
  '<game data="',
  '<opensudoku>',
  '<?xml version="1.0"?>',
  '</opensudoku>',
  '<!--',
  '-->',
  '<![CDATA[',
  'https://example.com/?bd=',
  'fpuzzles',
  'scl',
  'ctc',
  '~R1C1_5',
  '.Jigsaw~',
  '.Windoku',
  'aaabbbccc',
  'ABCDEFGHI',
  '1-9',
  ':0000:x:',
  ':1:',
  '"""',
  '&#10;',
  '&amp;',
  '\\u0030',
  '\\"',
  '\u00b7',
  '\uff11',
  '\u25a1',
  '    ',
  '0000183b305c',
  '1) ',
]; // prettier-ignore

export const records: Target = {
  name: 'records',
  seeds: () => Object.values(wellFormedFiles()).map((pieces) => ` ${pieces.slice(0, 3).join('')}`),
  tokens: TOKENS,
  maxBytes: 3000,
  maxWork: { base: 20_000_000, perByte: 20_000 },
  run: (input) => checkRecords(input.subarray(1), HINTS[(input[0] ?? 0) - 33] ?? {}),
};

/** Longest message, and longest text of all notes: so many for each byte, in addition to a few records. */
const MAX_MESSAGE = 2000;
const NOTES_PER_BYTE = 400;

export function checkRecords(file: Uint8Array, hints: FormatHints): void {
  // The slices of a Buffer share its memory.
  const bytes = new Uint8Array(file);
  const detection = detectFormat(bytes, true, hints);
  checkSame(JSON.parse(JSON.stringify(detection)), detection, 'a detection is plain data');
  if (detection.kind === 'unreadable') checkError(detection.error, lineCount(bytes));
  if (detection.kind !== 'puzzles') return;
  const whole = read(detection, hints, bytes, []);
  checkWhole(whole, bytes);
  const random = new RandomSource(digest(bytes));
  const cuts = () => (bytes.length < 200 ? Array.from(bytes, (_, at) => at) : randomCuts(bytes, random));
  checkSame(
    read(detection, hints, bytes, cuts(), 1),
    whole,
    'records depend neither on chunks nor on blocks',
  );
  checkSame(
    read(detection, hints, bytes, cuts(), 3, true),
    whole,
    'a reader continues from the state of another',
  );
  checkRoundTrip(detection, hints, bytes);
}

/** A file of solutions in the format of the puzzles is read again as these solutions. */
function checkRoundTrip(detection: PuzzleDetection, hints: FormatHints, bytes: Uint8Array): void {
  // A table keeps its puzzles, with the solutions in another column.
  const keepsPuzzles = detection.format === 'csv';
  const solutions: string[] = [];
  const out = new ByteBuffer();
  const writer = openWriter('same', detection);
  writer.begin(out);
  const reader = openReader(detection, hints, { acquire: (layout) => new RecordBlock(layout, 3) });
  for (const block of [...reader.push(bytes), ...reader.end()]) {
    for (let index = 0; index < block.count; index++) {
      const first = solutions.length === 0;
      // Other records have no solution.
      if (!block.isReadable(index)) return;
      const { size, cellCount } = block.geometry;
      const own = block.cells.subarray(index * cellCount, (index + 1) * cellCount);
      const cells = Uint8Array.from({ length: cellCount }, (_, cell) => ((7 * cell + index) % size) + 1);
      writer.entry(out, { block, index, cells, offset: 0 }, first);
      solutions.push(keepsPuzzles ? own.join() : cells.join());
    }
  }
  if (solutions.length === 0) return;
  writer.end(out);
  const file = out.take();
  const again = detectFormat(file, true, hints);
  check(again.kind === 'puzzles', 'solutions are read again', () => [new TextDecoder().decode(file), again]);
  if (again.kind !== 'puzzles') return;
  const found = read(again, hints, file, []).map(({ cells }) => cells);
  checkSame(found, solutions, 'solutions are read again as they are');
}

function randomCuts(bytes: Uint8Array, random: RandomSource): number[] {
  return Array.from({ length: 1 + random.below(6) }, () => random.below(bytes.length + 1)).sort(
    (a, b) => a - b,
  );
}

interface ReadRecord {
  readonly line: number;
  readonly lineEnd: number;
  readonly notes: unknown;
  readonly size?: number;
  readonly cells?: string;
}

/**
 * All records.
 *
 * @param takeovers whether another reader continues at each cut, from the state of the one before
 */
function read(
  detection: PuzzleDetection,
  hints: FormatHints,
  bytes: Uint8Array,
  cuts: readonly number[],
  capacity = 3,
  takeovers = false,
): ReadRecord[] {
  const open = (from?: ReaderState) =>
    openReader(detection, hints, { acquire: (layout) => new RecordBlock(layout, capacity) }, from);
  const records: ReadRecord[] = [];
  const take = (blocks: Iterable<RecordBlock>) => {
    for (const block of blocks) {
      check(
        block.count >= 1 && block.count <= capacity,
        'a block has one record or more, up to its capacity',
      );
      for (let index = 0; index < block.count; index++) records.push(recordAt(block, index));
    }
  };
  let reader = open();
  let at = 0;
  for (const cut of cuts) {
    if (cut <= at) continue;
    const chunk = bytes.slice(at, cut);
    take(reader.push(chunk));
    // A reader must not keep its input.
    chunk.fill(0);
    at = cut;
    if (!takeovers) continue;
    // Before a flush, which cuts text whose end the reader does not know yet.
    const place = reader.checkpoint();
    if (place === undefined) continue;
    take(reader.flush());
    check(place.unreadBytes >= 0 && place.unreadBytes <= at, 'unread bytes are bytes that were pushed');
    at -= place.unreadBytes;
    reader = open(JSON.parse(JSON.stringify(place.state)));
  }
  take(reader.push(bytes.slice(at)));
  take(reader.end());
  return records;
}

/** A record as plain values; an unreadable one has no layout of its own. */
function recordAt(block: RecordBlock, index: number): ReadRecord {
  const { layout, geometry, cells, line, lineEnd, notes } = block;
  const own = cells.subarray(index * geometry.cellCount, (index + 1) * geometry.cellCount);
  const isReadable = block.isReadable(index);
  check(
    own.every((cell) => cell <= (isReadable ? geometry.size : 0)),
    'cells are in range',
  );
  return {
    line: line[index]!,
    lineEnd: lineEnd[index]!,
    notes: plainNotes(notes.get(index)),
    ...(isReadable && {
      layout: [
        layout.format,
        layout.alphabet.name,
        block.blankOf(index),
        layout.arrangement,
        geometry.variant,
      ],
      size: geometry.size,
      cells: own.join(),
    }),
  };
}

function checkWhole(whole: readonly ReadRecord[], bytes: Uint8Array): void {
  const lines = lineCount(bytes);
  let before = 1;
  let noteLength = 0;
  for (const { line, lineEnd, notes } of whole) {
    check(
      line >= before && line <= lineEnd && lineEnd <= lines,
      'records are in the order of their lines',
      () => whole,
    );
    before = line;
    const { error, warnings = [] } = (notes ?? {}) as { error?: ParseError; warnings?: string[] };
    if (error !== undefined) checkError(error, lines);
    for (const warning of warnings) checkMessage(warning);
    noteLength += notes === undefined ? 0 : JSON.stringify({ ...notes, source: undefined }).length;
  }
  const limit = 10_000 + NOTES_PER_BYTE * bytes.length;
  check(noteLength <= limit, 'the text of notes is bounded', () => [noteLength, limit]);
}

/** Exclusive readers count lines by LF, CR LF and CR. */
function lineCount(bytes: Uint8Array): number {
  let lines = 1;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 10 || (bytes[at] === 13 && bytes[at + 1] !== 10)) lines++;
  }
  return lines;
}

export function checkError(error: Omit<ParseError, 'code'> & { code: string }, lines: number): void {
  const { code, message, line, column } = error;
  check([...PARSE_ERROR_CODES, 'no_puzzles'].includes(code), 'an error has a known code', () => error);
  check(line >= 1 && line <= lines && column >= 1, 'an error has a place in the file', () => [error, lines]);
  checkMessage(message);
}

function checkMessage(message: string): void {
  check(message.length <= MAX_MESSAGE, 'a message is short', () => message.length);
  check(!/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(message), 'a message has no control characters', () => message);
}
