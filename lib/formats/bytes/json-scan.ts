/**
 * The one scanner of JSON: where its tokens are in bytes. A token is a string, a number or a word, or one sign of
 * `[ ] { } , :`. It reads damaged text as well, up to the damage.
 */
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  CR,
  LF,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from './ascii.ts';
import { textIn } from './byte-text.ts';

/** Levels that are read: the deepest data of puzzle editors has about ten. Deeper values would overflow the stack. */
const MAX_DEPTH = 64;

/** Brackets around the first element of a list in an object. */
const INNER_DEPTH = 3;

/** By byte: 1 if it has no special meaning in a string. */
const TEXT = new Uint8Array(256).fill(1);
for (const byte of [QUOTE, BACKSLASH, LF, CR]) TEXT[byte] = 0;

/** By byte: 1 if a number or a word may go on with it. */
const WORD = new Uint8Array(256).fill(1, SPACE + 1);
for (const byte of [COMMA, CLOSE_BRACKET, CLOSE_BRACE, OPEN_BRACKET, OPEN_BRACE, QUOTE, COLON])
  WORD[byte] = 0;

/**
 * In a string: the offset of its closing quote, of a line end, or of an escape that is not complete; `to` if there is
 * none.
 *
 * @param from in the string, not in an escape
 */
export function textEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  for (; at < to; at++) {
    if (TEXT[bytes[at]] === 1) continue;
    if (bytes[at] !== BACKSLASH || at + 1 === to) return at;
    at++;
  }
  return Math.min(at, to);
}

/** Offset after the number or word at `from`. */
export function wordEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && WORD[bytes[at]] === 1) at++;
  return at;
}

/** Offset of the first token from `from` on; `to` if there is none. */
export function tokenStart(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] <= SPACE) at++;
  return at;
}

/** How a token changes the depth of brackets. */
export function depthOf(byte: number): 1 | 0 | -1 {
  if (byte === OPEN_BRACKET || byte === OPEN_BRACE) return 1;
  return byte === CLOSE_BRACKET || byte === CLOSE_BRACE ? -1 : 0;
}

/** A member of the outermost object: its name, and the bytes of its value. */
export interface Member {
  readonly key: string;
  from: number;
  to: number;
}

/** A member that is the second one with its name in its object: a parser keeps only the last one. */
export interface RepeatedMember {
  readonly key: string;
  /** The member of the outermost object that has it; itself, if that is its object. */
  readonly member: string;
  /** Whether the outermost object has it. */
  readonly isDirect: boolean;
}

/** Where a value that is damaged can be cut, and the brackets that close those which are open there. */
export interface JsonCut {
  readonly end: number;
  readonly closing: string;
}

/** What the tokens of a value are, whether or not it is JSON. */
export interface JsonScan {
  /** Offset after the value; where it cannot be read on, if it is damaged or goes on. */
  readonly at: number;
  /** Set if it is damaged. */
  readonly damage?: { readonly found: string; readonly expected: string };
  /** Whether its brackets close, or its string. */
  readonly isClosed: boolean;
  /** Whether there are brackets in its brackets. */
  readonly isNested: boolean;
  /** Of the outermost object. */
  readonly members: readonly Member[];
  /** Members that an object has twice: `{"cages":[{...}],"puzzle":"53..7....","cages":[]}` has cages. */
  readonly repeated: readonly RepeatedMember[];
  /** The last comma or opening bracket, and the first list or object in a list or object of the outermost one. */
  readonly cuts: readonly [last: JsonCut, inner: JsonCut | undefined];
  /** Offset of the scalar that was asked for; `from` if there is none. */
  readonly scalar: number;
}

/**
 * Scans the value at `from` up to the bracket that closes its first one, or to its closing quote.
 *
 * A value whose brackets do not close would take its neighbours with it, so signs that no value has are damage: a
 * missing quote swaps strings with the text between them, an extra bracket joins values, a missing one nests them.
 *
 * @param from a bracket or a quote
 * @param most brackets of lists that are in no object; more are damage
 * @param scalar index of a string, whose text it is, of a number or a word, or of a whole object
 */
export function scanJson(
  bytes: Uint8Array,
  from: number,
  to: number,
  most = MAX_DEPTH,
  scalar = -1,
): JsonScan {
  /** The brackets that close those which are open, the innermost first. */
  let open = '';
  let braces = 0;
  let isNested = false;
  let afterValue = false;
  let afterColon = false;
  /** The last string, and the end of the last token. */
  let string = from;
  let end = from;
  /** The names in each open object. */
  const names: Set<string>[] = [];
  const members: Member[] = [];
  const repeated: RepeatedMember[] = [];
  // The last comma or opening bracket, and the brackets that close those which are open there.
  let [lastEnd, lastClosing] = [from, ''];
  let inner: JsonCut | undefined;
  let seen = 0;
  let place = from;
  const result = (at: number, isClosed: boolean, damage?: JsonScan['damage']): JsonScan => {
    const cuts = [{ end: lastEnd, closing: lastClosing }, inner] as const;
    return { at, isClosed, isNested, members, repeated, cuts, scalar: place, ...(damage && { damage }) };
  };
  const damaged = (at: number, expected: string, found = String.fromCharCode(bytes[at])) =>
    result(at, false, { found, expected });
  for (let at = tokenStart(bytes, from, to); at < to; at = tokenStart(bytes, end, to)) {
    const byte = bytes[at];
    const change = depthOf(byte);
    if (afterValue && change >= 0 && byte !== COMMA && byte !== COLON) return damaged(at, ',');
    const isMember = afterColon;
    afterColon = byte === COLON;
    afterValue = false;
    if (isMember && open.length === 1) members[members.length - 1].from = at;
    const isScalar = byte === OPEN_BRACE || (change === 0 && byte !== COMMA && byte !== COLON);
    if (isScalar && braces === 0 && seen++ === scalar) place = byte === QUOTE ? at + 1 : at;
    if (byte === QUOTE) {
      const close = textEnd(bytes, at + 1, to);
      if (close === to || bytes[close] === BACKSLASH) break;
      if (bytes[close] !== QUOTE) return damaged(close, 'the end of a string', 'a line break');
      string = at;
      end = close + 1;
      if (open === '') return result(end, true);
      afterValue = true;
    } else if (change > 0) {
      if (!isMember && open[0] === '}') return damaged(at, '"');
      isNested ||= open !== '';
      open = (byte === OPEN_BRACE ? '}' : ']') + open;
      if (byte === OPEN_BRACE) {
        braces++;
        names.push(new Set());
      } else if (braces === 0 && open.length > most) return damaged(beforeNested(bytes, from, at), ']');
      if (open.length > MAX_DEPTH) return damaged(at, ']');
      end = at + 1;
      [lastEnd, lastClosing] = [end, open];
      if (open.length === INNER_DEPTH) inner ??= { end, closing: open };
    } else if (change < 0) {
      if (open.charCodeAt(0) !== byte && braces > 0) return damaged(at, open[0]);
      if (open.length === 1 && members.length > 0) members[members.length - 1].to = end;
      if (byte === CLOSE_BRACE) {
        braces--;
        names.pop();
      }
      open = open.slice(1);
      end = at + 1;
      if (open === '') return result(end, true);
      afterValue = true;
    } else if (byte === COLON) {
      const key = memberName(bytes, string, end);
      const own = names.at(-1);
      const isDirect = open.length === 1;
      if (isDirect) members.push({ key, from: at, to: at });
      if (own?.has(key)) repeated.push({ key, member: members[members.length - 1].key, isDirect });
      own?.add(key);
      end = at + 1;
    } else if (byte === COMMA) {
      if (open.length === 1 && members.length > 0) members[members.length - 1].to = end;
      [lastEnd, lastClosing] = [at, open];
      end = at + 1;
    } else end = wordEnd(bytes, at, to);
  }
  return result(to, false);
}

/** Where to look for the next value after a bracket opens too deep: at the adjacent bracket before it, if any. */
function beforeNested(bytes: Uint8Array, from: number, at: number): number {
  let before = at - 1;
  while (before > from && bytes[before] <= SPACE) before--;
  return bytes[before] === OPEN_BRACKET && before > from ? before : at;
}

/** A value of JSON, and what a parser does not tell. */
export interface JsonValue {
  readonly value: unknown;
  readonly repeated: readonly RepeatedMember[];
}

/** @returns the value of a text and the members that it has twice; undefined if it is no JSON, or too deep */
export function parseText(text: string): JsonValue | undefined {
  const value = parseJson(text);
  // Most texts are grids, without names.
  if (value === undefined || !text.includes('{'))
    return value === undefined ? undefined : { value, repeated: [] };
  const bytes = new TextEncoder().encode(text);
  const { isClosed, repeated } = scanJson(bytes, tokenStart(bytes, 0, bytes.length), bytes.length);
  return isClosed ? { value, repeated } : undefined;
}

/** @returns the value, its integers beyond 2^53 as texts with all their digits; undefined if the text is no JSON */
export function parseJson(text: string): unknown {
  try {
    return LARGE_INTEGER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch {
    // Invalid JSON is expected input: the caller makes an error of it.
    return undefined;
  }
}

/** Digits after a sign of JSON, more than every double holds. */
const LARGE_INTEGER = /[:,[\s]-?\d{16}/;

function keepDigits(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  const isExact = typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isInteger(value);
  return isExact ? value : (context?.source ?? value);
}

/** The name in the string at `from`, with its quotes. */
export function memberName(bytes: Uint8Array, from: number, to: number): string {
  const text = textIn(bytes, from, to);
  if (!text.includes('\\')) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    // Escapes that are none: the name is as good as it is.
    return text.slice(1, -1);
  }
}
