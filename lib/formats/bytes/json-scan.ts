/**
 * The one scanner of JSON: where its tokens are in bytes. A token is a string, a number or a word, or one sign of
 * `[ ] { } , :`. It reads damaged text as well: a string without an end takes the rest.
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
export const MAX_DEPTH = 64;

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

/** Offset after the token at `at`; a line end in a string is part of it. */
export function tokenEnd(bytes: Uint8Array, at: number, to: number): number {
  if (bytes[at] !== QUOTE) return Math.max(at + 1, wordEnd(bytes, at, to));
  let end = textEnd(bytes, at + 1, to);
  while (end < to && bytes[end] !== QUOTE) end = textEnd(bytes, end + 1, to);
  return Math.min(end + 1, to);
}

/** How a token changes the depth of brackets. */
export function depthOf(byte: number): 1 | 0 | -1 {
  if (byte === OPEN_BRACKET || byte === OPEN_BRACE) return 1;
  return byte === CLOSE_BRACKET || byte === CLOSE_BRACE ? -1 : 0;
}

/** Offset after the value at `from`: its last bracket or quote, or the separator after it. */
export function valueEnd(bytes: Uint8Array, from: number, to: number): number {
  let depth = 0;
  let at = tokenStart(bytes, from, to);
  while (at < to) {
    const byte = bytes[at];
    const change = depthOf(byte);
    if (depth === 0 && (change < 0 || byte === COMMA)) return at;
    depth += change;
    const end = tokenEnd(bytes, at, to);
    if (depth === 0 && (change < 0 || byte === QUOTE)) return end;
    at = tokenStart(bytes, end, to);
  }
  return to;
}

/** Offset of scalar `index` of a record, from 0: a string, whose text it is, a number or a word, or a whole object. */
export function scalarOffset(bytes: Uint8Array, from: number, to: number, index: number): number {
  let seen = 0;
  for (let at = tokenStart(bytes, from, to); at < to; ) {
    const byte = bytes[at];
    const isScalar = byte === OPEN_BRACE || (depthOf(byte) === 0 && byte !== COMMA && byte !== COLON);
    if (isScalar && seen++ === index) return byte === QUOTE ? at + 1 : at;
    at = tokenStart(bytes, byte === OPEN_BRACE ? valueEnd(bytes, at, to) : tokenEnd(bytes, at, to), to);
  }
  return from;
}

/** A member that is the second one with its name in its object. */
export interface RepeatedMember {
  readonly key: string;
  /** The member of the outermost object that has it; itself, if that is its object. */
  readonly member: string;
  /** Whether the outermost object has it. */
  readonly isDirect: boolean;
}

/** A value of JSON, and what a parser does not tell: it keeps only the last one of two members with a name. */
export interface JsonValue {
  readonly value: unknown;
  /** Members that an object has twice: `{"cages":[{...}],"puzzle":"53..7....","cages":[]}` has cages. */
  readonly repeated: readonly RepeatedMember[];
}

/** @returns the value, its integers beyond 2^53 as texts with all their digits; undefined if the text is no JSON */
export function parseJson(bytes: Uint8Array, from = 0, to = bytes.length): JsonValue | undefined {
  return parseText(decoder.decode(bytes.subarray(from, to)), bytes, from, to);
}

/**
 * `parseJson` of a text.
 *
 * @param bytes of the text, from `from` to `to` (exclusive)
 */
export function parseText(
  text: string,
  bytes: Uint8Array = new TextEncoder().encode(text),
  from = 0,
  to = bytes.length,
): JsonValue | undefined {
  try {
    const value: unknown = LARGE_INTEGER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
    // Most records are grids, without names.
    const repeated = text.includes('{') ? repeatedMembers(bytes, from, to) : [];
    return repeated && { value, repeated };
  } catch {
    // Invalid JSON is expected input: the caller makes an error of it.
    return undefined;
  }
}

const decoder = new TextDecoder();

/** Digits after a sign of JSON, more than every double holds. */
const LARGE_INTEGER = /[:,[\s]-?\d{16}/;

function keepDigits(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  const isExact = typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isInteger(value);
  return isExact ? value : (context?.source ?? value);
}

/** The members that valid JSON has twice; undefined if it is nested deeper than any puzzle. */
function repeatedMembers(bytes: Uint8Array, from: number, to: number): RepeatedMember[] | undefined {
  /** The names of each open object. A list needs none: what is in it has no name. */
  const open: Set<string>[] = [];
  const repeated: RepeatedMember[] = [];
  let member = '';
  let depth = 0;
  let string = from;
  for (let at = tokenStart(bytes, from, to); at < to; ) {
    const byte = bytes[at];
    const end = tokenEnd(bytes, at, to);
    depth += depthOf(byte);
    if (depth > MAX_DEPTH) return undefined;
    if (byte === QUOTE) string = at;
    else if (byte === COLON) {
      const key = memberName(bytes, string, tokenEnd(bytes, string, to));
      const names = open[open.length - 1];
      if (open.length === 1) member = key;
      if (names.has(key)) repeated.push({ key, member, isDirect: open.length === 1 });
      names.add(key);
    } else if (byte === OPEN_BRACE) open.push(new Set());
    else if (byte === CLOSE_BRACE) open.pop();
    at = tokenStart(bytes, end, to);
  }
  return repeated;
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
