/**
 * Objects around puzzles: `{"puzzles": [...]}`, `{"newboard": {"grids": [...]}}`, `{"easy": [...], "hard": [...]}`.
 *
 * A wrapper may be as large as its file, so its members are read one by one, in a stream. The first `MAX_LOOKAHEAD_BYTES`
 * decide whether an object is one.
 */

import { textIn } from '../bytes/byte-text.ts';
import { type JsonScan, parseJson, type RepeatedMember } from '../bytes/json-scan.ts';
import { MAX_ROW_LENGTH } from '../objects/grid.ts';
import { isLabel, isObject, isSolutionName, type JsonObject } from '../objects/members.ts';
import { gridKey, holdsPuzzles, isWrapper } from '../objects/puzzles-in.ts';
import { isRule } from '../objects/rules.ts';
import type { RecordSink } from '../records/record-sink.ts';

/** The first puzzles of a file are in its head, also if wrappers are nested. */
export const MAX_LOOKAHEAD_BYTES = 512 * 1024;

/** Levels of wrappers in wrappers. */
export const MAX_WRAPPERS = 8;

/** The file, or a wrapper in it. */
export interface Level {
  /** The members of the wrapper and of those around it that are rules of its puzzles. */
  rules: JsonObject;
  /** The names of its members so far. */
  readonly names: Set<string>;
  /** The solutions of its puzzles that come next, the last one first. */
  readonly solutions?: unknown[] | undefined;
  /** A list of records is open in it. */
  inList: boolean;
}

/** A level as plain data. */
export type LevelState = Omit<Level, 'names'> & { readonly names: readonly string[] };

export const FILE_LEVEL: LevelState = { rules: {}, names: [], inList: false };

/**
 * The level of a wrapper.
 *
 * @param repeated a rule that it has twice, or a member that a rule has twice
 * @param solutions of its puzzles, the last one first
 */
export function openLevel(
  sink: RecordSink,
  around: Level,
  object: JsonObject,
  repeated: string | undefined,
  // Puzzles in an object are paired with solutions next to it.
  solutions = around.solutions,
): Level {
  const own = Object.entries(object).filter(
    ([key, value]) => isRule(key, value) && !holdsPuzzles(sink, value),
  );
  const uncertain = repeated === undefined ? {} : uncertainRule(repeated);
  const rules = { ...around.rules, ...Object.fromEntries(own), ...uncertain };
  return { rules, names: new Set(), solutions, inList: false };
}

/** Makes each puzzle unreadable to which a repeated rule applies. */
export function uncertainRule(key: string): JsonObject {
  return { [`${key} twice`]: true };
}

/** Makes each puzzle unreadable to which the rules of a damaged wrapper may apply. */
export const UNCERTAIN: JsonObject = { 'rules around a damaged puzzle': true };

/**
 * Reads an object as far as it can be read: up to its last bracket or comma, and with the brackets closed that are open
 * there; if there is damage before, up to the first list in a list or object in it.
 *
 * @param from its first byte
 * @returns its members, and a rule that it has twice; undefined if it is no wrapper
 */
export function startOfObject(
  sink: RecordSink,
  bytes: Uint8Array,
  from: number,
  { cuts, repeated }: JsonScan,
): { readonly object: JsonObject; readonly repeated: string | undefined } | undefined {
  for (const cut of cuts) {
    const value = cut && parseJson(textIn(bytes, from, cut.end) + cut.closing);
    if (cut === undefined || !isObject(value)) continue;
    const object: Record<string, unknown> = { ...value };
    // The last member, if it is a list or an object without its end.
    const open = cut.closing.length > 1 ? Object.keys(object).at(-1) : undefined;
    if (open !== undefined) object[open] = asWhole(object[open]);
    const mayHavePuzzles =
      open !== undefined && !isLabel(open, object[open]) && !isRule(open, true) && !isSolutionName(open);
    const isAround = mayHavePuzzles ? gridKey(sink, object) === undefined : isWrapper(sink, object);
    const twice = repeated.find(({ member }) => isRule(member, true))?.key;
    return isAround ? { object, repeated: twice } : undefined;
  }
  return undefined;
}

/** A list that goes on: with as many rows as cells, so that it is a grid, unless a row is too long for one. */
function asWhole(value: unknown): unknown {
  const [first] = Array.isArray(value) ? (value as unknown[]) : [];
  return Array.isArray(first) ? Array(Math.min(first.length, MAX_ROW_LENGTH)).fill(first) : value;
}

/** Whether a repeated member is one of a wrapper, and not of its puzzles. */
export function isOfWrapper({ member, isDirect }: RepeatedMember): boolean {
  return isDirect || isRule(member, true) || isSolutionName(member);
}
