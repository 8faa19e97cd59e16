/**
 * Splits a stream of JSON into records by its brackets.
 *
 *     [ [["5",..],..] , [["1",..],..] ]
 *     ^ |--record---|   |--record---| ^
 *     list opens                      list closes
 *
 * The brackets after the first one decide whether it opens a list of records or the first record. A record has at most
 * `MAX_RECORD_BYTES`. After a record whose brackets do not close, or a line break in a string, everything up to the next
 * `[[`, `{`, string with a puzzle, or line that starts a record is part of the damage. So is a broken start less than
 * `MIN_GRID_BYTES` before the next one, as no grid fits in between: `[[["5",[[["5",...` is one record.
 *
 * An object around puzzles is read twice: once to see that it is one, then member by member, see `json-wrapper.ts`.
 */

import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  CR,
  HASH,
  LETTER_N,
  LF,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SLASH,
} from '../bytes/ascii.ts';
import type { ReaderCheckpoint, ReaderState, RecordReader } from '../reader.ts';
import { errorAt, makeFault } from '../records/fault.ts';
import { solves } from '../records/pair.ts';
import type { ParseError, ParseErrorCode, RecordBlock } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { CommentLog } from '../text/comment-log.ts';
import { JsonFastPath } from './json-fast-path.ts';
import { isLabel, isObject, isSolutionName, type JsonObject } from './json-members.ts';
import { type Opening, openingAt } from './json-opening.ts';
import { memberName, type RepeatedMember, repeatedMembers, repeatFault } from './json-repeats.ts';
import { isRule } from './json-rules.ts';
import { solutionsIn } from './json-solutions.ts';
import {
  enterFault,
  enterJson,
  enterLateRule,
  holdsPuzzles,
  isEmptyWrapper,
  isPuzzleText,
  isWrapper,
  parseJson,
} from './json-value.ts';
import { JsonWindow, MAX_LINE_BYTES } from './json-window.ts';
import {
  MAX_LOOKAHEAD_BYTES,
  MAX_WRAPPERS,
  opensWrapper,
  rulesAround,
  startOfObject,
} from './json-wrapper.ts';

const MAX_RECORD_BYTES = 1024 * 1024;

/** Less than the smallest grid: four rows of four strings, with their brackets, have 29 bytes. */
const MIN_GRID_BYTES = 24;

/** Most bytes of a word that is not in quotes. */
const MAX_WORD_BYTES = 64;

/** Most bytes of a key that is compared. */
const MAX_KEY_BYTES = 64;

/** In characters. */
const MAX_ROW_LENGTH = 36;

/** Bracket depth of a grid; a greater depth means a missing bracket. */
const GRID_DEPTH = 2;
/** Bracket depth of an object with a puzzle. */
const MAX_DEPTH = 64;

export class JsonReader implements RecordReader {
  readonly #sink: RecordSink;
  readonly #window: JsonWindow;
  /** Offset of the next byte. */
  #at = 0;
  /** Offset of the record being read; -1 between records. */
  #record = -1;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #afterValue = false;
  /** Open `{` in the record. */
  #braces = 0;
  /** There are brackets in the brackets of the record. */
  #isNested = false;
  /** The open brackets of the record, by depth from 1. */
  readonly #brackets = new Uint8Array(MAX_DEPTH + 2);
  /** The lists and wrappers around the next record, as their brackets, outermost first. */
  #open = '';
  /** The last one is a list. */
  #inList = false;
  /** The last one is a wrapper: its members come next. */
  #inWrapper = false;
  /** For each wrapper the members of it and of those around it that are rules of its puzzles. */
  #around: JsonObject[] = [];
  /** For each wrapper the names of the members that were taken, up to `MAX_NAMES`. */
  #names: Array<Set<string>> = [];
  /** The solutions of the puzzles in a wrapper that come next, and its level. */
  #solutions: { readonly level: number; readonly left: unknown[] } | undefined;
  /** The member of a wrapper, named like a rule or a label, whose value is the record being read. */
  #member: string | undefined;
  /** Skipping the value of a member that describes its wrapper. */
  #skipping = false;
  /** The record being read is no wrapper. */
  #judged = false;
  /** Looking for the next record after damage. */
  #lost = false;
  /** In a record and in damage: the last byte before `#at` is a colon, so the value of a member follows. */
  #afterColon = false;
  /** The last damage; it is entered as a record when its end is known. */
  #damage: { readonly error: ParseError; readonly line: number; lineEnd: number } | undefined;
  /** Offset of the last broken record of the damage. */
  #damageAt = 0;
  /** Nothing was read, not even a byte-order mark. */
  #atStart: boolean;
  /** Only white space precedes `#at` on its line. */
  #freshLine = true;
  readonly #fastPath: JsonFastPath;
  readonly comments = new CommentLog();

  /** @param from state of a reader that has read everything before */
  constructor(sink: RecordSink, from?: ReaderState) {
    this.#sink = sink;
    this.#window = new JsonWindow(from);
    this.#fastPath = new JsonFastPath(sink, this.#window);
    this.#setOpen((from?.open as string | undefined) ?? '');
    this.#around = (from?.around as JsonObject[] | undefined) ?? [];
    this.#names = ((from?.names as string[][] | undefined) ?? []).map((names) => new Set(names));
    this.#atStart = from === undefined;
    this.#freshLine = from === undefined || from.freshLine === true;
  }

  *push(bytes: Uint8Array): Iterable<RecordBlock> {
    this.#sink.work.feed(bytes.length);
    this.#feed(bytes);
    yield* this.#read();
  }

  *end(): Iterable<RecordBlock> {
    this.#window.ended = true;
    do yield* this.#read();
    while (this.#record >= 0 && this.#openWrapper(this.#window.length));
    if (this.#skipping) this.#record = this.#at;
    if (this.#record >= 0) this.#broken('truncated', 'the end of the file', 'the end of a record');
    this.#enterDamage();
    yield* this.#sink.flush();
  }

  flush(): Iterable<RecordBlock> {
    return this.#sink.flush();
  }

  checkpoint(): ReaderCheckpoint | undefined {
    if (this.#record >= 0 || this.#skipping || this.#lost || this.#atStart) return undefined;
    if (this.#damage !== undefined || this.#solutions !== undefined) return undefined;
    this.#window.moveTo(this.#at);
    const state = {
      ...this.#window.position.state(),
      ...(this.#open !== '' && { open: this.#open }),
      ...(this.#around.length > 0 && {
        around: [...this.#around],
        names: this.#names.map((names) => [...names]),
      }),
      freshLine: this.#freshLine,
      sink: this.#sink.state(),
    };
    return { state, unreadBytes: this.#window.length - this.#at };
  }

  *#read(): Iterable<RecordBlock> {
    while (this.#step()) if (this.#sink.hasReady) yield* this.#sink.takeReady();
    if (this.#sink.hasReady) yield* this.#sink.takeReady();
  }

  #feed(chunk: Uint8Array): void {
    const keep = this.#record >= 0 ? this.#record : this.#at;
    this.#window.feed(chunk, keep);
    this.#at -= keep;
    this.#damageAt -= keep;
    if (this.#record >= 0) this.#record = 0;
  }

  /** Reads up to the end of the next record; false if it needs more bytes. */
  #step(): boolean {
    if (this.#atStart) {
      const start = this.#window.skipMark();
      if (start === undefined) return false;
      this.#at = start;
      this.#atStart = false;
    }
    if (this.#skipping) return this.#skipValue();
    return this.#record < 0 ? this.#findRecord() : this.#followRecord();
  }

  #findRecord(): boolean {
    const { bytes, length } = this.#window;
    for (; this.#at < length; this.#at++) {
      const byte = bytes[this.#at];
      if (this.#lost && isDebris(byte)) {
        this.#skipDebris();
        continue;
      }
      if (byte === LF || byte === CR) this.#freshLine = true;
      if (byte <= 32) continue;
      const isValue = this.#afterColon;
      this.#afterColon = byte === COLON;
      if (byte === COMMA) continue;
      const fresh = this.#freshLine && this.#open === '';
      this.#freshLine = false;
      const starts = byte === OPEN_BRACKET || byte === OPEN_BRACE || byte === QUOTE;
      if (byte === OPEN_BRACKET) {
        const opened = this.#openingAt(this.#at);
        if (opened === undefined) {
          this.#freshLine = fresh;
          return false;
        }
        if (opened === 'list') {
          this.#setOpen(`${this.#open}[`);
          this.#lost = false;
          continue;
        }
        if (this.#lost && opened !== 'grid' && !fresh) continue;
      } else if (byte === CLOSE_BRACKET) {
        // In damage, this may be the end of a broken grid or of the list.
        if (this.#lost) continue;
        this.#close('[');
        this.#lost = false;
        continue;
      } else if (byte === CLOSE_BRACE && !this.#lost && this.#around.length > 0) {
        this.#close('{');
        continue;
      } else if (byte === QUOTE && !this.#lost && this.#inWrapper) {
        return this.#takeMember();
      } else if (this.#lost && byte !== OPEN_BRACE) {
        if (byte !== QUOTE) continue;
        // A string starts a record if it starts a line, or is as long as a puzzle.
        const length = fresh ? 0 : this.#window.stringLength(this.#at);
        if (length === undefined) {
          this.#afterColon = isValue;
          return false;
        }
        // The rest of its object is lost, and with it the rules.
        const isPuzzle =
          !isValue && length > MAX_ROW_LENGTH && this.#sink.book.sizeOfCells(length) !== undefined;
        if (!fresh && !isPuzzle) continue;
      }
      if (fresh && !this.#lost && (byte === HASH || byte === SLASH)) {
        const skipped = this.#skipComment();
        if (skipped === undefined) {
          this.#freshLine = true;
          return false;
        }
        if (skipped) continue;
      }
      if (!starts) {
        const word = this.#word();
        if (word === undefined) {
          this.#freshLine = fresh;
          return false;
        }
        if (word === 'null') {
          this.#enterEmptyPlace();
          return true;
        }
        this.#record = this.#at;
        this.#broken('bad_character', word.slice(0, 40), 'a grid, an object, or a list of them');
        return true;
      }
      if (this.#takeFast(byte)) return true;
      this.#startRecord(this.#at);
      return true;
    }
    return false;
  }

  /** Moves to the last byte of the comment at `#at`; false if it is none, undefined if it needs more bytes. */
  #skipComment(): boolean | undefined {
    const { bytes } = this.#window;
    const end = this.#window.lineEnd(this.#at);
    if (end === undefined) return undefined;
    if (bytes[this.#at] === SLASH && bytes[this.#at + 1] !== SLASH) return false;
    // The rest of a longer line is damage.
    if (end - this.#at >= MAX_LINE_BYTES) return false;
    this.#enterDamage();
    this.#window.moveTo(this.#at);
    this.comments.add(this.#window, this.#window.position.line, this.#at, end);
    this.#at = end - 1;
    return true;
  }

  /** In damage: moves to the last byte in a row that cannot start a record. */
  #skipDebris(): void {
    const [bytes, inList] = [this.#window.bytes, this.#inList];
    let at = this.#at + 1;
    while (at < this.#window.length) {
      const byte = bytes[at];
      if (isDebris(byte) || (inList && byte === COMMA)) at++;
      else if (
        inList &&
        byte === OPEN_BRACKET &&
        at + 1 < this.#window.length &&
        bytes[at + 1] === CLOSE_BRACKET
      )
        at += 2;
      else break;
    }
    this.#at = at - 1;
    this.#afterColon = false;
    this.#freshLine = false;
  }

  #startRecord(at: number): void {
    this.#at = at;
    this.#record = at;
    this.#judged = false;
    this.#lost = false;
    this.#startValue();
  }

  #startValue(): void {
    this.#depth = 0;
    this.#isNested = false;
    this.#brackets[0] = 0;
    this.#afterColon = false;
    this.#braces = 0;
    this.#inString = false;
    this.#escaped = false;
    this.#afterValue = false;
  }

  #setOpen(open: string): void {
    this.#open = open;
    this.#inList = open.endsWith('[');
    this.#inWrapper = open.endsWith('{');
  }

  /** Leaves the innermost list or wrapper, and those in it whose ends are missing. */
  #close(bracket: '[' | '{'): void {
    const last = this.#open.lastIndexOf(bracket);
    if (last < 0) return;
    this.#setOpen(this.#open.slice(0, last));
    const wrappers = this.#open.split('{').length - 1;
    if (wrappers < this.#around.length) {
      this.#around.length = wrappers;
      this.#names.length = wrappers;
      if (this.#solutions !== undefined && this.#solutions.level > wrappers) this.#solutions = undefined;
      this.#fastPath.clear();
    }
  }

  /** Enters the wrapper that starts at `#record`, if it is one; it is known up to `to`. */
  #openWrapper(to: number): boolean {
    if (this.#judged || this.#member !== undefined || this.#window.bytes[this.#record] !== OPEN_BRACE)
      return false;
    this.#judged = true;
    if (!this.#isNested || this.#around.length === MAX_WRAPPERS) return false;
    const start = startOfObject(this.#window.bytes, this.#record, to);
    if (!opensWrapper(this.#sink, start)) return false;
    return this.#enterWrapper(start.object, false, start.repeated);
  }

  /** Continues with the members of the wrapper that starts at `#record`; false if it is in too many others. */
  #enterWrapper(object: JsonObject, isWhole: boolean, repeated?: string): boolean {
    if (this.#around.length === MAX_WRAPPERS) return false;
    this.#enterDamage();
    this.#at = this.#record + 1;
    this.#record = -1;
    this.#setOpen(`${this.#open}{`);
    this.#around.push({
      ...this.#around.at(-1),
      ...rulesAround(this.#sink, object),
      ...(repeated !== undefined && uncertainRule(repeated)),
    });
    this.#names.push(new Set());
    const solutions = isWhole ? solutionsIn(this.#sink, object) : undefined;
    if (solutions !== undefined)
      this.#solutions = { level: this.#around.length, left: [...solutions].reverse() };
    this.#fastPath.clear();
    return true;
  }

  /** Rules of the next puzzle that the wrappers around it have; undefined if there are none. */
  get #rules(): JsonObject | undefined {
    const rules = this.#around.at(-1);
    return rules === undefined || Object.keys(rules).length === 0 ? undefined : rules;
  }

  /** Takes the member of a wrapper at `#at`: its puzzles are records. False if it needs more bytes. */
  #takeMember(): boolean {
    const bytes = this.#window.bytes;
    const end = this.#window.stringEnd(this.#at);
    if (end === undefined) return false;
    const colon = end < 0 ? end : this.#window.nextByte(end);
    if (colon === undefined) return false;
    const value = colon >= 0 && bytes[colon] === COLON ? this.#window.nextByte(colon + 1) : -1;
    if (value === undefined) return false;
    if (value < 0 || value >= this.#window.length) {
      this.#record = this.#at;
      return this.#broken('bad_character', 'a text', 'a member of the object around the puzzles');
    }
    const key = memberName(decoder.decode(bytes.subarray(this.#at, end)));
    if (!this.#takeValue(key, value)) return false;
    this.#addName(key);
    return true;
  }

  /** Keeps the name of a member of a wrapper; the second one with a name is an error. */
  #addName(key: string): void {
    const names = this.#names[this.#names.length - 1];
    if (!names.has(key)) {
      if (names.size < MAX_NAMES) names.add(key);
      return;
    }
    const { code, found, expected } = repeatFault(key, ' of an object around puzzles');
    this.#refuse(code, found, expected);
    if (isRule(key, true)) this.#around[this.#around.length - 1] = uncertainRule(key);
  }

  /** Takes the value at `value` of a wrapper's member. False if it needs more bytes. */
  #takeValue(key: string, value: number): boolean {
    const { bytes } = this.#window;
    const byte = bytes[value];
    const isList = byte === OPEN_BRACKET || byte === OPEN_BRACE;
    if (isRule(key, true)) {
      if (this.#around.at(-1)?.[key] !== undefined) this.#skip(value);
      else if (!isList && byte !== QUOTE) return this.#takeWord(key, value);
      else this.#readMember(key, value);
      return true;
    }
    if (isList) {
      if (isSolutionName(key)) return this.#skipSolutions(key, value);
      if (!isLabel(key, [])) return this.#takeList(value);
      this.#readMember(key, value);
      return true;
    }
    if (byte !== QUOTE) return this.#takeWord(key, value);
    const text = this.#window.stringEnd(value);
    if (text === undefined) return false;
    const own = text < 0 ? '' : decoder.decode(bytes.subarray(value + 1, text - 1));
    if (!isPuzzleText(this.#sink, own)) this.#skip(value);
    else if (solves(own, key)) {
      this.#refuse('bad_character', 'a puzzle as the name of a member', 'puzzles as values');
      this.#skip(value);
    } else this.#startRecord(value);
    return true;
  }

  /** Skips the solutions at `value`, the value of a wrapper's member. They are an error if they are not compared. */
  #skipSolutions(key: string, value: number): boolean {
    const next = this.#window.nextByte(value + 1);
    if (next === undefined) return false;
    const isEmpty = [CLOSE_BRACKET, CLOSE_BRACE].includes(this.#window.bytes[next]);
    if (!isEmpty && this.#solutions === undefined) {
      const found = `solutions in the member ${JSON.stringify(key)} that cannot be paired with puzzles`;
      this.#refuse('bad_length', found, 'one list of as many puzzles, or each solution next to its puzzle');
    }
    this.#skip(value);
    return true;
  }

  /** Takes the list or object at `value`, the value of a wrapper's member. */
  #takeList(value: number): boolean {
    const next = this.#window.nextByte(value + 1);
    if (next === undefined) return false;
    const isEmpty =
      next < this.#window.length &&
      (this.#window.bytes[next] === CLOSE_BRACKET || this.#window.bytes[next] === CLOSE_BRACE);
    if (isEmpty) this.#skip(value);
    else if (this.#window.bytes[value] === OPEN_BRACE) this.#startRecord(value);
    else {
      const opened = this.#openingAt(value);
      if (opened === undefined) return false;
      if (opened === 'list') {
        this.#at = value + 1;
        this.#setOpen(`${this.#open}[`);
      } else this.#startRecord(value);
    }
    return true;
  }

  /** Takes the number or word at `value`; `true` may be a rule. */
  #takeWord(key: string, value: number): boolean {
    let end = value;
    while (
      end < this.#window.length &&
      this.#window.bytes[end] > 32 &&
      !ENDS_WORD.includes(this.#window.bytes[end])
    ) {
      if (end - value > MAX_LINE_BYTES) break;
      end++;
    }
    if (end === this.#window.length && !this.#window.ended) return false;
    const word = decoder.decode(this.#window.bytes.subarray(value, end));
    const isBad =
      word === 'true' ? !isLabel(key, true) : !WORD.test(word) || (isRule(key, true) && Number(word) > 0);
    const known = this.#around.at(-1)?.[key] !== undefined;
    if (isBad && !known) {
      const found = `the member ${JSON.stringify(key)} (${word.slice(0, 40)}) of an object around puzzles`;
      this.#refuse('unsupported_variant', found, 'puzzles, and labels');
    }
    this.#at = end > value ? end : value + 1;
    return true;
  }

  /** Enters an error for the member of a wrapper at `#at`. */
  #refuse(code: ParseErrorCode, found: string, expected: string): void {
    this.#window.moveTo(this.#at);
    const { line } = this.#window.position;
    enterFault(this.#sink, makeFault(code, -1, found, expected), this.#window.position, line);
  }

  /** Reads the value of a member that is named like a rule, or like a label: it may have puzzles all the same. */
  #readMember(key: string, value: number): void {
    this.#startRecord(value);
    this.#member = key;
  }

  #skip(value: number): void {
    this.#at = value;
    this.#skipping = true;
    this.#startValue();
  }

  /** Skips a value whose size is not limited; false if it needs more bytes. */
  #skipValue(): boolean {
    const { bytes, length } = this.#window;
    for (; this.#at < length; this.#at++) {
      const byte = bytes[this.#at];
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) this.#inString = false;
        else if (byte === LF || byte === CR) {
          this.#skipping = false;
          this.#record = this.#at;
          return this.#broken('bad_character', 'a line break', 'the end of a string');
        }
        if (this.#inString || this.#depth > 0) continue;
        this.#at++;
        this.#skipping = false;
        return true;
      }
      if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) this.#depth++;
      else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE || (byte === COMMA && this.#depth === 0)) {
        const isLast = this.#depth === 0;
        if (!isLast) this.#depth--;
        if (this.#depth > 0) continue;
        // The bracket after a number or a word belongs to the wrapper.
        if (!isLast) this.#at++;
        this.#skipping = false;
        return true;
      }
    }
    return false;
  }

  /** Reads the record at `#at` on the fast path, if it matches the last one; whether it did. */
  #takeFast(byte: number): boolean {
    if (this.#lost || this.#damage !== undefined) return false;
    const end =
      byte === OPEN_BRACE
        ? this.#fastPath.takeObject(this.#at)
        : this.#fastPath.takeGrid(this.#at, this.#inList);
    if (end < 0) return false;
    this.#at = end;
    return true;
  }

  #openingAt(at: number): Opening | undefined {
    return openingAt(this.#window, this.#sink.book, at, this.#inList, this.#lost);
  }

  /** The bare word at `#at`; undefined if it may continue in the next chunk. */
  #word(): string | undefined {
    const { bytes, length, ended } = this.#window;
    const at = this.#at;
    const last = Math.min(length, at + MAX_WORD_BYTES);
    let end = at + 1;
    while (end < last && bytes[end] > COMMA && bytes[end] !== CLOSE_BRACKET) end++;
    if (end === length && !ended && end - at < MAX_WORD_BYTES) return undefined;
    // A file may have one per puzzle without a solution.
    const isNull =
      end - at === 4 &&
      bytes[at] === LETTER_N &&
      bytes[at + 1] === 117 &&
      bytes[at + 2] === 108 &&
      bytes[at + 3] === 108;
    return isNull ? 'null' : decoder.decode(bytes.subarray(at, end));
  }

  #followRecord(): boolean {
    const { bytes, length: filled } = this.#window;
    for (; this.#at < filled; this.#at++) {
      const byte = bytes[this.#at];
      if (this.#inString) {
        if (!this.#escaped && isText(byte)) {
          let at = this.#at + 1;
          while (at < filled && isText(bytes[at])) at++;
          this.#at = at - 1;
          continue;
        }
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) {
          this.#inString = false;
          this.#afterValue = true;
          if (this.#depth === 0) return this.#complete();
        } else if (byte === LF || byte === CR) {
          return this.#damaged('a line break', 'the end of a string');
        }
        continue;
      }
      if (byte <= 32) continue;
      if (this.#afterValue) {
        // A missing quote swaps strings with the text between them, and an extra bracket joins records: the next byte is
        // then no separator.
        if (byte !== COMMA && byte !== CLOSE_BRACKET && byte !== CLOSE_BRACE && byte !== COLON) {
          return this.#damaged(String.fromCharCode(byte), ',');
        }
        this.#afterValue = false;
      }
      const isMember = this.#afterColon;
      this.#afterColon = byte === COLON;
      const opens = byte === OPEN_BRACKET || byte === OPEN_BRACE;
      if (opens && !isMember && this.#brackets[this.#depth] === OPEN_BRACE) {
        return this.#damaged(String.fromCharCode(byte), '"');
      }
      if (byte === OPEN_BRACE && this.#isInRow) {
        const repeats = this.#repeatsFirstKey();
        if (repeats === undefined) {
          this.#afterColon = isMember;
          return false;
        }
        if (repeats) return this.#damaged('{', ']');
      }
      if (byte === QUOTE) this.#inString = true;
      else if (opens) {
        this.#depth++;
        this.#isNested ||= this.#depth > 1;
        this.#brackets[this.#depth] = byte;
        if (byte === OPEN_BRACE) this.#braces++;
        else if (this.#braces === 0 && this.#depth > GRID_DEPTH) {
          this.#at = this.#beforeNested();
          this.#broken('bad_character', '[', ']');
          this.#skipBrackets();
          return true;
        } else if (this.#depth > MAX_DEPTH) return this.#damaged(String.fromCharCode(byte), ']');
      } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
        const closes = this.#brackets[this.#depth] === (byte === CLOSE_BRACKET ? OPEN_BRACKET : OPEN_BRACE);
        if (!closes && this.#braces > 0) {
          return this.#damaged(String.fromCharCode(byte), byte === CLOSE_BRACKET ? '}' : ']');
        }
        this.#depth--;
        if (byte === CLOSE_BRACE) this.#braces--;
        if (this.#depth <= 0) return this.#complete();
        this.#afterValue = true;
      }
      const length = this.#at - this.#record;
      if (length > MAX_LOOKAHEAD_BYTES && !this.#judged && this.#openWrapper(this.#at)) return true;
      if (length > MAX_RECORD_BYTES) {
        return this.#broken('too_large', 'a record of more than 1 MiB', 'a grid or an object');
      }
    }
    return false;
  }

  /** Whether `#at` is in a list of lists in an object: a row of cells. */
  get #isInRow(): boolean {
    const depth = this.#depth;
    return depth > 2 && this.#brackets[depth] === OPEN_BRACKET && this.#brackets[depth - 1] === OPEN_BRACKET;
  }

  /**
   * Whether the object at `#at` starts with the same member as the record: then it is the next record, as the end of
   * this one is missing. Undefined if it needs more bytes.
   */
  #repeatsFirstKey(): boolean | undefined {
    const bytes = this.#window.bytes;
    let own = this.#window.nextByte(this.#record + 1) ?? this.#window.length;
    const start = this.#window.nextByte(this.#at + 1);
    if (start === undefined) return undefined;
    for (let at = start; at < start + MAX_KEY_BYTES; at++, own++) {
      if (at === this.#window.length) return this.#window.ended ? false : undefined;
      if (bytes[at] !== bytes[own]) return false;
      if (bytes[at] === COLON) return true;
    }
    return false;
  }

  /** Where to look for the next record after a bracket opens too deep: at the adjacent bracket before it, if any. */
  #beforeNested(): number {
    let before = this.#at - 1;
    while (before > this.#record && this.#window.bytes[before] <= 32) before--;
    return this.#window.bytes[before] === OPEN_BRACKET && before > this.#record ? before : this.#at;
  }

  /** Skips each bracket of many in a row that would be the start of another record broken in the same way. */
  #skipBrackets(): void {
    const bytes = this.#window.bytes;
    const last = this.#window.length - GRID_DEPTH;
    if (!this.#inList || this.#damage === undefined || this.#at - this.#damageAt >= MIN_GRID_BYTES) return;
    let at = this.#at;
    while (
      at < last &&
      bytes[at] === OPEN_BRACKET &&
      bytes[at + 1] === OPEN_BRACKET &&
      bytes[at + 2] === OPEN_BRACKET
    ) {
      this.#damageAt = at++;
    }
    this.#at = at;
  }

  #complete(): boolean {
    this.#enterDamage();
    const from = this.#record;
    const to = ++this.#at;
    this.#sink.work.spend(to - from);
    this.#window.moveTo(from);
    const text = decoder.decode(this.#window.bytes.subarray(from, to));
    const value = parseJson(text);
    const member = this.#member;
    const repeated = value === undefined ? [] : repeatedMembers(text);
    if (repeated.length > 0) {
      const isAround = member === undefined && this.#isWrapper(value);
      const own = isAround ? repeated.find(isOfWrapper) : repeated[0];
      if (own !== undefined) return this.#refuseRepeat(own, to);
    }
    if (isObject(value) && isEmptyWrapper(this.#sink, value)) {
      this.#member = undefined;
      this.#record = -1;
      return true;
    }
    if (member === undefined && this.#window.bytes[from] === OPEN_BRACE) {
      if (value === undefined ? this.#openWrapper(to) : this.#isWrapper(value)) {
        if (this.#record < 0 || this.#enterWrapper(value as JsonObject, true)) return true;
        return this.#broken('too_large', `an object in ${MAX_WRAPPERS} others`, 'puzzles, or lists of them');
      }
    }
    this.#member = undefined;
    if (member !== undefined && value !== undefined && isLabel(member, value)) {
      this.#record = -1;
      return holdsPuzzles(this.#sink, value) ? this.#takeList(from) : true;
    }
    const start = this.#window.position.copy();
    this.#window.moveTo(to - 1);
    const { line } = this.#window.position;
    const result =
      member === undefined
        ? enterJson(
            this.#sink,
            value,
            this.#window.bytes,
            from,
            to,
            start,
            line,
            this.#rules,
            this.#solutions?.left.pop(),
          )
        : enterLateRule(this.#sink, member, value, start, line);
    this.#window.moveTo(to);
    this.#record = -1;
    // The value of a wrapper's member is complete; a list in a list may have lost a bracket.
    this.#lost = result === 'damaged' && this.#window.bytes[from] === OPEN_BRACKET && !this.#inWrapper;
    if (result !== 'read' || member !== undefined) return true;
    if (this.#rules === undefined && this.#solutions === undefined)
      this.#fastPath.keep(from, to, this.#inList);
    else this.#fastPath.clear();
    return true;
  }

  /** Enters the record that ends before `to` as unreadable because of a repeated member. */
  #refuseRepeat({ key }: RepeatedMember, to: number): boolean {
    const start = this.#window.position.copy();
    this.#window.moveTo(to - 1);
    const { line } = this.#window.position;
    enterFault(this.#sink, repeatFault(key), start, line, start.line);
    this.#member = undefined;
    this.#record = -1;
    return true;
  }

  #isWrapper(value: unknown): boolean {
    return isObject(value) && isWrapper(this.#sink, value);
  }

  /** The record cannot be read on from `#at`: if it is a wrapper, its members are. */
  #damaged(found: string, expected: string): boolean {
    return this.#openWrapper(this.#at) || this.#broken('bad_character', found, expected);
  }

  #broken(code: ParseErrorCode, found: string, expected: string): boolean {
    const start = this.#record;
    this.#sink.work.spend(this.#at - start);
    this.#record = -1;
    this.#member = undefined;
    this.#lost = true;
    // Where the wrapper ends is not known then, and so neither is which puzzles have its rules.
    if (this.#rules !== undefined) this.#around[this.#around.length - 1] = UNCERTAIN;
    this.#window.moveTo(start);
    const { line: first } = this.#window.position;
    this.#window.moveTo(this.#at);
    const { line, column } = this.#window.position;
    const near = start - this.#damageAt < MIN_GRID_BYTES;
    this.#damageAt = start;
    if (near && this.#damage !== undefined) {
      this.#damage.lineEnd = line;
      return true;
    }
    this.#enterDamage();
    const error = errorAt({ line, column }, makeFault(code, this.#at, found, expected, { isQuote: true }));
    this.#sink.reportPending(error);
    this.#damage = { error, line: first, lineEnd: line };
    return true;
  }

  /** Enters a `null` at `#at`: this format's writer writes it for a puzzle without a solution. */
  #enterEmptyPlace(): void {
    this.#enterDamage();
    this.#solutions?.left.pop();
    this.#window.moveTo(this.#at);
    const { position } = this.#window;
    const fault = makeFault('bad_length', this.#at, 'null', 'a grid, an object, or a list of them');
    enterFault(this.#sink, fault, position, position.line);
    this.#at += fault.found.length;
  }

  #enterDamage(): void {
    if (this.#damage === undefined) return;
    const { error, line, lineEnd } = this.#damage;
    this.#damage = undefined;
    this.#sink.enterError(error, line, lineEnd);
  }
}

const decoder = new TextDecoder();

/** Members of a wrapper whose names are kept: most have a few, some have one for each puzzle. */
const MAX_NAMES = 256;

/** Whether a repeated member is one of a wrapper, and not of its puzzles. */
function isOfWrapper({ member, isDirect }: RepeatedMember): boolean {
  return isDirect || isRule(member, true) || isSolutionName(member);
}

/** Makes each puzzle unreadable to which a repeated rule applies. */
function uncertainRule(key: string): JsonObject {
  return { [`${key} twice`]: true };
}

/** Makes each puzzle unreadable to which the rules of a damaged wrapper may apply. */
const UNCERTAIN: JsonObject = { 'rules around a damaged puzzle': true };

/** A number, or a word of JSON. */
const WORD = /^(-?[\d.eE+-]+|true|false|null)$/;
const ENDS_WORD = [COMMA, CLOSE_BRACKET, CLOSE_BRACE, OPEN_BRACKET, OPEN_BRACE, QUOTE];

/** By byte: 1 if it has no special meaning in a string. */
const TEXT = new Uint8Array(256).fill(1);
for (const byte of [QUOTE, BACKSLASH, LF, CR]) TEXT[byte] = 0;

function isText(byte: number): boolean {
  return TEXT[byte] === 1;
}

/** By byte: 1 if in damage it is neither the start of a record nor between records. */
const DEBRIS = new Uint8Array(256).fill(1, 33);
for (const byte of [QUOTE, OPEN_BRACKET, OPEN_BRACE, COMMA, COLON]) DEBRIS[byte] = 0;

function isDebris(byte: number): boolean {
  return DEBRIS[byte] === 1;
}
