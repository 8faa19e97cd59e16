/**
 * How an object with a puzzle stands in its bytes, so that others that stand alike are taken straight from theirs:
 *
 *     {"id":12,"puzzle":"53..7....","clues":30,"solution":"534678912..."}
 *     literal  id literal cells     literal -  literal    cells        literal
 *
 * Literals must be the same byte for byte, cells as many; the id and what nobody asks for (`-`) may have any length, but
 * stay numbers, or strings without escapes. All of it stands on one line.
 */
import { GRID_KEYS, ID_KEYS, PUZZLE_KEYS, SOLUTION_KEYS } from './json-value.ts';

/** What stands between two literals. */
type Part = 'id' | 'puzzle' | 'solution' | 'other';

export interface ObjectTemplate {
  /** One more than `parts`. */
  readonly literals: readonly Uint8Array[];
  readonly parts: readonly Part[];
  /** By part: whether it is a string; its quotes are in the literals. */
  readonly quoted: readonly boolean[];
  readonly cellCount: number;
}

/** Where the parts of an object stand that has a form. */
export interface ObjectOffsets {
  /** Behind its last bracket. */
  end: number;
  puzzle: number;
  /** Negative where there is none. */
  solution: number;
  /** Negative where there is none; `idEnd` is behind it. */
  id: number;
  idEnd: number;
}

/** Members that tell more of a puzzle than its cells. */
const RULES = ['variant', 'regions', 'box'];
/** One member with the white space around it: up to its value, the quote before that, the value, what is behind it. */
const MEMBER = /([ \t]*"([ !#-[\]-~]*)"[ \t]*:[ \t]*)(?:"([ !#-[\]-~]*)"|(0|[1-9]\d{0,14}))([ \t]*[,}])/y;

/**
 * The form of the object in the bytes `from` to `to` (exclusive); undefined where it has members of other kinds.
 *
 * @param cellCount of its puzzle
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
    if (MEMBER.lastIndex === text.length) return formOf(text, members, cellCount);
  }
  return undefined;
}

function formOf(
  text: string,
  members: ReadonlyArray<{ key: string; value: string; quoted: boolean; at: number }>,
  cellCount: number,
): ObjectTemplate | undefined {
  const keys = members.map(({ key }) => key);
  const first = (wanted: readonly string[]) => wanted.find((key) => keys.includes(key));
  const puzzle = first(GRID_KEYS);
  if (puzzle === undefined || !PUZZLE_KEYS.includes(puzzle)) return undefined;
  if (RULES.some((key) => keys.includes(key))) return undefined;
  const [solution, id] = [first(SOLUTION_KEYS), first(ID_KEYS)];
  const part = (key: string): Part =>
    key === puzzle ? 'puzzle' : key === solution ? 'solution' : key === id ? 'id' : 'other';
  const literals: Uint8Array[] = [];
  let from = 0;
  for (const { key, value, quoted, at } of members) {
    const isGrid = key === puzzle || key === solution;
    if (isGrid && (!quoted || value.length !== cellCount)) return undefined;
    literals.push(encoder.encode(text.slice(from, at)));
    from = at + value.length;
  }
  literals.push(encoder.encode(text.slice(from)));
  return {
    literals,
    parts: keys.map(part),
    quoted: members.map(({ quoted }) => quoted),
    cellCount,
  };
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

const QUOTE = 34;
const BACKSLASH = 92;
const ZERO = 48;
const NINE = 57;
/** Longest number that a double holds exactly. */
const MAX_DIGITS = 15;

/**
 * Finds the parts of an object of that form in `bytes` from `from` on.
 *
 * @param length bytes that are there
 * @returns whether it is one, and all of it is there
 */
export function findParts(
  form: ObjectTemplate,
  bytes: Uint8Array,
  from: number,
  length: number,
  into: ObjectOffsets,
): boolean {
  const { literals, parts, quoted, cellCount } = form;
  into.solution = -1;
  into.id = -1;
  let at = from;
  for (let k = 0; k <= parts.length; k++) {
    const literal = literals[k];
    if (at + literal.length > length) return false;
    for (let byte = 0; byte < literal.length; byte++) if (bytes[at + byte] !== literal[byte]) return false;
    at += literal.length;
    if (k === parts.length) break;
    const part = parts[k];
    if (part === 'puzzle' || part === 'solution') {
      into[part] = at;
      at += cellCount;
      continue;
    }
    const end = quoted[k] ? textEnd(bytes, at, length) : numberEnd(bytes, at, length);
    if (end < 0) return false;
    if (part === 'id') {
      into.id = at;
      into.idEnd = end;
    }
    at = end;
  }
  into.end = at;
  return true;
}

/** The quote behind a string without escapes; negative where there is none. */
function textEnd(bytes: Uint8Array, from: number, length: number): number {
  let at = from;
  while (at < length && bytes[at] >= 32 && bytes[at] < 127 && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH)
    at++;
  return at < length && bytes[at] === QUOTE ? at : -1;
}

/** Behind a whole number; negative where there is none. */
function numberEnd(bytes: Uint8Array, from: number, length: number): number {
  let at = from;
  while (at < length && bytes[at] >= ZERO && bytes[at] <= NINE) at++;
  const digits = at - from;
  if (digits === 0 || digits > MAX_DIGITS || (digits > 1 && bytes[from] === ZERO)) return -1;
  return at;
}
