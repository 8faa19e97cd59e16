/** How the member of a wrapper is read: its puzzles are records, its rules hold for them, and the rest is skipped. */
import { BACKSLASH, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../bytes/ascii.ts';
import { depthOf, memberName, textEnd } from '../bytes/json-scan.ts';
import { isLabel, isSolutionName } from '../objects/members.ts';
import { isPuzzleText } from '../objects/puzzles-in.ts';
import { isRule } from '../objects/rules.ts';
import { type Fault, makeFault } from '../records/fault.ts';
import { solves } from '../records/pair.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { JsonWindow } from './json-window.ts';
import type { Level } from './json-wrapper.ts';

/** What the value of a wrapper's member is. */
export type MemberValue =
  /** A puzzle in a text; with a key, it is named like a rule or a label, and may have puzzles all the same. */
  | { readonly key?: string }
  /** It describes the wrapper, or is not read, and may be of any size. */
  | SkippedValue;

/** How much of a value was skipped: brackets that are open, and whether a string is. */
export interface SkippedValue {
  depth: number;
  inString: boolean;
}

/** How to go on after the name of a member. */
export interface MemberPlan {
  readonly at: number;
  /** Omitted if it is read like a value in a list. */
  readonly value?: MemberValue;
  /** Why the member is an error. */
  readonly fault?: Fault | undefined;
}

/** The name of a member, and where its value is. */
interface Member {
  readonly key: string;
  readonly value: number;
}

/** The member at `at`; undefined if there is none. */
export function memberAt(window: JsonWindow, at: number): Member | undefined {
  const end = window.stringEnd(at);
  const colon = end < 0 ? end : window.next(end);
  const value = colon >= 0 && window.byte(colon) === COLON ? window.next(colon + 1) : -1;
  if (value < 0 || value === window.length) return undefined;
  return { key: memberName(window.bytes, at, end), value };
}

/** How to go on with the value of a wrapper's member. */
export function memberPlan(
  window: JsonWindow,
  sink: RecordSink,
  level: Level,
  { key, value: at }: Member,
): MemberPlan {
  const byte = window.byte(at);
  const isList = byte === OPEN_BRACKET || byte === OPEN_BRACE;
  const isText = byte === QUOTE;
  const isEmpty = isList && depthOf(window.byte(window.next(at + 1))) < 0;
  const isKnown = level.rules[key] !== undefined;
  const named: MemberPlan = { at, value: { key } };
  if (isRule(key, true) && (isList || isText || isKnown)) return isKnown ? skip(at) : named;
  if (isList && isSolutionName(key)) {
    if (isEmpty || level.solutions !== undefined) return skip(at);
    // They are an error if they are not compared.
    const found = `solutions in the member ${JSON.stringify(key)} that cannot be paired with puzzles`;
    const expected = 'one list of as many puzzles, or each solution next to its puzzle';
    return skip(at, makeFault('bad_length', -1, found, expected));
  }
  if (isList && isLabel(key, [])) return named;
  if (isList) return isEmpty ? skip(at) : { at };
  if (!isText) return wordPlan(window, key, at, isKnown);
  const end = window.stringEnd(at);
  const text = end < 0 ? '' : window.string(at + 1, end - 1);
  if (!isPuzzleText(sink, text)) return skip(at);
  if (!solves(text, key)) return { at, value: {} };
  return skip(at, makeFault('bad_character', -1, 'a puzzle as the name of a member', 'puzzles as values'));
}

function skip(at: number, fault?: Fault): MemberPlan {
  return { at, value: { depth: 0, inString: false }, fault };
}

/** A number or a word in a wrapper; `true` may be a rule. */
function wordPlan(window: JsonWindow, key: string, at: number, isKnown: boolean): MemberPlan {
  const end = window.wordEnd(at);
  const word = window.string(at, end);
  const isBad =
    word === 'true' ? !isLabel(key, true) : !WORD.test(word) || (isRule(key, true) && Number(word) > 0);
  const next = { at: Math.max(end, at + 1) };
  if (!isBad || isKnown) return next;
  const found = `the member ${JSON.stringify(key)} (${word.slice(0, 40)}) of an object around puzzles`;
  return { ...next, fault: makeFault('unsupported_variant', -1, found, 'puzzles, and labels') };
}

/** A number, or a word of JSON. */
const WORD = /^(-?[\d.eE+-]+|true|false|null)$/;

/**
 * Goes on with a value that is skipped, from `from` as far as it has arrived.
 *
 * @returns where it ends, or how far it was skipped
 */
export function skipValue(
  { bytes, length }: JsonWindow,
  value: SkippedValue,
  from: number,
): { readonly at: number; readonly isEnd: boolean; readonly fault?: Fault } {
  for (let at = from; at < length; at++) {
    if (value.inString) {
      at = textEnd(bytes, at, length);
      if (at === length || bytes[at] === BACKSLASH) return { at, isEnd: false };
      value.inString = false;
      if (bytes[at] !== QUOTE) {
        const fault = makeFault('bad_character', at, 'a line break', 'the end of a string');
        return { at, isEnd: true, fault };
      }
      if (value.depth === 0) return { at: at + 1, isEnd: true };
      continue;
    }
    const byte = bytes[at];
    const change = depthOf(byte);
    value.inString = byte === QUOTE;
    // The bracket after a number or a word belongs to the wrapper.
    if (value.depth === 0 && (change < 0 || byte === COMMA)) return { at, isEnd: true };
    value.depth += change;
    if (change < 0 && value.depth === 0) return { at: at + 1, isEnd: true };
  }
  return { at: length, isEnd: false };
}
