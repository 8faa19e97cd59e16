/**
 * The template of an object with a puzzle, for the fast path: objects that match it are read without parsing.
 *
 *     {"id":12,"puzzle":"53..7....","clues":30,"solution":"534678912..."}
 *     literal  id literal cells     literal -  literal    cells        literal
 *
 * Literals must be byte-identical, and the number of cells equal. The id and other labels (`-`) may have any length, but
 * must stay numbers, or strings without escapes. The object is on one line, and has no members but these.
 */
import { textIn } from '../bytes/byte-text.ts';
import { GRID_KEYS, ID_KEYS, isLabel, PUZZLE_KEYS, SOLUTION_KEYS } from './json-members.ts';

/** The value between two literals. */
type MemberKind = 'id' | 'puzzle' | 'solution' | 'other';

export interface ObjectTemplate {
  /** One more than `kinds`. */
  readonly literals: readonly Uint8Array[];
  readonly kinds: readonly MemberKind[];
  /** For each value whether it is a string; its quotes are in the literals. */
  readonly quoted: readonly boolean[];
  readonly cellCount: number;
  /** For each value, if it is a label. */
  readonly labels: readonly (LabelFrame | undefined)[];
  /** That of the id, if it is the only label. */
  readonly onlyId: LabelFrame | undefined;
  /** For each label its last value. */
  readonly last: string[];
}

/** What the writer puts around the value of a label. */
interface LabelFrame {
  /** A comma, the key, a colon, a quote. */
  readonly before: string;
  readonly after: string;
}

/** Offsets of the values of an object that matches a template. */
export interface ObjectOffsets {
  /** After its closing bracket. */
  end: number;
  puzzle: number;
  /** Negative if there is none. */
  solution: number;
  /** Negative if there is none; `idEnd` is exclusive. */
  id: number;
  idEnd: number;
  /** Of each value that is a label other than the id; `to` is exclusive. */
  readonly from: number[];
  readonly to: number[];
}

/** One member with the white space around it: the key up to the colon, the value, and the separator after it. */
const MEMBER = /([ \t]*"([ !#-[\]-~]*)"[ \t]*:[ \t]*)(?:"([ !#-[\]-~]*)"|(0|[1-9]\d{0,14}))([ \t]*[,}])/y;

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
  const members: Array<{ key: string; value: string; quoted: boolean; at: number }> = [];
  MEMBER.lastIndex = 1;
  for (let found = MEMBER.exec(text); found !== null; found = MEMBER.exec(text)) {
    const [whole, before, key, string, number] = found;
    const quoted = string !== undefined;
    const at = MEMBER.lastIndex - whole.length + before.length + (quoted ? 1 : 0);
    members.push({ key, value: string ?? number, quoted, at });
    if (MEMBER.lastIndex === text.length) return templateOf(text, members, cellCount);
  }
  return undefined;
}

function templateOf(
  text: string,
  members: ReadonlyArray<{ key: string; value: string; quoted: boolean; at: number }>,
  cellCount: number,
): ObjectTemplate | undefined {
  const keys = members.map(({ key }) => key);
  const first = (wanted: readonly string[]) => wanted.find((key) => keys.includes(key));
  const puzzle = first(GRID_KEYS);
  if (puzzle === undefined || !PUZZLE_KEYS.includes(puzzle)) return undefined;
  const [solution, id] = [first(SOLUTION_KEYS), first(ID_KEYS)];
  const isGrid = (key: string) => key === puzzle || key === solution;
  // Everything else is read with care: other grids, rules, and members that are not known.
  const others = keys.filter((key) => !isGrid(key));
  if (others.some((key) => GRID_KEYS.includes(key) || !isLabel(key, ''))) return undefined;
  if (new Set(keys).size < keys.length) return undefined;
  const kindOf = (key: string): MemberKind =>
    key === puzzle ? 'puzzle' : key === solution ? 'solution' : key === id ? 'id' : 'other';
  const literals: Uint8Array[] = [];
  let from = 0;
  for (const { key, value, quoted, at } of members) {
    if (isGrid(key) && (!quoted || value.length !== cellCount)) return undefined;
    literals.push(encoder.encode(text.slice(from, at)));
    from = at + value.length;
  }
  literals.push(encoder.encode(text.slice(from)));
  const labels = members.map(({ key, quoted }): LabelFrame | undefined => {
    const quote = quoted ? '"' : '';
    return isGrid(key) ? undefined : { before: `,${JSON.stringify(key)}:${quote}`, after: quote };
  });
  return {
    literals,
    kinds: keys.map(kindOf),
    quoted: members.map(({ quoted }) => quoted),
    cellCount,
    labels,
    onlyId: id !== undefined && others.length === 1 ? labels[keys.indexOf(id)] : undefined,
    last: keys.map(() => ''),
  };
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

const QUOTE = 34;
const BACKSLASH = 92;
const ZERO = 48;
const NINE = 57;
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
  const { literals, kinds, quoted, cellCount } = template;
  into.solution = -1;
  into.id = -1;
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
    const end = quoted[k] ? stringEnd(bytes, at, length) : numberEnd(bytes, at, length);
    if (end < 0) return false;
    if (kind === 'id') {
      into.id = at;
      into.idEnd = end;
    } else {
      into.from[k] = at;
      into.to[k] = end;
    }
    at = end;
  }
  into.end = at;
  return true;
}

/**
 * The labels of an object whose values were found, as `RecordNotes.labels` has them.
 *
 * @param id the text of its id, if it has one
 */
export function labelsIn(
  { labels, kinds, quoted, last, onlyId }: ObjectTemplate,
  bytes: Uint8Array,
  { from, to }: ObjectOffsets,
  id: string | undefined,
): string {
  if (onlyId !== undefined && id !== undefined) return onlyId.before + id + onlyId.after;
  let text = '';
  for (let k = 0; k < kinds.length; k++) {
    const label = labels[k];
    if (label === undefined) continue;
    if (kinds[k] === 'id' && id !== undefined) text += label.before + id + label.after;
    else if (!quoted[k]) text += label.before + integerIn(bytes, from[k], to[k]);
    else {
      // Levels as words and authors repeat; comparing costs less than decoding.
      if (!isText(last[k], bytes, from[k], to[k])) last[k] = textIn(bytes, from[k], to[k]);
      text += label.before + last[k] + label.after;
    }
  }
  return text;
}

/** A number of at most `MAX_DIGITS` digits. */
function integerIn(bytes: Uint8Array, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) number = number * 10 + bytes[at] - ZERO;
  return number;
}

function isText(text: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (text.length !== to - from) return false;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== bytes[from + at]) return false;
  return true;
}

/** Offset of the quote after a string without escapes; negative if it is no such string. */
function stringEnd(bytes: Uint8Array, from: number, length: number): number {
  let at = from;
  while (at < length && bytes[at] >= 32 && bytes[at] < 127 && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH)
    at++;
  return at < length && bytes[at] === QUOTE ? at : -1;
}

/** Offset after an integer; negative if there is none. */
function numberEnd(bytes: Uint8Array, from: number, length: number): number {
  let at = from;
  while (at < length && bytes[at] >= ZERO && bytes[at] <= NINE) at++;
  const digits = at - from;
  if (digits === 0 || digits > MAX_DIGITS || (digits > 1 && bytes[from] === ZERO)) return -1;
  return at;
}
