/**
 * Splits a stream of JSON into records by its brackets, see README.md.
 *
 *     [ [["5",..],..] , [["1",..],..] ]
 *     ^ |--record---|   |--record---| ^
 *     list opens                      list closes
 *
 * Each step reads from `#at` as if the whole file were there, see `bytes/arrival.ts`, and moves `#at` on.
 */

import { unlessInterrupted } from '../bytes/arrival.ts';
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
import { parseJson, scalarOffset } from '../bytes/json-scan.ts';
import type { TextPosition } from '../bytes/text-position.ts';
import { isLabel, isObject } from '../objects/members.ts';
import { enterValue, lateRuleFault, repeatFault } from '../objects/puzzle-object.ts';
import { holdsPuzzles, isEmptyWrapper, isWrapper, solutionsIn } from '../objects/puzzles-in.ts';
import type { ReaderCheckpoint, ReaderState, RecordReader } from '../reader.ts';
import { CommentLog } from '../records/comment-log.ts';
import { errorAt, type Fault, makeFault } from '../records/fault.ts';
import type { ParseError, RecordBlock } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { debrisEnd, innerBracket, isDamage, isPuzzleLong } from './json-damage.ts';
import { JsonLevels, type LevelState, MAX_WRAPPERS, type WrapperMembers } from './json-levels.ts';
import { type Opening, openingAt } from './json-opening.ts';
import {
  listPlan,
  type MemberPlan,
  type MemberValue,
  memberAt,
  memberPlan,
  type SkippedValue,
  skipValue,
} from './json-plan.ts';
import {
  commentEnd,
  endOfFile,
  endOfRecord,
  MAX_RECORD_BYTES,
  type RecordEnd,
  wordBetween,
} from './json-record.ts';
import { JsonFastPath } from './json-template.ts';
import { JsonWindow } from './json-window.ts';
import {
  isOfWrapper,
  MAX_LOOKAHEAD_BYTES,
  type ObjectStart,
  opensWrapper,
  startOfObject,
} from './json-wrapper.ts';

/** A step that is interrupted is repeated when what has arrived from `#at` on has grown by this part. */
const GROWTH = 1 / 8;
/** Less than the smallest grid, so that two broken starts are one: four rows of four strings, with brackets, have 29 bytes. */
const MIN_GRID_BYTES = 24;

export class JsonReader implements RecordReader {
  readonly #sink: RecordSink;
  readonly #window: JsonWindow;
  readonly #fastPath: JsonFastPath;
  readonly comments = new CommentLog();
  /** Offset of the next byte. */
  #at = 0;
  /** Bytes of the window with which a step that was interrupted is repeated. */
  #wanted = 0;
  readonly #levels: JsonLevels;
  #value: MemberValue | undefined;
  /** Nothing was read, not even a byte-order mark. */
  #atStart: boolean;
  /** Only white space precedes `#at` on its line. */
  #freshLine: boolean;
  /** Looking for the next record after damage. */
  #lost = false;
  /** In damage: the last byte before `#at` is a colon, so the value of a member follows. */
  #afterColon = false;
  /** Damage that is not entered, with the offset of its last broken start: its end is not known. */
  #damage:
    | {
        readonly error: ParseError;
        readonly line: number;
        lineEnd: number;
        at: number;
        readonly text: string;
      }
    | undefined;

  /** @param from state of a reader that has read everything before */
  constructor(sink: RecordSink, from?: ReaderState) {
    this.#sink = sink;
    this.#window = new JsonWindow(from);
    this.#fastPath = new JsonFastPath(sink, this.#window);
    this.#atStart = from === undefined;
    this.#freshLine = from === undefined || from.freshLine === true;
    this.#levels = new JsonLevels(from?.levels as LevelState[] | undefined);
  }

  *push(bytes: Uint8Array): Iterable<RecordBlock> {
    this.#sink.work.feed(bytes.length);
    const read = this.#at;
    this.#window.feed(bytes, read);
    this.#at = 0;
    this.#wanted -= read;
    if (this.#damage !== undefined) this.#damage.at -= read;
    if (this.#window.length >= this.#wanted) yield* this.#read();
  }

  *end(): Iterable<RecordBlock> {
    this.#window.ended = true;
    yield* this.#read();
    this.#enterDamage();
    yield* this.#sink.flush();
  }

  *flush(): Iterable<RecordBlock> {
    yield* this.#read();
    yield* this.#sink.flush();
  }

  checkpoint(): ReaderCheckpoint | undefined {
    if (this.#value !== undefined || this.#lost || this.#atStart) return undefined;
    if (this.#damage !== undefined || this.#levels.haveSolutions) return undefined;
    this.#window.moveTo(this.#at);
    const state = {
      ...this.#window.position.state(),
      levels: this.#levels.state(),
      freshLine: this.#freshLine,
      sink: this.#sink.state(),
    };
    return { state, unreadBytes: this.#window.length - this.#at };
  }

  *#read(): Iterable<RecordBlock> {
    for (let more = true; more; ) {
      more = unlessInterrupted(() => this.#readBlock());
      if (this.#sink.hasReady) yield* this.#sink.takeReady();
    }
    const { length } = this.#window;
    this.#wanted = length + (length - this.#at) * GROWTH;
  }

  /** Reads until a block is ready; false at the end of the file. */
  #readBlock(): boolean {
    if (this.#atStart) {
      this.#at = this.#window.skipMark();
      this.#atStart = false;
    }
    while (!this.#sink.hasReady) if (!this.#step()) return false;
    return true;
  }

  /** Reads the next record, or what is between records; false at the end of the file. */
  #step(): boolean {
    if (this.#value?.kind === 'skipped') this.#skipOn(this.#value);
    else if (this.#value !== undefined) this.#takeRecord(this.#at);
    else {
      this.#skipSpace();
      const byte = this.#window.byte(this.#at);
      if (this.#at === this.#window.length) return false;
      const fresh = this.#freshLine && this.#levels.areNone;
      if (this.#lost) this.#search(this.#at, byte, fresh);
      else this.#takeNext(this.#at, byte, fresh);
    }
    this.#freshLine = false;
    return true;
  }

  /** Moves over white space, and commas between records. */
  #skipSpace(): void {
    const { bytes, length } = this.#window;
    for (; this.#at < length; this.#at++) {
      const byte = bytes[this.#at];
      if (byte === LF || byte === CR) this.#freshLine = true;
      else if (byte === COMMA) this.#afterColon = false;
      else if (byte > SPACE) break;
    }
  }

  /**
   * Takes what starts at `at`.
   *
   * @param fresh whether it starts a line, outside of all brackets
   */
  #takeNext(at: number, byte: number, fresh: boolean): void {
    if (byte === QUOTE && this.#levels.inWrapper) this.#takeMember(at);
    else if (byte === OPEN_BRACKET && this.#openingAt(at) === 'list')
      this.#goOn({ at: at + 1, opensList: true });
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE || byte === QUOTE) {
      const end = this.#damage !== undefined ? -1 : this.#fastPath.take(at);
      if (end < 0) this.#takeRecord(at);
      else this.#at = end;
    } else if (byte === CLOSE_BRACKET) {
      if (this.#levels.closeList()) this.#fastPath.clear();
      this.#at = at + 1;
    } else if (byte === CLOSE_BRACE && this.#levels.closeWrapper()) {
      this.#fastPath.clear();
      this.#at = at + 1;
    } else if (!fresh || !this.#skipComment(at)) this.#takeWord(at);
  }

  /** In damage: takes the record at `at`, or moves on; see `#takeNext`. */
  #search(at: number, byte: number, fresh: boolean): void {
    const { book } = this.#sink;
    let starts = byte === OPEN_BRACE;
    if (byte === OPEN_BRACKET) {
      const last = innerBracket(this.#window, at);
      if (last > at) {
        this.#at = last;
        return;
      }
      const opening = this.#openingAt(at);
      if (opening === 'list') {
        this.#goOn({ at: at + 1, opensList: true });
        return;
      }
      starts = opening === 'grid' || fresh;
    } else if (byte === QUOTE) starts = fresh || (!this.#afterColon && isPuzzleLong(this.#window, book, at));
    if (starts) this.#takeRecord(at);
    else {
      this.#at = debrisEnd(this.#window, at, this.#levels.top.inList);
      this.#afterColon = byte === COLON;
    }
  }

  /** Moves to the end of the comment at `at`; false if it is none. */
  #skipComment(at: number): boolean {
    const window = this.#window;
    const end = commentEnd(window, at);
    if (end < 0) return false;
    this.#enterDamage();
    window.moveTo(at);
    this.comments.add(window, window.position.line, at, end);
    this.#at = end;
    return true;
  }

  /** Takes the word at `at`: `null`, which this format's writer writes for a puzzle without a solution, or damage. */
  #takeWord(at: number): void {
    const window = this.#window;
    const end = wordBetween(window, at);
    const expected = 'a grid, an object, or a list of them';
    const word = window.string(at, end);
    if (word === 'null') {
      this.#enterDamage();
      this.#levels.top.solutions?.pop();
      this.#refuse(at, makeFault('bad_length', at, 'null', expected));
      this.#at = end;
    } else this.#break(at, makeFault('bad_character', at, word.slice(0, 40), expected));
  }

  #openingAt(at: number): Opening {
    return openingAt(this.#window, this.#sink.book, at, this.#levels.top.inList, this.#lost);
  }

  /** Continues with the members of the wrapper at `at`. */
  #enterWrapper(at: number, wrapper: WrapperMembers): void {
    this.#enterDamage();
    this.#levels.open(this.#sink, wrapper);
    this.#at = at + 1;
    this.#fastPath.clear();
  }

  /** Takes the member of a wrapper at `at`: its puzzles are records. */
  #takeMember(at: number): void {
    const window = this.#window;
    const member = memberAt(window, at);
    if (member === undefined) {
      const expected = 'a member of the object around the puzzles';
      this.#break(at, makeFault('bad_character', at, 'a text', expected));
      return;
    }
    const { key } = member;
    const plan = memberPlan(window, this.#sink, this.#levels.top, member);
    if (plan.fault !== undefined) this.#refuse(at, plan.fault);
    this.#goOn(plan);
    if (!this.#levels.addName(key)) this.#refuse(this.#at, repeatFault(key, ' of an object around puzzles'));
  }

  #goOn({ at, value, opensList = false }: MemberPlan): void {
    this.#at = at;
    this.#value = value;
    this.#lost = false;
    if (opensList) this.#levels.top.inList = true;
  }

  /** Enters an error at `at`. */
  #refuse(at: number, fault: Fault): void {
    this.#window.moveTo(at);
    const { position } = this.#window;
    this.#sink.enterError(errorAt(position, fault), position.line, position.line);
  }

  /** Skips a value whose size is not limited. */
  #skipOn(value: SkippedValue): void {
    const { at, isEnd, fault } = skipValue(this.#window, value, this.#at);
    this.#at = at;
    if (fault !== undefined) this.#break(at, fault);
    else if (isEnd) this.#value = undefined;
    // Interrupts the reader, unless the file ends there.
    else if (this.#window.byte(this.#window.length) === 0) this.#break(this.#window.length, endOfFile(at));
  }

  /** Takes the record at `at`, which starts with a bracket or a quote. */
  #takeRecord(at: number): void {
    const window = this.#window;
    const key = this.#value?.kind === 'named' ? this.#value.key : undefined;
    const mayWrap = key === undefined && window.bytes[at] === OPEN_BRACE;
    let record = endOfRecord(window, at, mayWrap ? MAX_LOOKAHEAD_BYTES : MAX_RECORD_BYTES);
    const isLarge = mayWrap && record.fault?.code === 'too_large';
    const start = mayWrap && record.fault !== undefined ? this.#wrapperIn(at, record) : undefined;
    if (isLarge && start === undefined) record = endOfRecord(window, at, MAX_RECORD_BYTES);
    this.#value = undefined;
    this.#lost = false;
    this.#afterColon = false;
    if (start !== undefined) this.#enterWrapper(at, start);
    else if (record.fault !== undefined) this.#break(at, record.fault, record.at);
    else this.#enterRecord(at, record, key, mayWrap && !isLarge);
  }

  /** The object at `at`, which is damaged or not complete, if it is a wrapper. */
  #wrapperIn(at: number, record: RecordEnd): ObjectStart | undefined {
    if (!record.isNested || this.#levels.areFull) return undefined;
    const start = startOfObject(this.#window.bytes, at, record.at);
    return opensWrapper(this.#sink, start) ? start : undefined;
  }

  /**
   * Enters a record whose brackets close.
   *
   * @param key of the wrapper's member that it is the value of, if that is named like a rule or a label
   * @param mayWrap whether it may be a damaged wrapper
   */
  #enterRecord(from: number, record: RecordEnd, key: string | undefined, mayWrap: boolean): void {
    const [sink, window, to] = [this.#sink, this.#window, record.at];
    const { bytes } = window;
    this.#enterDamage();
    sink.work.spend(to - from);
    window.moveTo(from);
    this.#at = to;
    const parsed = parseJson(bytes, from, to);
    const value = parsed?.value;
    const isAround = key === undefined && isObject(value) && isWrapper(sink, value);
    const repeated = parsed?.repeated.find((member) => !isAround || isOfWrapper(member));
    const start = window.position.copy();
    if (repeated !== undefined) {
      window.moveTo(to - 1);
      sink.enterError(errorAt(start, repeatFault(repeated.key)), start.line, window.position.line, {
        text: excerptIn(bytes, from, to),
      });
      return;
    }
    if (isObject(value) && isEmptyWrapper(sink, value)) return;
    const damaged = parsed === undefined && mayWrap ? this.#wrapperIn(from, record) : undefined;
    if (isAround && this.#levels.areFull) {
      const found = `an object in ${MAX_WRAPPERS} others`;
      this.#break(from, makeFault('too_large', from, found, 'puzzles, or lists of them'), to);
    } else if (isAround) {
      this.#enterWrapper(from, { object: value, solutions: solutionsIn(sink, value)?.toReversed() });
    } else if (damaged !== undefined) this.#enterWrapper(from, damaged);
    else if (key !== undefined && parsed !== undefined && isLabel(key, value)) {
      if (holdsPuzzles(sink, value)) this.#goOn(listPlan(window, sink.book, from));
    } else this.#enterValue(from, to, start, value, key);
  }

  /** Enters the puzzles of a record; see `#enterRecord`. */
  #enterValue(from: number, to: number, start: TextPosition, value: unknown, key: string | undefined): void {
    const [sink, window] = [this.#sink, this.#window];
    const { bytes } = window;
    window.moveTo(to - 1);
    const { line: lineEnd } = window.position;
    const [rules, solution] = [this.#levels.rules, this.#levels.top.solutions?.pop()];
    const place = { format: 'json', line: start.line, lineEnd };
    const fault =
      key === undefined ? enterValue(sink, value, place, rules, solution) : lateRuleFault(key, value);
    if (fault !== undefined) {
      const shown = start.copy();
      if (fault.at >= 0) shown.advance(bytes, from, scalarOffset(bytes, from, to, fault.at));
      sink.enterError(errorAt(shown, fault), start.line, lineEnd, { text: excerptIn(bytes, from, to) });
    }
    window.moveTo(to);
    // The value of a wrapper's member is complete; a list in a list may have lost a bracket.
    const mayBeOpen = key === undefined && bytes[from] === OPEN_BRACKET && !this.#levels.inWrapper;
    this.#lost = mayBeOpen && isDamage(fault);
    if (fault !== undefined || key !== undefined) return;
    if (rules === undefined && this.#levels.top.solutions === undefined) {
      this.#fastPath.keep(from, to);
    } else this.#fastPath.clear();
  }

  /** The record at `from` cannot be read on from `at`. */
  #break(from: number, fault: Fault, at = from): void {
    this.#sink.work.spend(at - from);
    this.#at = at;
    this.#value = undefined;
    this.#lost = true;
    this.#afterColon = false;
    // Where the wrapper ends is not known then, and so neither is which puzzles have its rules.
    this.#levels.loseRules();
    this.#window.moveTo(from);
    const { line: first } = this.#window.position;
    this.#window.moveTo(at);
    const { line, column } = this.#window.position;
    if (this.#damage !== undefined && from - this.#damage.at < MIN_GRID_BYTES) {
      this.#damage.at = from;
      this.#damage.lineEnd = line;
      return;
    }
    this.#enterDamage();
    const error = errorAt({ line, column }, { ...fault, isQuote: true });
    this.#sink.survey?.onError(error);
    this.#damage = {
      error,
      line: first,
      lineEnd: line,
      at: from,
      text: excerptIn(this.#window.bytes, from, at),
    };
  }

  /** Enters the damage as a record, if there is any. */
  #enterDamage(): void {
    if (this.#damage === undefined) return;
    const { error, line, lineEnd, text } = this.#damage;
    this.#damage = undefined;
    this.#sink.enterError(error, line, lineEnd, { text });
  }
}
