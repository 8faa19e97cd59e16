/**
 * Objects around puzzles: `{"puzzles": [...]}`, `{"newboard": {"grids": [...]}}`, `{"easy": [...], "hard": [...]}`.
 *
 * A wrapper may be as large as its file, so its members are read one by one, in a stream. The first `MAX_LOOKAHEAD_BYTES`
 * decide whether an object is one.
 */

import { SPACE } from '../bytes/ascii.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { isLabel, isSolutionName, type JsonObject } from './json-members.ts';
import { memberName, repeatedMembers } from './json-repeats.ts';
import { isRule } from './json-rules.ts';
import { hasGrid, holdsPuzzles, isWrapper, parseJson } from './json-value.ts';

/** The first puzzles of a file are in its head, also if wrappers are nested. */
export const MAX_LOOKAHEAD_BYTES = 512 * 1024;

/** Levels of wrappers in wrappers. */
export const MAX_WRAPPERS = 8;

/** @returns members of a wrapper that are rules of all puzzles in it */
export function rulesAround(sink: RecordSink, object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([key, value]) => isRule(key, value) && !holdsPuzzles(sink, value)),
  );
}

/** Whether an object that is damaged or not complete is a wrapper. */
export function opensWrapper(sink: RecordSink, { object, open }: ObjectStart): boolean {
  if (hasGrid(sink, object)) return false;
  if (open !== undefined && !isLabel(open, object[open]) && !isRule(open, true) && !isSolutionName(open))
    return true;
  return isWrapper(sink, object);
}

/** The members of an object, as far as they can be read. */
export interface ObjectStart {
  readonly object: JsonObject;
  /** The first member that is a list or an object without its end, or with damage. */
  readonly open: string | undefined;
  /** A rule that the object has twice, or a member that a rule has twice. */
  readonly repeated: string | undefined;
}

/** Reads the members of an object in the bytes `from` to `to` (exclusive), each alone, up to the first damage. */
export function startOfObject(bytes: Uint8Array, from: number, to: number): ObjectStart {
  const text = decoder.decode(bytes.subarray(from, to));
  const members = new Map<string, unknown>();
  let repeated: string | undefined;
  let after = 1;
  MEMBER.lastIndex = after;
  for (let found = MEMBER.exec(text); found !== null; found = MEMBER.exec(text)) {
    // A bracket between members means that one is missing.
    if (/[[\]{}]/.test(text.slice(after, found.index))) break;
    let value = MEMBER.lastIndex;
    while (text.charCodeAt(value) <= SPACE) value++;
    const end = valueEnd(text, value);
    const whole = text.slice(value, end);
    const parsed = parsedValue(text, value, end);
    const bracket = whole.search(/[[{]/);
    const isList = parsed === undefined && bracket >= 0;
    const key = memberName(`"${found[1]}"`);
    if (isRule(key, true)) {
      if (members.has(key)) repeated ??= key;
      else if (parsed !== undefined) repeated ??= repeatedMembers(whole)[0]?.key;
    }
    members.set(key, parsed ?? (isList ? standIn(whole.slice(bracket)) : whole));
    // Where it ends is a guess: what follows may be in it.
    if (isList) return { object: Object.fromEntries(members), open: key, repeated };
    // A key without a value is followed by the next one.
    after = KEY_END.test(text.slice(end, end + MAX_GAP)) ? value : end;
    MEMBER.lastIndex = after;
  }
  return { object: Object.fromEntries(members), open: undefined, repeated };
}

const KEY_END = /^[^!-\uffff]*:/;
/** Most white space between a key and its colon. */
const MAX_GAP = 16;

/** The next member up to its value; anything below `!` is white space, as for the reader. */
const MEMBER = /"((?:[^"\\\r\n]|\\.)*)"[^!-\uffff]*:/g;

/** The value in the text; undefined if it is no JSON. A value up to the end is not complete: an exception costs more. */
function parsedValue(text: string, from: number, to: number): unknown {
  return to < text.length ? parseJson(text.slice(from, to)) : undefined;
}

/** Offset after the value at `from`: its last bracket or quote, or the separator after it. */
function valueEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') {
      at = stringEnd(text, at) - 1;
      if (depth === 0) return at + 1;
    } else if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (sign === ',' && depth === 0) return at;
  }
  return text.length;
}

function stringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/** A value that starts like a damaged list or object. */
function standIn(text: string): unknown {
  if (text.startsWith('{')) return {};
  // The damage may be before the first element.
  const first = text.slice(1).replace(/^[^[{"\d-]+/, '');
  const element = parsedValue(first, 0, valueEnd(first, 0));
  // As many rows as cells: a grid, unless a row is too long for one.
  if (Array.isArray(element)) return Array(Math.min(element.length, MAX_ROWS)).fill(element);
  return [element ?? (first.startsWith('{') ? {} : [])];
}

const MAX_ROWS = 36;
const decoder = new TextDecoder();
