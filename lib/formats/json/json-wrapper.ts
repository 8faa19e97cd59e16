/**
 * Objects around puzzles: `{"puzzles": [...]}`, `{"newboard": {"grids": [...]}}`, `{"easy": [...], "hard": [...]}`.
 *
 * A wrapper may be as large as its file, so its members are read one by one, in a stream. The first `MAX_LOOKAHEAD_BYTES`
 * decide whether an object is one.
 */

import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE } from '../bytes/ascii.ts';
import { depthOf, parseText, type RepeatedMember, tokenEnd, tokenStart } from '../bytes/json-scan.ts';
import { isLabel, isObject, isSolutionName, type JsonObject } from '../objects/members.ts';
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

/** The members of an object that is damaged or not complete, as far as they can be read. */
export interface ObjectStart {
  readonly object: JsonObject;
  /** The last member, if it is a list or an object without its end. */
  readonly open: string | undefined;
  /** A rule that the object has twice, or a member that a rule has twice. */
  readonly repeated: string | undefined;
}

/** Whether an object that is damaged or not complete is a wrapper. */
export function opensWrapper(sink: RecordSink, { object, open }: ObjectStart): boolean {
  if (gridKey(sink, object) !== undefined) return false;
  if (open !== undefined && !isLabel(open, object[open]) && !isRule(open, true) && !isSolutionName(open))
    return true;
  return isWrapper(sink, object);
}

/**
 * Reads an object whose bytes `from` to `to` (exclusive) are all that can be read of it: up to its last bracket or comma, and
 * with the brackets closed that are open there; if there is damage before, up to the first list in a list or object in it.
 */
export function startOfObject(bytes: Uint8Array, from: number, to: number): ObjectStart {
  /** The brackets that close those which are open, the innermost first. */
  let closing = '';
  let start = { end: from, closing };
  let first: typeof start | undefined;
  for (let at = tokenStart(bytes, from, to); at < to; ) {
    const end = tokenEnd(bytes, at, to);
    const change = depthOf(bytes[at]);
    if (change > 0) {
      closing = String.fromCharCode(bytes[at] === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET) + closing;
      start = { end, closing };
      if (closing.length === INNER_DEPTH) first ??= start;
    } else if (change < 0) closing = closing.slice(1);
    else if (bytes[at] === COMMA) start = { end: at, closing };
    at = tokenStart(bytes, end, to);
  }
  const parse = (part: typeof start) =>
    parseText(decoder.decode(bytes.subarray(from, part.end)) + part.closing);
  let parsed = parse(start);
  if (parsed === undefined && first !== undefined) {
    start = first;
    parsed = parse(first);
  }
  const object = isObject(parsed?.value) ? { ...parsed.value } : {};
  const last = start.closing.length > 1 ? Object.keys(object).at(-1) : undefined;
  if (last !== undefined) object[last] = asWhole(object[last]);
  return {
    object,
    open: last,
    repeated: parsed?.repeated.find(({ member }) => isRule(member, true))?.key,
  };
}

/** A list that goes on: with as many rows as cells, so that it is a grid, unless a row is too long for one. */
function asWhole(value: unknown): unknown {
  const [first] = Array.isArray(value) ? (value as unknown[]) : [];
  return Array.isArray(first) ? Array(Math.min(first.length, MAX_ROWS)).fill(first) : value;
}

/** Brackets around the first element of a list in an object. */
const INNER_DEPTH = 3;
const MAX_ROWS = 36;
const decoder = new TextDecoder();

/** Whether a repeated member is one of a wrapper, and not of its puzzles. */
export function isOfWrapper({ member, isDirect }: RepeatedMember): boolean {
  return isDirect || isRule(member, true) || isSolutionName(member);
}
