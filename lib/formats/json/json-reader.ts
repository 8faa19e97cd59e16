/**
 * Splits a stream of JSON into records by its brackets, see README.md.
 *
 *     [ [["5",..],..] , [["1",..],..] ]
 *     ^ |--record---|   |--record---| ^
 *     list opens                      list closes
 *
 * Each step reads from `at` as if the whole file were there, see `bytes/arrival.ts`, and moves `at` on.
 */

import {
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
} from '../bytes/ascii.ts';
import { excerptIn } from '../bytes/byte-text.ts';
import { parseJson, scanJson } from '../bytes/json-scan.ts';
import { isLabel, isObject, type JsonObject } from '../objects/members.ts';
import { enterValue, lateRuleFault, repeatFault } from '../objects/puzzle-object.ts';
import { holdsPuzzles, isEmptyWrapper, isWrapper, solutionsIn } from '../objects/puzzles-in.ts';
import { isRule } from '../objects/rules.ts';
import type { ReaderCheckpoint, ReaderState, RecordReader } from '../reader.ts';
import { CommentLog } from '../records/comment-log.ts';
import { errorAt, type Fault, makeFault } from '../records/fault.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { recordReader } from '../records/record-stream.ts';
import { debrisEnd, innerBracket, isDamage, MIN_GRID_BYTES } from './json-damage.ts';
import { isPuzzleLong, openingAt } from './json-opening.ts';
import { type MemberPlan, memberAt, memberPlan, type SkippedValue, skipValue } from './json-plan.ts';
import {
  commentEnd,
  endOfFile,
  endOfRecord,
  isNull,
  MAX_RECORD_BYTES,
  type RecordEnd,
  wordBetween,
} from './json-record.ts';
import { jsonFastPath } from './json-template.ts';
import { JsonWindow } from './json-window.ts';
import {
  FILE_LEVEL,
  isOfWrapper,
  type Level,
  type LevelState,
  MAX_LOOKAHEAD_BYTES,
  MAX_WRAPPERS,
  openLevel,
  startOfObject,
  UNCERTAIN,
  uncertainRule,
} from './json-wrapper.ts';

/** A step that is interrupted is repeated when what has arrived from `at` on has grown by this part. */
const GROWTH = 1 / 8;
/** Far from all offsets. */
const NOWHERE = -MIN_GRID_BYTES;
/** Members of a wrapper whose names are kept: most have a few, some have one for each puzzle. */
const MAX_NAMES = 256;

/** @param from state of a reader that has read everything before */
export function jsonReader(sink: RecordSink, from?: ReaderState): RecordReader {
  const { book, work } = sink;
  const window = new JsonWindow(from);
  const fastPath = jsonFastPath(sink, window);
  const comments = new CommentLog();
  /** Offset of the next byte. */
  let at = 0;
  /** Bytes of the window with which a step that was interrupted is repeated. */
  let wanted = 0;
  /** The file, and the wrappers in it, outermost first. */
  const levels = ((from?.levels ?? [FILE_LEVEL]) as LevelState[]).map(
    (level): Level => ({ ...level, names: new Set(level.names) }),
  );
  let top = levels[levels.length - 1];
  let value: MemberPlan['value'];
  /** Nothing was read, not even a byte-order mark. */
  let atStart = from === undefined;
  /** Only white space precedes `at` on its line. */
  let freshLine = atStart || from?.freshLine === true;
  /** Looking for the next record after damage. */
  let lost = false;
  /** In damage: the last byte before `at` is a colon, so the value of a member follows. */
  let afterColon = false;
  /** Offset of the last broken start, if nothing was read after it. */
  let broken = NOWHERE;

  function feed(bytes: Uint8Array): boolean {
    window.feed(bytes, at);
    wanted -= at;
    broken -= at;
    at = 0;
    return window.length >= wanted;
  }

  function checkpoint(): ReaderCheckpoint | undefined {
    if (value !== undefined || lost || atStart || at - broken < MIN_GRID_BYTES) return undefined;
    if (levels.some(({ solutions }) => solutions !== undefined)) return undefined;
    window.moveTo(at);
    const state = {
      ...window.position.state(),
      levels: levels.map((level): LevelState => ({ ...level, names: [...level.names] })),
      freshLine,
      sink: sink.state(),
    };
    return { state, unreadBytes: window.length - at };
  }

  function step(): boolean {
    wanted = window.length + (window.length - at) * GROWTH;
    if (atStart) {
      at = window.skipMark();
      atStart = false;
    }
    if (value !== undefined) {
      if ('depth' in value) skipOn(value);
      else takeRecord(value.key);
    } else {
      skipSpace();
      const byte = window.byte(at);
      if (at === window.length) return false;
      const isFresh = freshLine && levels.length === 1 && !top.inList;
      if (lost) search(byte, isFresh);
      else takeNext(byte, isFresh);
    }
    freshLine = false;
    return true;
  }

  /** Moves over white space, and commas between records. */
  function skipSpace(): void {
    const { bytes, length } = window;
    for (; at < length; at++) {
      const byte = bytes[at];
      if (byte === LF || byte === CR) freshLine = true;
      else if (byte === COMMA) afterColon = false;
      else if (byte > SPACE) break;
    }
  }

  /** @param isFresh whether what comes next starts a line, outside of all brackets */
  function takeNext(byte: number, isFresh: boolean): void {
    if (byte === QUOTE && levels.length > 1 && !top.inList) takeMember();
    else if (byte === OPEN_BRACKET && openingAt(window, book, at, top.inList, false) === 'list') openList();
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE || byte === QUOTE) takeRecord();
    else if (byte === CLOSE_BRACKET) {
      // The ends of wrappers in the list may be missing.
      const level = levels.findLastIndex(({ inList }) => inList);
      if (level >= 0) leaveTo(level);
      top.inList = false;
      at++;
    } else if (byte === CLOSE_BRACE && levels.length > 1) {
      leaveTo(levels.length - 2);
      at++;
    } else if (!isFresh || !skipComment()) takeWord();
  }

  /** Leaves the levels in another one. */
  function leaveTo(level: number): void {
    if (levels.length > level + 1) fastPath.clear();
    levels.length = level + 1;
    top = levels[level];
  }

  /** In damage: takes the next record, or moves on; see `takeNext`. */
  function search(byte: number, isFresh: boolean): void {
    const inner = byte === OPEN_BRACKET ? innerBracket(window, at) : at;
    const mayOpen = byte === OPEN_BRACKET && inner === at;
    const opens = mayOpen ? openingAt(window, book, at, top.inList, true) : undefined;
    if (inner > at) at = inner;
    else if (opens === 'list') openList();
    else if (
      byte === OPEN_BRACE ||
      opens === 'grid' ||
      (opens === 'row' && isFresh) ||
      (byte === QUOTE && (isFresh || (!afterColon && isPuzzleLong(window, book, at))))
    ) {
      takeRecord();
    } else {
      at = debrisEnd(window, at, top.inList);
      afterColon = byte === COLON;
    }
  }

  /** Moves to the end of a comment; false if there is none. */
  function skipComment(): boolean {
    const end = commentEnd(window, at);
    if (end < 0) return false;
    broken = NOWHERE;
    window.moveTo(at);
    comments.add(window, window.position.line, at, end);
    at = end;
    return true;
  }

  /** Takes a word: `null`, which this format's writer writes for a puzzle without a solution, or damage. */
  function takeWord(): void {
    const end = wordBetween(window, at);
    const expected = 'a grid, an object, or a list of them';
    if (isNull(window.bytes, at, end)) {
      broken = NOWHERE;
      top.solutions?.pop();
      refuse(at, makeFault('bad_length', at, 'null', expected));
      at = end;
    } else breakAt(at, makeFault('bad_character', at, window.string(at, end).slice(0, 40), expected));
  }

  /** Takes the member of a wrapper: its puzzles are records. */
  function takeMember(): void {
    const member = memberAt(window, at);
    if (member === undefined) {
      const expected = 'a member of the object around the puzzles';
      breakAt(at, makeFault('bad_character', at, 'a text', expected));
      return;
    }
    const { key } = member;
    const plan = memberPlan(window, sink, top, member);
    if (plan.fault !== undefined) refuse(at, plan.fault);
    goOn(plan);
    if (!top.names.has(key)) {
      if (top.names.size < MAX_NAMES) top.names.add(key);
      return;
    }
    // Which of the two rules holds is not known.
    if (isRule(key, true)) top.rules = uncertainRule(key);
    refuse(at, repeatFault(key, ' of an object around puzzles'));
  }

  function goOn(plan: MemberPlan): void {
    ({ at, value } = plan);
    lost = false;
  }

  function openList(): void {
    goOn({ at: at + 1 });
    top.inList = true;
  }

  /** Enters an error at an offset. */
  function refuse(offset: number, fault: Fault): void {
    window.moveTo(offset);
    const { position } = window;
    sink.enterError(errorAt(position, fault), position.line, position.line);
  }

  /** Skips a value whose size is not limited. */
  function skipOn(skipped: SkippedValue): void {
    const { at: next, isEnd, fault } = skipValue(window, skipped, at);
    at = next;
    if (fault !== undefined) breakAt(at, fault);
    else if (isEnd) value = undefined;
    // Interrupts the reader, unless the file ends there.
    else if (window.byte(window.length) === 0) breakAt(window.length, endOfFile(at));
  }

  /** Takes a record, which starts with a bracket or a quote; see `MemberValue`. */
  function takeRecord(key?: string): void {
    const start = at;
    const end = value === undefined ? fastPath.take(at) : -1;
    if (end >= 0) {
      broken = NOWHERE;
      goOn({ at: end });
      return;
    }
    const mayWrap = key === undefined && window.bytes[start] === OPEN_BRACE;
    let record = endOfRecord(window, start, mayWrap ? MAX_LOOKAHEAD_BYTES : MAX_RECORD_BYTES);
    const isLarge = mayWrap && record.fault?.code === 'too_large';
    const wrapper = mayWrap && record.fault !== undefined ? wrapperIn(start, record) : undefined;
    if (isLarge && wrapper === undefined) record = endOfRecord(window, start, MAX_RECORD_BYTES);
    value = undefined;
    lost = false;
    afterColon = false;
    if (wrapper !== undefined) enterWrapper(start, wrapper.object, wrapper.repeated);
    else if (record.fault !== undefined) breakAt(start, record.fault, record.at);
    else enterRecord(start, record, key, mayWrap && !isLarge);
  }

  /** The object at `start`, which is damaged or not complete, if it is a wrapper. */
  function wrapperIn(start: number, record: RecordEnd) {
    const isPossible = record.isNested && levels.length <= MAX_WRAPPERS;
    return isPossible ? startOfObject(sink, window.bytes, start, record) : undefined;
  }

  /**
   * Continues with the members of the wrapper at `start`.
   *
   * @param repeated a rule that it has twice, or a member that a rule has twice
   */
  function enterWrapper(start: number, object: JsonObject, repeated?: string, solutions?: unknown[]): void {
    broken = NOWHERE;
    top = openLevel(sink, top, object, repeated, solutions);
    levels.push(top);
    at = start + 1;
    fastPath.clear();
  }

  /**
   * Enters a record whose brackets close.
   *
   * @param key of the wrapper's member that it is the value of, if that is named like a rule or a label
   * @param mayWrap whether it may be a damaged wrapper
   */
  function enterRecord(start: number, record: RecordEnd, key: string | undefined, mayWrap: boolean): void {
    const end = record.at;
    broken = NOWHERE;
    work.spend(end - start);
    window.moveTo(start);
    at = end;
    const own = parseJson(window.string(start, end));
    const isAround = key === undefined && isObject(own) && isWrapper(sink, own);
    const repeated =
      own === undefined ? undefined : record.repeated.find((member) => !isAround || isOfWrapper(member));
    if (repeated !== undefined) enterFault(start, end, repeatFault(repeated.key));
    else if (isObject(own) && isEmptyWrapper(sink, own)) return;
    else if (isAround && levels.length > MAX_WRAPPERS) {
      const found = `an object in ${MAX_WRAPPERS} others`;
      breakAt(start, makeFault('too_large', start, found, 'puzzles, or lists of them'), end);
    } else if (isAround) enterWrapper(start, own, undefined, solutionsIn(sink, own)?.toReversed());
    else if (key !== undefined && own !== undefined && isLabel(key, own)) {
      if (holdsPuzzles(sink, own)) goOn({ at: start });
    } else {
      const wrapper = own === undefined && mayWrap ? wrapperIn(start, record) : undefined;
      if (wrapper === undefined) enterPuzzles(start, record, own, key);
      else enterWrapper(start, wrapper.object, wrapper.repeated);
    }
  }

  /** Enters the puzzles of a record; see `enterRecord`. */
  function enterPuzzles(start: number, record: RecordEnd, own: unknown, key: string | undefined): void {
    const { at: end, members } = record;
    const rules = Object.keys(top.rules).length === 0 ? undefined : top.rules;
    const solution = top.solutions?.pop();
    const last = window.position.copy();
    last.advance(window.bytes, start, end - 1);
    const place = { format: 'json', line: window.position.line, lineEnd: last.line };
    const fault = key === undefined ? enterValue(sink, own, place, rules, solution) : lateRuleFault(key, own);
    if (fault !== undefined) enterFault(start, end, fault);
    window.moveTo(end);
    // The value of a wrapper's member is complete; a list in a list may have lost a bracket.
    const mayBeOpen = window.bytes[start] === OPEN_BRACKET && (levels.length === 1 || top.inList);
    lost = key === undefined && mayBeOpen && isDamage(fault);
    if (fault !== undefined || key !== undefined) return;
    if (rules === undefined && top.solutions === undefined) fastPath.keep(start, end, members);
    else fastPath.clear();
  }

  /** Enters the record in the bytes `start` to `end` (exclusive) as one that cannot be read. */
  function enterFault(start: number, end: number, fault: Fault): void {
    enterError(
      start,
      end,
      fault,
      fault.at < 0 ? start : scanJson(window.bytes, start, end, undefined, fault.at).scalar,
    );
  }

  /** Enters an error of the bytes `start` to `end` (exclusive), which is at one of them. */
  function enterError(start: number, end: number, fault: Fault, offset: number): void {
    const { bytes, position } = window;
    window.moveTo(start);
    const { line } = position;
    const place = position.copy();
    place.advance(bytes, start, offset);
    window.moveTo(end);
    sink.enterError(errorAt(place, fault), line, position.line, { text: excerptIn(bytes, start, end) });
  }

  /** The record at `start` cannot be read on from `end`. */
  function breakAt(start: number, fault: Fault, end = start): void {
    work.spend(end - start);
    at = end;
    value = undefined;
    lost = true;
    afterColon = false;
    // Where the wrapper ends is not known then, and so neither is which puzzles have its rules.
    if (Object.keys(top.rules).length > 0) top.rules = UNCERTAIN;
    if (start - broken >= MIN_GRID_BYTES) enterError(start, end, { ...fault, isQuote: true }, end);
    broken = start;
  }

  return recordReader(sink, {
    comments,
    feed,
    finish() {
      window.ended = true;
    },
    step,
    checkpoint,
  });
}
