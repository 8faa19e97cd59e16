/**
 * The template of an object with a puzzle, for the fast path: objects that match it are read without parsing.
 *
 *     {"id":12,"puzzle":"53..7....","rating":3.5,"solution":"534678912..."}
 *     literal  id literal cells     literal -    literal     cells        literal
 *
 * Literals must be byte-identical, and the number of cells equal. The id must stay an integer, or a string without
 * escapes; other labels (`-`) may be any such string, a number without an exponent, or a word. The object is on one line,
 * and has no members but these.
 */
import { BACKSLASH, DASH, DOT, NINE, QUOTE, ZERO } from '../bytes/ascii.ts';
import { textIn } from '../bytes/byte-text.ts';
import { GRID_KEYS, ID_KEYS, isGridKey, isLabel, PUZZLE_KEYS, SOLUTION_KEYS } from './json-members.ts';

/** The value between two literals. */
type MemberKind = 'id' | 'puzzle' | 'solution' | 'other';

export interface ObjectTemplate {
  /** One more than `kinds`. */
  readonly literals: readonly Uint8Array[];
  readonly kinds: readonly MemberKind[];
  readonly cellCount: number;
  /** The text between the labels that the writer copies: a comma, the key, a colon; `undefined` for a grid. */
  readonly labels: ReadonlyArray<string | undefined>;
  readonly hasLabels: boolean;
}

/** Offsets of the values of an object that matches a template. */
export interface ObjectOffsets {
  /** After its closing bracket. */
  end: number;
  /** Whether each of its characters is one byte. */
  ascii: boolean;
  puzzle: number;
  /** Negative if there is none. */
  solution: number;
  /** Without quotes. Negative if there is none; `idEnd` is exclusive. */
  id: number;
  idEnd: number;
  /** Of each value that is a label, with its quotes; `to` is exclusive. */
  readonly from: number[];
  readonly to: number[];
}

export function noOffsets(): ObjectOffsets {
  return { end: 0, ascii: true, puzzle: 0, solution: -1, id: -1, idEnd: 0, from: [], to: [] };
}

/** One member with the white space around it: the key up to the colon, the value, and the separator after it. */
const MEMBER =
  /([ \t]*"([ !#-[\]-~]*)"[ \t]*:[ \t]*)("[^"\\]*"|-?(?:0|[1-9]\d*)(?:\.\d+)?|true|false|null)([ \t]*[,}])/y;

interface Member {
  readonly key: string;
  /** With its quotes. */
  readonly value: string;
  readonly at: number;
}

/**
 * Makes the template of the object in the bytes `from` to `to` (exclusive).
 *
 * @param cellCount of its puzzle
 * @returns undefined if it has members of other kinds
 */
export function objectTemplate(
  bytes: Uint8Array,
  from: number,
  to: number,
  cellCount: number,
): ObjectTemplate | undefined {
  const text = decoder.decode(bytes.subarray(from, to));
  const members: Member[] = [];
  MEMBER.lastIndex = 1;
  for (let found = MEMBER.exec(text); found !== null; found = MEMBER.exec(text)) {
    const [whole, before, key, value] = found;
    members.push({ key, value, at: MEMBER.lastIndex - whole.length + before.length });
    if (MEMBER.lastIndex === text.length) return templateOf(text, members, cellCount);
  }
  return undefined;
}

function templateOf(text: string, members: readonly Member[], cellCount: number): ObjectTemplate | undefined {
  const keys = members.map(({ key }) => key);
  const first = (wanted: readonly string[]) => wanted.find((key) => keys.includes(key));
  const puzzle = first(GRID_KEYS);
  if (puzzle === undefined || !PUZZLE_KEYS.includes(puzzle)) return undefined;
  const [solution, id] = [first(SOLUTION_KEYS), first(ID_KEYS)];
  const isGrid = (key: string) => key === puzzle || key === solution;
  // Everything else is read with care: other grids, rules, and members that are not known.
  const others = keys.filter((key) => !isGrid(key));
  if (others.some((key) => isGridKey(key) || !isLabel(key, ''))) return undefined;
  if (new Set(keys).size < keys.length) return undefined;
  const kindOf = (key: string): MemberKind =>
    key === puzzle ? 'puzzle' : key === solution ? 'solution' : key === id ? 'id' : 'other';
  const literals: Uint8Array[] = [];
  let from = 0;
  for (const { key, value, at } of members) {
    // The quotes of a grid are in the literals.
    const quote = isGrid(key) ? 1 : 0;
    if (isGrid(key) && (!value.startsWith('"') || value.length !== cellCount + 2)) return undefined;
    literals.push(encoder.encode(text.slice(from, at + quote)));
    from = at + value.length - quote;
  }
  literals.push(encoder.encode(text.slice(from)));
  const labels = keys.map((key) => (isGrid(key) ? undefined : `,${JSON.stringify(key)}:`));
  return { literals, kinds: keys.map(kindOf), cellCount, labels, hasLabels: others.length > 0 };
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Integers of that length are exact as doubles. */
const MAX_DIGITS = 15;

/**
 * Finds the values of the object at `from` in `bytes`.
 *
 * @param length number of bytes so far
 * @param into receives the offsets
 * @returns whether the object is complete and matches the template
 */
export function findValues(
  template: ObjectTemplate,
  bytes: Uint8Array,
  from: number,
  length: number,
  into: ObjectOffsets,
): boolean {
  const { literals, kinds, cellCount } = template;
  into.solution = -1;
  into.id = -1;
  into.ascii = true;
  let at = from;
  for (let k = 0; k <= kinds.length; k++) {
    const literal = literals[k];
    if (at + literal.length > length) return false;
    for (let byte = 0; byte < literal.length; byte++) if (bytes[at + byte] !== literal[byte]) return false;
    at += literal.length;
    if (k === kinds.length) break;
    const kind = kinds[k];
    if (kind === 'puzzle' || kind === 'solution') {
      into[kind] = at;
      at += cellCount;
      continue;
    }
    const quote = at < length && bytes[at] === QUOTE ? 1 : 0;
    const end = quote === 1 ? stringEnd(bytes, at, length, into) : scalarEnd(bytes, at, length);
    if (end < 0) return false;
    if (kind === 'id') {
      if (quote === 0 && !isInteger(bytes, at, end)) return false;
      into.id = at + quote;
      into.idEnd = end - quote;
    }
    into.from[k] = at;
    into.to[k] = end;
    at = end;
  }
  into.end = at;
  return true;
}

/** The labels of an object that matches a template, in its bytes: most jobs do not write them. */
export class ObjectLabels {
  readonly #template: ObjectTemplate;
  readonly #bytes: Uint8Array;
  readonly #from: number;

  /** @param bytes never change; the object starts at `from` */
  constructor(template: ObjectTemplate, bytes: Uint8Array, from: number) {
    this.#template = template;
    this.#bytes = bytes;
    this.#from = from;
  }

  toString(): string {
    const { labels } = this.#template;
    findValues(this.#template, this.#bytes, this.#from, this.#bytes.length, labelOffsets);
    const { from, to } = labelOffsets;
    const texts = labels.map((label, k) => {
      if (label === undefined) return '';
      const text = textIn(this.#bytes, from[k], to[k]);
      // As if the object were parsed: a number may be written in another way.
      return label + (text.startsWith('"') ? text : JSON.stringify(JSON.parse(text)));
    });
    return texts.join('');
  }
}

const labelOffsets = noOffsets();

/** Offset after a string without escapes; negative if it is no such string. */
function stringEnd(bytes: Uint8Array, from: number, length: number, into: ObjectOffsets): number {
  let seen = 0;
  for (let at = from + 1; at < length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      if (seen > 127) into.ascii = false;
      return at + 1;
    }
    if (byte < 32 || byte === BACKSLASH) return -1;
    seen |= byte;
  }
  return -1;
}

/** Offset after a number without an exponent, or a word; negative if there is none. */
function scalarEnd(bytes: Uint8Array, from: number, length: number): number {
  const start = bytes[from] === DASH ? from + 1 : from;
  let at = digitsEnd(bytes, start, length);
  if (at === start) return wordEnd(bytes, from, length);
  if (at - start > 1 && bytes[start] === ZERO) return -1;
  if (at < length && bytes[at] === DOT) {
    const fraction = at + 1;
    at = digitsEnd(bytes, fraction, length);
    if (at === fraction) return -1;
  }
  return at;
}

function digitsEnd(bytes: Uint8Array, from: number, length: number): number {
  let at = from;
  while (at < length && bytes[at] >= ZERO && bytes[at] <= NINE) at++;
  return at;
}

const WORDS = ['true', 'false', 'null'].map((word) => encoder.encode(word));

function wordEnd(bytes: Uint8Array, from: number, length: number): number {
  for (const word of WORDS) {
    if (from + word.length <= length && word.every((byte, k) => bytes[from + k] === byte)) {
      return from + word.length;
    }
  }
  return -1;
}

/** Whether a number is an integer that is written as JavaScript writes it. */
function isInteger(bytes: Uint8Array, from: number, to: number): boolean {
  return to - from <= MAX_DIGITS && digitsEnd(bytes, from, to) === to;
}
