/**
 * Objects around puzzles: `{"puzzles": [...]}`, `{"newboard": {"grids": [...]}}`, `{"easy": [...], "hard": [...]}`.
 *
 * A wrapper may be as large as its file, so its members are read one by one, in a stream. The first `MAX_LOOKAHEAD_BYTES`
 * decide whether an object is one.
 */

import { COLON, DASH, NINE, OPEN_BRACE, QUOTE, ZERO } from '../bytes/ascii.ts';
import {
  depthOf,
  type JsonValue,
  memberName,
  parseJson,
  type RepeatedMember,
  textEnd,
  tokenStart,
  valueEnd,
} from '../bytes/json-scan.ts';
import { isLabel, isSolutionName, type JsonObject } from '../objects/members.ts';
import { gridKey, holdsPuzzles, isWrapper } from '../objects/puzzles-in.ts';
import { isRule } from '../objects/rules.ts';
import type { RecordSink } from '../records/record-sink.ts';

/** The first puzzles of a file are in its head, also if wrappers are nested. */
export const MAX_LOOKAHEAD_BYTES = 512 * 1024;

/** @returns members of a wrapper that are rules of all puzzles in it */
export function rulesAround(sink: RecordSink, object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([key, value]) => isRule(key, value) && !holdsPuzzles(sink, value)),
  );
}

/** Whether an object that is damaged or not complete is a wrapper. */
export function opensWrapper(sink: RecordSink, { object, open }: ObjectStart): boolean {
  if (gridKey(sink, object) !== undefined) return false;
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
  const members = new Map<string, unknown>();
  let repeated: string | undefined;
  let after = from + 1;
  for (let name = nextName(bytes, after, to); name !== undefined; name = nextName(bytes, after, to)) {
    // A bracket between members means that one is missing.
    if (bytes.subarray(after, name.from).some((byte) => depthOf(byte) !== 0)) break;
    const start = tokenStart(bytes, name.after, to);
    const end = valueEnd(bytes, start, to);
    const parsed = valueIn(bytes, start, end, to);
    const bracket = bytes.subarray(start, end).findIndex((byte) => depthOf(byte) > 0);
    const isList = parsed === undefined && bracket >= 0;
    const key = memberName(bytes, name.from, name.to);
    if (isRule(key, true)) {
      if (members.has(key)) repeated ??= key;
      else repeated ??= parsed?.repeated[0]?.key;
    }
    if (parsed !== undefined) members.set(key, parsed.value);
    else members.set(key, isList ? standIn(bytes, start + bracket, end) : textIn(bytes, start, end));
    // Where it ends is a guess: what follows may be in it.
    if (isList) return { object: Object.fromEntries(members), open: key, repeated };
    // A key without a value is followed by the next one.
    after = bytes[tokenStart(bytes, end, to)] === COLON ? start : end;
  }
  return { object: Object.fromEntries(members), open: undefined, repeated };
}

/** Offsets of the name of a member, with its quotes, and after its colon. */
interface NamePlace {
  readonly from: number;
  readonly to: number;
  readonly after: number;
}

/** The next string on one line with a colon after it; undefined if there is none. */
function nextName(bytes: Uint8Array, from: number, to: number): NamePlace | undefined {
  for (let at = bytes.indexOf(QUOTE, from); at >= 0 && at < to; at = bytes.indexOf(QUOTE, at + 1)) {
    const end = textEnd(bytes, at + 1, to);
    const colon = tokenStart(bytes, end + 1, to);
    if (bytes[end] === QUOTE && colon < to && bytes[colon] === COLON) {
      return { from: at, to: end + 1, after: colon + 1 };
    }
  }
  return undefined;
}

/** The value from `start` on; undefined if it is no JSON. A value up to the end is not complete: an exception costs more. */
function valueIn(bytes: Uint8Array, start: number, end: number, to: number): JsonValue | undefined {
  return end < to ? parseJson(bytes, start, end) : undefined;
}

function textIn(bytes: Uint8Array, from: number, to: number): string {
  return decoder.decode(bytes.subarray(from, to));
}

/** A value that starts like a damaged list or object. */
function standIn(bytes: Uint8Array, from: number, to: number): unknown {
  if (bytes[from] === OPEN_BRACE) return {};
  // The damage may be before the first element.
  let first = from + 1;
  while (first < to && !startsElement(bytes[first])) first++;
  const element = valueIn(bytes, first, valueEnd(bytes, first, to), to)?.value;
  // As many rows as cells: a grid, unless a row is too long for one.
  if (Array.isArray(element)) return Array(Math.min(element.length, MAX_ROWS)).fill(element);
  return [element ?? (bytes[first] === OPEN_BRACE ? {} : [])];
}

function startsElement(byte: number): boolean {
  return depthOf(byte) > 0 || byte === QUOTE || byte === DASH || (byte >= ZERO && byte <= NINE);
}

const MAX_ROWS = 36;
const decoder = new TextDecoder();

/** Whether a repeated member is one of a wrapper, and not of its puzzles. */
export function isOfWrapper({ member, isDirect }: RepeatedMember): boolean {
  return isDirect || isRule(member, true) || isSolutionName(member);
}
