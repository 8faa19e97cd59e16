/**
 * Splits a stream of JSON into records by its brackets.
 *
 *     [ [["5",..],..] , [["1",..],..] ]
 *     ^ |--record---|   |--record---| ^
 *     list opens                      list closes
 *
 * The brackets after the first one decide whether it opens a list of records or the first record. A record has at most
 * `MAX_RECORD_BYTES`. Damage (brackets that do not close, a line break in a string) extends to the next `[[`, `{`,
 * string with a puzzle, or line that starts a record. A broken start less than `MIN_GRID_BYTES` before the next one is
 * damage too, as no grid fits in between: `[[["5",[[["5",...` is one record.
 */
import { textIn } from '../bytes/byte-text.ts';
import { TextPosition } from '../bytes/text-position.ts';
import { isLastPlain } from '../cells/cell-template.ts';
import { LastRecordTemplate } from '../cells/last-record-template.ts';
import type { ReaderCheckpoint, ReaderState, RecordReader } from '../reader.ts';
import { isSameButBlank, type Layout } from '../records/layout.ts';
import type { ParseError, ParseErrorCode, RecordBlock, RecordNotes } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import {
  findValues,
  type ObjectOffsets,
  type ObjectTemplate,
  objectTemplate,
} from './json-object-template.ts';
import { enterJson } from './json-value.ts';
import { OBJECT } from './json-writer.ts';

const MAX_RECORD_BYTES = 1024 * 1024;

/** Less than the smallest grid: four rows of four strings, with their brackets, have 29 bytes. */
const MIN_GRID_BYTES = 24;

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN = 91;
const CLOSE = 93;
const BRACE = 123;
const UNBRACE = 125;
const COMMA = 44;
const COLON = 58;
/** First letter of `null`. */
const NULL = 110;
const NULL_WORD = [NULL, 117, 108, 108];
const LF = 10;
const CR = 13;

/** More than the longest puzzle in one string. */
const MAX_LINE_BYTES = 8192;

/** Bytes after a quote that are compared one by one to find the next quote. */
const NEAR_BYTES = 16;

/** In characters. */
const MAX_SYMBOL_LENGTH = 3;
const MAX_ROW_LENGTH = 36;

/** Bracket depth of a grid; a greater depth means a missing bracket. */
const GRID_DEPTH = 2;

export class JsonReader implements RecordReader {
  readonly #sink: RecordSink;
  #bytes = new Uint8Array(64 * 1024);
  #length = 0;
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
  #inList = false;
  /** Whether the next record after damage is searched for. */
  #lost = false;
  /** The last damage; it is entered as a record when its end is known. */
  #damage: { readonly error: ParseError; readonly line: number; lineEnd: number } | undefined;
  /** Offset of the last broken record of the damage. */
  #damageAt = 0;
  /** Only white space precedes `#at` on its line. */
  #freshLine = true;
  #ended = false;
  /** Template of the last grid, and whether that is in a list. */
  readonly #gridTemplate = new LastRecordTemplate();
  #templateInList = false;
  #objectTemplate: (ObjectTemplate & { readonly layout: Layout }) | undefined;
  readonly #position: TextPosition;
  #positionAt = 0;

  /** @param from state of a reader that has read everything before */
  constructor(sink: RecordSink, from?: ReaderState) {
    this.#sink = sink;
    this.#position = TextPosition.from(from);
    this.#inList = from?.inList === true;
    this.#freshLine = from === undefined || from.freshLine === true;
  }

  *push(bytes: Uint8Array): Iterable<RecordBlock> {
    this.#feed(bytes);
    yield* this.#read();
  }

  *end(): Iterable<RecordBlock> {
    this.#ended = true;
    yield* this.#read();
    if (this.#record >= 0) this.#broken('truncated', 'the end of the file', 'the end of a record');
    this.#enterDamage();
    yield* this.#sink.flush();
  }

  flush(): Iterable<RecordBlock> {
    return this.#sink.flush();
  }

  checkpoint(): ReaderCheckpoint | undefined {
    if (this.#record >= 0 || this.#lost || this.#damage !== undefined) return undefined;
    this.#move(this.#at);
    const state = {
      ...this.#position.state(),
      inList: this.#inList,
      freshLine: this.#freshLine,
      sink: this.#sink.state(),
    };
    return { state, unreadBytes: this.#length - this.#at };
  }

  *#read(): Iterable<RecordBlock> {
    while (this.#step()) if (this.#sink.hasReady) yield* this.#sink.takeReady();
    if (this.#sink.hasReady) yield* this.#sink.takeReady();
  }

  #feed(chunk: Uint8Array): void {
    const keep = this.#record >= 0 ? this.#record : this.#at;
    this.#move(keep);
    if (keep > 0) {
      this.#bytes.copyWithin(0, keep, this.#length);
      this.#length -= keep;
      this.#at -= keep;
      this.#positionAt -= keep;
      this.#damageAt -= keep;
      if (this.#record >= 0) this.#record = 0;
    }
    if (this.#length + chunk.length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length + chunk.length, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length += chunk.length;
  }

  /** Reads up to the end of the next record; false if it needs more bytes. */
  #step(): boolean {
    return this.#record < 0 ? this.#findRecord() : this.#followRecord();
  }

  #findRecord(): boolean {
    const bytes = this.#bytes;
    for (; this.#at < this.#length; this.#at++) {
      const byte = bytes[this.#at];
      if (byte === LF || byte === CR) this.#freshLine = true;
      if (byte <= 32 || byte === COMMA) continue;
      const fresh = this.#freshLine && !this.#inList;
      this.#freshLine = false;
      const starts = byte === OPEN || byte === BRACE || byte === QUOTE;
      if (byte === OPEN) {
        const opened = this.#opening();
        if (opened === undefined) {
          this.#freshLine = fresh;
          return false;
        }
        if (opened === 'list') {
          this.#inList = true;
          this.#lost = false;
          continue;
        }
        if (this.#lost && opened !== 'grid' && !fresh) continue;
      } else if (byte === CLOSE) {
        // In damage, this may be the end of a broken grid or of the list.
        if (this.#lost) continue;
        this.#inList = false;
        this.#lost = false;
        continue;
      } else if (this.#lost && byte !== BRACE) {
        if (byte !== QUOTE) continue;
        // A string starts a record if it starts a line, or is as long as a puzzle.
        const length = fresh ? 0 : this.#stringLength(this.#at);
        if (length === undefined) return false;
        const isPuzzle = length > MAX_ROW_LENGTH && this.#sink.book.sizeOfCells(length) !== undefined;
        if (!fresh && !isPuzzle) continue;
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
      if (byte === BRACE ? this.#takeObjectFast() : this.#takeGridFast()) return true;
      this.#record = this.#at;
      this.#lost = false;
      this.#depth = 0;
      this.#braces = 0;
      this.#inString = false;
      this.#escaped = false;
      this.#afterValue = false;
      return true;
    }
    return false;
  }

  /** Reads the record at `#at` on the fast path, if it matches the last grid; whether it did. */
  #takeGridFast(): boolean {
    if (this.#lost || this.#damage !== undefined || this.#templateInList !== this.#inList) return false;
    const from = this.#at;
    const length = this.#gridTemplate.fill(this.#sink, this.#bytes, from, this.#length);
    if (length === 0) return false;
    this.#at = from + length;
    this.#move(from);
    const { line } = this.#position;
    this.#move(this.#at);
    this.#sink.enterFilled(line, this.#position.line);
    return true;
  }

  /** Reads the object at `#at` on the fast path, if it matches the last one; whether it did. */
  #takeObjectFast(): boolean {
    const template = this.#objectTemplate;
    const block = this.#sink.currentBlock;
    if (template === undefined || block === undefined || this.#lost || this.#damage !== undefined)
      return false;
    const { layout } = template;
    if (block.layout !== layout && !isSameButBlank(block.layout, layout)) return false;
    const from = this.#at;
    const bytes = this.#bytes;
    if (!findValues(template, bytes, from, this.#length, objectOffsets)) return false;
    const notes: RecordNotes = {};
    if (objectOffsets.id >= 0) notes.id = textIn(bytes, objectOffsets.id, objectOffsets.idEnd);
    if (objectOffsets.solution >= 0) {
      const solution = this.#sink.valuesIn(bytes, objectOffsets.solution, layout.geometry);
      if (solution !== undefined) notes.expected = { solution };
    }
    const hasNotes = objectOffsets.id >= 0 || notes.expected !== undefined;
    this.#move(from);
    const { line } = this.#position;
    const { format, geometry, arrangement } = layout;
    const place = { format, geometry, arrangement, spaced: false, line, lineEnd: line };
    if (!this.#sink.enterFast(bytes, objectOffsets.puzzle, place, hasNotes ? notes : undefined)) return false;
    this.#at = objectOffsets.end;
    return true;
  }

  /** Keeps the object in the bytes `from` to `to` as the template, if its puzzle is a text. */
  #keepObjectTemplate(from: number, to: number): void {
    this.#objectTemplate = undefined;
    const layout = this.#sink.currentBlock?.layout;
    if (layout === undefined || layout.arrangement !== `${OBJECT}line` || !isLastPlain(this.#sink)) return;
    const template = objectTemplate(this.#bytes, from, to, layout.geometry.cellCount);
    this.#objectTemplate = template && { ...template, layout };
  }

  /** Keeps the grid in the bytes `from` to `to` as the template, if every cell is one character. */
  #keepGridTemplate(from: number, to: number): void {
    const offsets = jsonCells(this.#bytes, from, to);
    this.#templateInList = this.#inList;
    if (offsets === undefined) this.#gridTemplate.clear();
    else this.#gridTemplate.keep(this.#sink, this.#bytes, from, to - from, offsets);
  }

  /** The value that the bracket at `#at` opens; undefined if it needs more bytes. */
  #opening(): 'list' | 'grid' | 'row' | undefined {
    const first = this.#nextByte(this.#at + 1);
    if (first === undefined) return undefined;
    const next = first < this.#length ? this.#bytes[first] : 0;
    // No grid starts with `[null`, as its rows are lists or strings; a list whose first record is `null` does.
    if (next === CLOSE || next === BRACE || next === NULL) return this.#inList ? 'row' : 'list';
    if (next === OPEN) {
      if (this.#inList) return 'grid';
      const second = this.#nextByte(first + 1);
      if (second === undefined) return undefined;
      if (second < this.#length && this.#bytes[second] === OPEN) return 'list';
      const length = this.#stringLength(second);
      // Rows as strings, inside another list.
      return length === undefined ? undefined : length > MAX_SYMBOL_LENGTH ? 'list' : 'grid';
    }
    const length = this.#inList && !this.#lost ? 0 : this.#stringLength(first);
    if (length === undefined) return undefined;
    // In damage, the length distinguishes rows as strings from cells.
    if (this.#inList) return length > MAX_SYMBOL_LENGTH ? 'grid' : 'row';
    return length > MAX_ROW_LENGTH && this.#sink.book.sizeOfCells(length) !== undefined ? 'list' : 'row';
  }

  /** Length of the string at `at`, 0 if there is none; undefined if it needs more bytes. */
  #stringLength(at: number): number | undefined {
    if (at >= this.#length || this.#bytes[at] !== QUOTE) return 0;
    // Most strings are one symbol: a call of `indexOf` would take longer.
    const near = Math.min(this.#length, at + 1 + NEAR_BYTES);
    for (let end = at + 1; end < near; end++) if (this.#bytes[end] === QUOTE) return end - at - 1;
    const end = this.#bytes.subarray(0, this.#length).indexOf(QUOTE, near);
    if (end >= 0) return end - at - 1;
    return this.#ended || this.#length - at > MAX_LINE_BYTES ? 0 : undefined;
  }

  /** Offset of the first byte from `at` on that is not white space; `#length` at the end of the file. */
  #nextByte(at: number): number | undefined {
    let next = at;
    while (next < this.#length && this.#bytes[next] <= 32) next++;
    return next < this.#length || this.#ended ? next : undefined;
  }

  /** The bare word at `#at`; undefined if it may continue in the next chunk. */
  #word(): string | undefined {
    let end = this.#at + 1;
    while (end < this.#length && this.#bytes[end] > 44 && this.#bytes[end] !== CLOSE && end - this.#at < 64)
      end++;
    if (end === this.#length && !this.#ended && end - this.#at < 64) return undefined;
    // A file may have one per puzzle without a solution.
    if (
      end - this.#at === NULL_WORD.length &&
      NULL_WORD.every((byte, k) => this.#bytes[this.#at + k] === byte)
    )
      return 'null';
    return decoder.decode(this.#bytes.subarray(this.#at, end));
  }

  #followRecord(): boolean {
    const bytes = this.#bytes;
    const length = this.#length;
    for (; this.#at < length; this.#at++) {
      const byte = bytes[this.#at];
      if (this.#inString) {
        if (!this.#escaped && isText(byte)) {
          let at = this.#at + 1;
          while (at < length && isText(bytes[at])) at++;
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
          return this.#broken('bad_character', 'a line break', 'the end of a string');
        }
        continue;
      }
      if (byte <= 32) continue;
      if (this.#afterValue) {
        // A missing quote swaps strings with the text between them, and an extra bracket joins records: the next byte is
        // then no separator.
        if (byte !== COMMA && byte !== CLOSE && byte !== UNBRACE && byte !== COLON) {
          return this.#broken('bad_character', String.fromCharCode(byte), ',');
        }
        this.#afterValue = false;
      }
      if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN || byte === BRACE) {
        this.#depth++;
        if (byte === BRACE) this.#braces++;
        else if (this.#braces === 0 && this.#depth > GRID_DEPTH) {
          this.#at = this.#beforeNested();
          return this.#broken('bad_character', '[', ']');
        }
      } else if (byte === CLOSE || byte === UNBRACE) {
        this.#depth--;
        if (byte === UNBRACE) this.#braces--;
        if (this.#depth <= 0) return this.#complete();
        this.#afterValue = true;
      }
      if (this.#at - this.#record > MAX_RECORD_BYTES) {
        return this.#broken('too_large', 'a record of more than 1 MiB', 'a grid or an object');
      }
    }
    return false;
  }

  /** Where to look for the next record after a bracket opens too deep: at the adjacent bracket before it, if any. */
  #beforeNested(): number {
    let before = this.#at - 1;
    while (before > this.#record && this.#bytes[before] <= 32) before--;
    return this.#bytes[before] === OPEN && before > this.#record ? before : this.#at;
  }

  #complete(): boolean {
    this.#enterDamage();
    const from = this.#record;
    const to = ++this.#at;
    this.#move(from);
    const start = this.#position.copy();
    this.#move(to - 1);
    const readable = enterJson(this.#sink, this.#bytes, from, to, start, this.#position.line);
    this.#move(to);
    this.#record = -1;
    this.#lost = !readable && this.#bytes[from] === OPEN;
    if (readable && this.#bytes[from] === BRACE) this.#keepObjectTemplate(from, to);
    else if (readable) this.#keepGridTemplate(from, to);
    return true;
  }

  #broken(code: ParseErrorCode, found: string, expected: string): boolean {
    const start = this.#record;
    this.#record = -1;
    this.#lost = true;
    this.#move(start);
    const { line: first } = this.#position;
    this.#move(this.#at);
    const { line, column } = this.#position;
    const near = start - this.#damageAt < MIN_GRID_BYTES;
    this.#damageAt = start;
    if (near && this.#damage !== undefined) {
      this.#damage.lineEnd = line;
      return true;
    }
    this.#enterDamage();
    const message = `line ${line}, column ${column}: found ${JSON.stringify(found)}: expected ${JSON.stringify(expected)}`;
    const error = { code, message, line, column, found, expected };
    this.#sink.reportPending(error);
    this.#damage = { error, line: first, lineEnd: line };
    return true;
  }

  /** Enters a `null` at `#at`: this format's writer writes it for a puzzle without a solution. */
  #enterEmptyPlace(): void {
    this.#enterDamage();
    this.#move(this.#at);
    const { line, column } = this.#position;
    const [found, expected] = ['null', 'a grid, an object, or a list of them'];
    const message = `line ${line}, column ${column}: found null: expected ${expected}`;
    this.#sink.enterError({ code: 'bad_length', message, line, column, found, expected }, line, line);
    this.#at += found.length;
  }

  #enterDamage(): void {
    if (this.#damage === undefined) return;
    const { error, line, lineEnd } = this.#damage;
    this.#damage = undefined;
    this.#sink.enterError(error, line, lineEnd);
  }

  /** Counts lines and columns up to an offset; offsets never decrease. */
  #move(offset: number): void {
    if (offset <= this.#positionAt) return;
    this.#position.advance(this.#bytes, this.#positionAt, offset);
    this.#positionAt = offset;
  }
}

const decoder = new TextDecoder();

/** Offsets in the current object. */
const objectOffsets: ObjectOffsets = { end: 0, puzzle: 0, solution: -1, id: -1, idEnd: 0 };

/** By byte: 1 if it has no special meaning in a string. */
const TEXT = new Uint8Array(256).fill(1);
for (const byte of [QUOTE, BACKSLASH, LF, CR]) TEXT[byte] = 0;

function isText(byte: number): boolean {
  return TEXT[byte] === 1;
}

/** Offsets of the cells of a grid without numbers of several digits, escapes or names; undefined for other records. */
function jsonCells(bytes: Uint8Array, from: number, to: number): number[] | undefined {
  const offsets: number[] = [];
  let inString = false;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) inString = !inString;
    else if (byte === BACKSLASH || byte > 126) return undefined;
    else if (inString) offsets.push(at);
    else if (byte > 32 && byte !== OPEN && byte !== CLOSE && byte !== COMMA) {
      if (byte < 48 || byte > 57 || offsets.at(-1) === at - 1) return undefined;
      offsets.push(at);
    }
  }
  return offsets;
}
