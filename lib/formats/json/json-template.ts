/** The fast path for JSON: records that are written like the last one are read without parsing. */
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  DASH,
  DOT,
  NINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  ZERO,
} from '../bytes/ascii.ts';
import { textIn } from '../bytes/byte-text.ts';
import { isAscii } from '../bytes/character-folding.ts';
import { memberName, tokenEnd, tokenStart, valueEnd } from '../bytes/json-scan.ts';
import { GRID_KEYS, ID_KEYS, isGridKey, isLabel, PUZZLE_KEYS, SOLUTION_KEYS } from '../objects/members.ts';
import type { RecordNotes } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { type RecordParts, Template } from '../records/template.ts';
import type { JsonWindow } from './json-window.ts';

interface JsonParts extends RecordParts {
  /** For each text that may differ what the writer copies before it: a comma, the key, a colon. */
  readonly labels: readonly string[];
  /** The text with the record's name; negative if it has none. */
  readonly id: number;
}

export type JsonFastPath = ReturnType<typeof jsonFastPath>;

export function jsonFastPath(sink: RecordSink, window: JsonWindow) {
  let template: Template | undefined;
  let parts: JsonParts = { cells: [], labels: [], id: -1 };
  let areBytes = false;

  function clear(): void {
    template = undefined;
  }

  /**
   * Enters the record at `at` if it matches the last one.
   *
   * @returns the offset after it; -1 if it does not match
   */
  function take(at: number): number {
    const { bytes } = window;
    if (template === undefined || !template.fits(sink)) return -1;
    const same = template;
    const end = template.match(bytes, at, window.length, scalarEnd);
    if (end < 0) return -1;
    const { starts, texts, solution, layout } = template;
    const { labels, id } = parts;
    const notes: RecordNotes | undefined = labels.length > 0 || solution >= 0 ? {} : undefined;
    if (notes !== undefined && id >= 0) {
      const quotes = bytes[texts[id]] === QUOTE ? 1 : 0;
      const [first, last] = [texts[id] + quotes, starts[id + 1] - quotes];
      if (quotes === 0 && !isInteger(bytes, first, last)) return -1;
      notes.id = textIn(bytes, first, last);
    }
    if (notes !== undefined && solution >= 0) {
      const values = sink.valuesOf({ bytes, from: solution }, layout.geometry);
      if (values === undefined) return -1;
      notes.expected = { solution: values };
    }
    if (!template.fill(sink, bytes)) return -1;
    if (notes !== undefined && labels.length > 0) {
      notes.labels = { toString: () => labelsIn(same, labels, bytes, at) };
      window.keepBytes();
    }
    window.moveTo(at);
    const { line } = window.position;
    if (areBytes && labels.every((_, k) => isPlain(bytes, texts[k], starts[k + 1]))) window.skipTo(end);
    else window.moveTo(end);
    sink.enterFilled(line, window.position.line, notes);
    return end;
  }

  /** Makes the record in the bytes `from` to `to` (exclusive), which was just entered, the template. */
  function keep(from: number, to: number): void {
    const { bytes } = window;
    if (template?.fits(sink) && template.match(bytes, from, to, scalarEnd) === to) return;
    const own = bytes[from] === OPEN_BRACE ? partsOfObject(bytes, from, to) : partsOfGrid(bytes, from, to);
    template = own && Template.of(sink, bytes, from, to, own);
    if (own !== undefined) parts = own;
    areBytes = template?.isPlain === true;
  }

  return {
    clear,
    take,
    keep,
  };
}

function partsOfGrid(bytes: Uint8Array, from: number, to: number): JsonParts | undefined {
  const cells = cellsIn(bytes, from, to);
  return cells && { cells, labels: [], id: -1 };
}

/** Offsets of the cells of a grid without numbers of several digits, escapes or names; undefined for other values. */
function cellsIn(bytes: Uint8Array, from: number, to: number): number[] | undefined {
  const offsets: number[] = [];
  let inString = false;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) inString = !inString;
    else if (byte === BACKSLASH || byte > 126) return undefined;
    else if (inString) offsets.push(at);
    else if (byte > SPACE && byte !== OPEN_BRACKET && byte !== CLOSE_BRACKET && byte !== COMMA) {
      if (byte < ZERO || byte > NINE || offsets.at(-1) === at - 1) return undefined;
      offsets.push(at);
    }
  }
  return offsets;
}

/**
 * The parts of an object with a puzzle, its solution, and labels that are texts without escapes, numbers or words.
 * Everything else is read with care: other grids, rules, and members that are not known.
 */
function partsOfObject(bytes: Uint8Array, from: number, to: number): JsonParts | undefined {
  const members = membersIn(bytes, from, to);
  const keys = members.map(({ key }) => key);
  const first = (wanted: readonly string[]) => wanted.find((key) => keys.includes(key));
  const [puzzle, solution, id] = [first(GRID_KEYS), first(SOLUTION_KEYS), first(ID_KEYS)];
  if (puzzle === undefined || !PUZZLE_KEYS.includes(puzzle)) return undefined;
  const place = (key: string) => members.find((member) => member.key === key)!;
  const cells = cellsIn(bytes, place(puzzle).from, place(puzzle).to);
  const solved = solution === undefined ? undefined : place(solution);
  const others = members.filter(({ key }) => key !== puzzle && key !== solution);
  const isText = (at: number, end: number) => bytes[at] === QUOTE && scalarEnd(bytes, at, end) === end;
  const isSolved =
    solved !== undefined && isText(solved.from, solved.to) && solved.to - solved.from - 2 === cells?.length;
  if (cells === undefined || (solved !== undefined && !isSolved)) return undefined;
  if (others.some(({ key }) => isGridKey(key) || !isLabel(key, ''))) return undefined;
  if (others.some((other) => scalarEnd(bytes, other.from, to) !== other.to)) return undefined;
  return {
    cells,
    ...(solved !== undefined && { solution: solved.from + 1 }),
    texts: others,
    labels: others.map(({ key }) => `,${JSON.stringify(key)}:`),
    id: others.findIndex(({ key }) => key === id),
  };
}

const SEPARATORS = [COMMA, CLOSE_BRACE];

/** The members of an object of valid JSON: their names, and the bytes of their values. */
function membersIn(bytes: Uint8Array, from: number, to: number) {
  const members: { readonly key: string; readonly from: number; readonly to: number }[] = [];
  for (let at = tokenStart(bytes, from + 1, to); at < to && bytes[at] === QUOTE; ) {
    const name = tokenEnd(bytes, at, to);
    const value = tokenStart(bytes, tokenStart(bytes, name, to) + 1, to);
    const scalar = scalarEnd(bytes, value, to);
    const isScalar = scalar >= 0 && SEPARATORS.includes(bytes[tokenStart(bytes, scalar, to)]);
    const end = isScalar ? scalar : valueEnd(bytes, value, to);
    members.push({ key: memberName(bytes, at, name), from: value, to: end });
    at = tokenStart(bytes, tokenStart(bytes, end, to) + 1, to);
  }
  return members;
}

/** The labels of the object at `at`, which the template matches: most jobs do not write them. */
function labelsIn(template: Template, labels: readonly string[], bytes: Uint8Array, at: number): string {
  template.match(bytes, at, bytes.length, scalarEnd);
  const texts = labels.map((label, k) => {
    const text = textIn(bytes, template.texts[k], template.starts[k + 1]);
    // As if the object were parsed: a number may be written in another way.
    return label + (text.startsWith('"') ? text : JSON.stringify(JSON.parse(text)));
  });
  return texts.join('');
}

/** Whether each character of a text is one byte. */
function isPlain(bytes: Uint8Array, from: number, to: number): boolean {
  return bytes[from] !== QUOTE || isAscii(bytes.subarray(from, to));
}

/** Offset after a text without escapes, a number without an exponent, or a word; negative if there is none. */
function scalarEnd(bytes: Uint8Array, from: number, to: number): number {
  if (bytes[from] === QUOTE) return plainEnd(bytes, from, to);
  const start = bytes[from] === DASH ? from + 1 : from;
  let at = digitsEnd(bytes, start, to);
  if (at === start) return wordEnd(bytes, from, to);
  if (at - start > 1 && bytes[start] === ZERO) return -1;
  if (at < to && bytes[at] === DOT) {
    const fraction = at + 1;
    at = digitsEnd(bytes, fraction, to);
    if (at === fraction) return -1;
  }
  return at;
}

function plainEnd(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte < SPACE || byte === BACKSLASH) return -1;
  }
  return -1;
}

function digitsEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] >= ZERO && bytes[at] <= NINE) at++;
  return at;
}

const WORDS = ['true', 'false', 'null'].map((word) => new TextEncoder().encode(word));

function wordEnd(bytes: Uint8Array, from: number, to: number): number {
  const word = WORDS.find((each) => each.every((byte, k) => from + k < to && bytes[from + k] === byte));
  return word === undefined ? -1 : from + word.length;
}

/** Integers of that length are exact as doubles. */
const MAX_DIGITS = 15;

/** Whether a number is an integer that is written as JavaScript writes it. */
function isInteger(bytes: Uint8Array, from: number, to: number): boolean {
  return to - from <= MAX_DIGITS && digitsEnd(bytes, from, to) === to;
}
