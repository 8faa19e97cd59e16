/**
 * Objects around puzzles: `{"puzzles": [...]}`, `{"newboard": {"grids": [...]}}`, `{"easy": [...], "hard": [...]}`.
 *
 * A wrapper may be as large as its file, so its members are read one by one, in a stream. The first `MAX_LOOKAHEAD_BYTES`
 * decide whether an object is one.
 */
import type { RecordSink } from '../records/record-sink.ts';
import { isLabel } from './json-members.ts';
import { isRule } from './json-rules.ts';
import { hasGrid, holdsPuzzles, type JsonObject } from './json-value.ts';

/** The first puzzles of a file are in its head, also if wrappers are nested. */
export const MAX_LOOKAHEAD_BYTES = 128 * 1024;

/** Levels of wrappers in wrappers. */
export const MAX_WRAPPERS = 8;

/** @returns members of a wrapper that are rules of all puzzles in it */
export function rulesAround(sink: RecordSink, object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([key, value]) => isRule(key, value) && !holdsPuzzles(sink, value)),
  );
}

/** Whether an object that is not complete is a wrapper; `open` is the member whose value is not complete, if any. */
export function opensWrapper(sink: RecordSink, { object, open }: ObjectStart): boolean {
  if (hasGrid(sink, object)) return false;
  const member: unknown = open === undefined ? undefined : object[open];
  return open !== undefined && typeof member === 'object' && !isLabel(open, member) && !isRule(open, true);
}

/** The front of an object. */
export interface ObjectStart {
  /** Its complete members, and the front of the last one. */
  readonly object: JsonObject;
  /** The member that is a list or an object without an end. */
  readonly open: string | undefined;
}

/** Parses the front of an object in the bytes `from` to `to` (exclusive); undefined if it is damaged. */
export function startOfObject(bytes: Uint8Array, from: number, to: number): ObjectStart | undefined {
  let inString = false;
  let cut = from;
  let open: string[] = [];
  let closers: readonly string[] = [];
  const cutAt = (at: number) => {
    cut = at;
    closers = [...open];
  };
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === BACKSLASH && inString) at++;
    else if (byte === QUOTE) inString = !inString;
    else if (inString) continue;
    else if (byte === OPEN || byte === BRACE) {
      open.push(byte === OPEN ? ']' : '}');
      if (open.length > MAX_DEPTH) return undefined;
      cutAt(at + 1);
    } else if (byte === CLOSE || byte === UNBRACE) {
      open = open.slice(0, -1);
      cutAt(at + 1);
    } else if (byte === COMMA) cutAt(at);
  }
  try {
    const text = decoder.decode(bytes.subarray(from, cut)) + [...closers].reverse().join('');
    const object = JSON.parse(text) as JsonObject;
    return { object, open: closers.length > 1 ? Object.keys(object).at(-1) : undefined };
  } catch {
    // A damaged front is expected input; the reader reports the damage.
    return undefined;
  }
}

const decoder = new TextDecoder();
const MAX_DEPTH = 64;
const QUOTE = 34;
const BACKSLASH = 92;
const OPEN = 91;
const CLOSE = 93;
const BRACE = 123;
const UNBRACE = 125;
const COMMA = 44;
