/**
 * The catalogue of formats: a file for each case, in `test/formats/catalogue`. It has an input and what is read from it.
 *
 *     A row too short affects no other puzzle           the case in a sentence
 *     box: 2x3                                          options of the job, if the file needs some
 *     apart: yes                                        each puzzle stands alone: damage to one must not cost another
 *     speed: puzzles                                    the benchmark of reading repeats it; a key of its `MIN_RATE`
 *     except line ends: a field contains one            an invariant of the runner that does not hold, and why
 *     --- input                                         what to read; `--- input, 8 times` repeats it
 *     53..7....6..195....98....6.8...6...34..8.3..1
 *     53..7....\x20\r                                   escapes: \r \t \xHH (a byte) \u{HHHH} \\; at a line's end no line end
 *     --- records                                       one JSON object for each record, or why the file is rejected
 *     {"line":1,"error":"bad_length","column":1,...}
 *                                                       a rejection has its message, for which nothing else stands
 *     --- written as hdu                                the grids as solutions of that output, if the case is about it
 *
 * `npm run catalogue` rewrites what follows the input; `git diff` then shows what reads otherwise.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { OUTPUT_PROFILES, type OutputProfile } from '../../lib/formats/formats.ts';
import type { Detection, FormatHints } from '../../lib/formats/reader.ts';
import type { ParseError } from '../../lib/formats/records/record-block.ts';
import { parseBox } from '../../lib/sudoku/geometry/geometry.ts';
import type { VariantName } from '../../lib/sudoku/geometry/variants.ts';
import type { ReadCover } from './exact-cover/reading-covers.ts';
import { type Reading, type ReadRecord, readText, rewrite } from './reading.ts';

const FOLDER = new URL('catalogue/', import.meta.url);

interface Part {
  readonly times: number;
  readonly bytes: Buffer;
}

export interface CatalogueCase {
  /** The path of its file in the catalogue, without `.txt`. */
  readonly name: string;
  readonly title: string;
  /** Options of a job, as in metadata. */
  readonly options: Readonly<Record<string, string>>;
  /** Invariants that do not hold for the file, with the reason. */
  readonly exceptions: Readonly<Record<string, string>>;
  /** Whether each record is one puzzle that does not depend on the others, so that damage is local. */
  readonly apart: boolean;
  /** What the benchmark of reading promises for it, if it measures it. */
  readonly speed?: string;
  readonly parts: readonly Part[];
  readonly input: Uint8Array;
  readonly hints: FormatHints;
  /** The lines that describe the records. */
  readonly records: readonly string[];
  readonly written: Readonly<Partial<Record<OutputProfile, string>>>;
}

/** All cases, in the order of their names. */
export function catalogue(): CatalogueCase[] {
  const paths = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
  const names = paths.filter((path) => path.endsWith('.txt')).map((path) => path.slice(0, -4));
  return names.sort().map((name) => parseCase(name, readFileSync(new URL(`${name}.txt`, FOLDER), 'utf8')));
}

/** The texts of well-formed files of every format by their titles, each as puzzles that stand apart from each other. */
export function wellFormedFiles(): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    catalogue()
      .filter(({ apart }) => apart)
      .map(({ title, parts }) => [
        title,
        parts.flatMap(({ times, bytes }) => Array<string>(times).fill(bytes.toString())),
      ]),
  );
}

const HEADING = /^--- (?:(input)(?:, (\d+) times)?|(records)|written as (\w+))$/;

export function parseCase(name: string, text: string): CatalogueCase {
  const lines = text.split('\n').slice(0, -1);
  const [title = ''] = lines;
  const sections: { heading: RegExpExecArray; lines: string[] }[] = [];
  const settings: Record<string, string> = {};
  for (const line of lines.slice(1)) {
    const heading = HEADING.exec(line);
    if (heading !== null) sections.push({ heading, lines: [] });
    else if (sections.length > 0) sections.at(-1)!.lines.push(line);
    else settings[line.slice(0, line.indexOf(': '))] = line.slice(line.indexOf(': ') + 2);
  }
  const { apart, speed, ...others } = settings;
  const isException = (setting: string) => setting.startsWith('except ');
  const exceptions = Object.entries(others).filter(([setting]) => isException(setting));
  const options = Object.fromEntries(Object.entries(others).filter(([setting]) => !isException(setting)));
  const parts = sections.flatMap(({ heading: [, input, times], lines }) =>
    input === undefined ? [] : [{ times: Number(times ?? 1), bytes: unescaped(lines) }],
  );
  const { format, alphabet, variant, box } = options;
  return {
    name,
    title,
    options,
    exceptions: Object.fromEntries(exceptions.map(([setting, reason]) => [setting.slice(7), reason])),
    apart: apart === 'yes',
    ...(speed !== undefined && { speed }),
    parts,
    input: new Uint8Array(Buffer.concat(parts.flatMap(({ times, bytes }) => Array(times).fill(bytes)))),
    hints: {
      ...(format !== undefined && { format }),
      ...(alphabet !== undefined && { alphabet }),
      ...(variant !== undefined && { variant: variant as VariantName }),
      ...(box !== undefined && { box: parseBox(box) }),
    },
    records: sections.find(({ heading }) => heading[3] !== undefined)?.lines ?? [],
    written: Object.fromEntries(
      sections.flatMap(({ heading, lines }) =>
        heading[4] === undefined ? [] : [[heading[4], unescaped(lines).toString()]],
      ),
    ),
  };
}

/** The file of a case, with what is read and written now. */
export function printCase({ title, parts, input, hints, written, ...settings }: CatalogueCase): string {
  const { options, apart, speed, exceptions } = settings;
  const profiles = OUTPUT_PROFILES.filter((profile) => written[profile] !== undefined);
  return [
    title,
    ...Object.entries(options).map(([name, value]) => `${name}: ${value}`),
    ...(apart ? ['apart: yes'] : []),
    ...(speed === undefined ? [] : [`speed: ${speed}`]),
    ...Object.entries(exceptions).map(([invariant, reason]) => `except ${invariant}: ${reason}`),
    ...parts.flatMap(({ times, bytes }) => [
      times === 1 ? '--- input' : `--- input, ${times} times`,
      ...escaped(bytes),
    ]),
    '--- records',
    ...recordLines(readText(input, hints)),
    ...profiles.flatMap((profile) => [
      `--- written as ${profile}`,
      ...escaped(Buffer.from(rewrite(input, profile, hints))),
    ]),
    '',
  ].join('\n');
}

/** Rewrites the files of all cases. @returns the names of those that changed */
export function regenerateCatalogue(): string[] {
  return catalogue().flatMap((each) => {
    const file = new URL(`${each.name}.txt`, FOLDER);
    const text = printCase(each);
    if (text === readFileSync(file, 'utf8')) return [];
    writeFileSync(file, text);
    return [each.name];
  });
}

/** What is read, a line for each record; of a file without records, why. */
export function recordLines({ detection, records, covers }: Reading): string[] {
  if (detection.kind === 'puzzles') return linesOf(records);
  return [fileOutcome(detection), ...covers.map(describedCover)].map((line) => JSON.stringify(line));
}

export function linesOf(records: readonly ReadRecord[]): string[] {
  return records.map((record) => JSON.stringify(described(record)));
}

function fileOutcome(detection: Exclude<Detection, { kind: 'puzzles' }>): object {
  if (detection.kind === 'exact-cover') return { 'exact cover': detection.format };
  if (detection.kind === 'empty') return { empty: true };
  const { suggestion } = detection.error;
  const { message } = detection.error;
  return { rejected: { ...errorFields(detection.error), message }, ...(suggestion && { suggestion }) };
}

function errorFields({ code, line, column, found, expected }: ParseError): object {
  return { code, line, column, found, expected };
}

/** A problem: its items, primary and secondary ones, its options by their items, and their texts and lines. */
function describedCover({ primaryCount, secondaryCount, error, ...cover }: ReadCover): object {
  const { line, lineEnd, options, texts, lines, warnings, ...others } = cover;
  if (error !== undefined) return { problem: line, lineEnd, error: errorFields(error as ParseError) };
  const items = `${primaryCount}+${secondaryCount}`;
  const all = options?.map((option, k) => `${option} (line ${lines?.[k]}: ${texts?.[k]})`);
  return { problem: line, lineEnd, items, options: all, ...(warnings.length > 0 && { warnings }), ...others };
}

/** A record without what is usual: one line, a standard 9x9 in the digits. */
function described({ line, lineEnd, notes, format, alphabet, blank, grid, ...shape }: ReadRecord): object {
  const { error, expected, source: _source, text: _text, ...others } = notes ?? {};
  const lines = lineEnd === line ? { line } : { line, lineEnd };
  if (error !== undefined) {
    const { line: at, ...fault } = errorFields(error) as ParseError;
    return { ...lines, error: at === line ? fault : { line: at, ...fault }, ...others };
  }
  const { size, variant, box, map } = shape;
  const isUsual = size === 9 && variant === 'standard' && map === undefined;
  return {
    ...lines,
    format,
    ...(!isUsual && { size, variant, ...(box !== '0x0' && { box }) }),
    ...(alphabet !== '1-9' && { alphabet }),
    blank,
    grid,
    ...(map !== undefined && { map }),
    ...others,
    ...(expected && {
      expected: {
        ...expected,
        ...(expected.solution && { solution: expected.solution.join(size > 9 ? ' ' : '') }),
      },
    }),
  };
}

/** Bytes as lines of text, which an editor shows and keeps. */
export function escaped(bytes: Uint8Array): string[] {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      text += hex(bytes[at]!);
      at++;
      continue;
    }
    text += shown(Buffer.from(bytes.subarray(at, at + length)).toString());
    at += length;
  }
  const lines = text.split('\n').map((line) => line.replace(/ $/, '\\x20'));
  if (lines.at(-1) === '') lines.pop();
  else lines.push(`${lines.pop()}\\`);
  // A line that looks like a heading.
  return lines.map((line) => (HEADING.test(line) ? `\\x2d${line.slice(1)}` : line));
}

const hex = (byte: number) => `\\x${byte.toString(16).padStart(2, '0')}`;

/** Length of the character at a place of UTF-8; 0 if it is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  for (let length = 1; length <= 4; length++) {
    const text = Buffer.from(bytes.subarray(at, at + length)).toString();
    if (!text.includes('\ufffd') && [...text].length === 1) return length;
  }
  return 0;
}

function shown(character: string): string {
  const code = character.codePointAt(0)!;
  if (character === '\n') return character;
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  if (character === '\\') return '\\\\';
  if (code < 0x20 || code === 0x7f) return hex(code);
  return /[\p{Z}\p{C}\p{M}]/u.test(character) && character !== ' ' ? `\\u{${code.toString(16)}}` : character;
}

/** The bytes of `escaped` lines. */
export function unescaped(lines: readonly string[]): Buffer {
  return Buffer.concat(
    lines.map((line) => {
      if (!line.includes('\\')) return Buffer.from(`${line}\n`);
      const pieces = line.match(/\\x[\da-f]{2}|\\u\{[\da-f]+\}|\\.|\\$|[^\\]+/gsu) ?? [];
      const bytes = pieces.map(unescapedPiece);
      return Buffer.concat(/(?<!\\)(?:\\\\)*\\$/.test(line) ? bytes : [...bytes, Buffer.from('\n')]);
    }),
  );
}

function unescapedPiece(piece: string): Buffer {
  if (piece[0] !== '\\') return Buffer.from(piece);
  if (piece[1] === 'x') return Buffer.from([Number.parseInt(piece.slice(2), 16)]);
  if (piece[1] === 'u') return Buffer.from(String.fromCodePoint(Number.parseInt(piece.slice(3, -1), 16)));
  const character = { r: '\r', t: '\t', '\\': '\\', undefined: '' }[String(piece[1])];
  if (character === undefined)
    throw new Error(`${piece} is no escape: expected \\r \\t \\xHH \\u{HHHH} or \\\\`);
  return Buffer.from(character);
}
