/**
 * A file's lines as offsets into one buffer of bytes: no strings, and no more of the file than one puzzle needs.
 *
 *     bytes   5 3 . . 7 LF # x CR LF 1 2 3 ...          chunks are appended, consumed bytes are dropped
 *             ^0          ^6         ^10
 *     lines   head ---------------> tail                 lines scanned and not yet consumed
 *     start   0           6          10                  first byte
 *     text    0           6          10                  first byte that is not white space
 *     end     5           8          13                  after the last byte that is not white space
 *
 * Lines end with LF, CR LF or a lone CR; a byte-order mark at the front of the file is skipped. A line is scanned once
 * the byte after its CR or LF has arrived, or the file ended: so the lines do not depend on the chunks. Zeros and Ctrl-Z at
 * the end of a line, with which DOS and some devices fill the end of a file, are white space.
 *
 * A reader that asks for a line which has not arrived is interrupted (`unlessInterrupted`), so that none has to handle a
 * file of which only a part is there.
 *
 * Two limits bound memory. Only the first bytes of a line longer than `MAX_LINE_BYTES` are kept, and it is flagged. And
 * `has` never shows more than `MAX_HELD_LINES` lines or about `MAX_HELD_BYTES` bytes from the first unconsumed line on,
 * for chunks of any size: a recogniser must decide by then.
 */

import { notArrived } from './arrival.ts';
import { isWhite } from './ascii.ts';
import { textIn } from './byte-text.ts';

/** Bytes of the longest line that is read, without its end. */
export const MAX_LINE_BYTES = 1024 * 1024;
/** Lines that a recogniser may read before it decides. */
const MAX_HELD_LINES = 8192;
/** Bytes of lines after which no other line is shown. */
const MAX_HELD_BYTES = 2 * 1024 * 1024;
/** Initial memory, which grows to the chunks of the file: most texts are small, and every detection opens a reader. */
const INITIAL_BYTES = 4096;
/** Bytes kept of a line that is too long: enough to quote its start. */
const KEPT_LONG_LINE_BYTES = 64;

// The scan compares each byte with these. Imported constants would be loaded from their module for each byte.
const LF = 10;
const CR = 13;
const SPACE = 32;
const CTRL_Z = 0x1a;

export class LineWindow {
  bytes = new Uint8Array(INITIAL_BYTES);
  /** Bytes in `bytes`. */
  length = 0;

  /** First unconsumed line. */
  head = 0;
  /** After the last scanned line. */
  tail = 0;
  start = new Int32Array(256);
  /** Start of the line's text, after white space; `end` if it has none. */
  text = new Int32Array(256);
  end = new Int32Array(256);
  /** End of the line's first token, a run of bytes without white space. */
  tokenEnd = new Int32Array(256);
  /** Number of tokens in the line; 0 for a blank line. */
  tokens = new Int32Array(256);
  /** Lines too long to be kept whole. */
  #long = new Set<number>();

  /** All bytes of the file were fed. */
  ended = false;

  /** The last line that `has` showed since the caller set this. */
  furthest = 0;

  /** Number in the file of line `head`, from 1. */
  #headNumber: number;
  #heldBytes = 0;
  #markSkipped = false;

  // The line being scanned: its start, and the offset up to which its end was looked for.
  #lineStart = 0;
  #scan = 0;
  #skipping = false;
  /** Whether the bytes dropped from the line are all white space, zeros and Ctrl-Z. */
  #filled = false;

  /** @param firstLine number of the line that the bytes start with; above 1, a byte-order mark is not skipped */
  constructor(firstLine = 1) {
    this.#headNumber = firstLine;
    this.#markSkipped = firstLine > 1;
  }

  /** Number of bytes fed from the first unconsumed line on; undefined if not all of them are kept. */
  get unreadBytes(): number | undefined {
    if (this.#skipping || this.#long.size > 0) return undefined;
    return this.length - (this.head < this.tail ? this.start[this.head] : this.#lineStart);
  }

  /** Appends the next bytes of the file. Offsets read before become invalid. */
  feed(chunk: Uint8Array): void {
    const kept = this.head < this.tail ? this.start[this.head] : this.#lineStart;
    if (kept > 0 && (kept >= this.length - kept || this.length + chunk.length >= this.bytes.length)) {
      this.#drop(kept);
    }
    const needed = this.length + chunk.length;
    if (needed >= this.bytes.length) {
      const larger = new Uint8Array(Math.max(needed + 1, this.bytes.length * 2));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    this.bytes.set(chunk, this.length);
    this.length = needed;
  }

  /** Marks the end of the file. */
  finish(): void {
    this.ended = true;
  }

  /**
   * Whether there is a line `at`; there is none after the end of the file, or after the limits.
   *
   * @throws an error for `unlessInterrupted` if it may still arrive
   */
  has(at: number): boolean {
    if (this.hasArrived(at)) return true;
    if (this.ended || this.#isFull()) return false;
    return notArrived();
  }

  /** Whether there is a line `at` so far: only what saves time, or asks again, may depend on it. */
  hasArrived(at: number): boolean {
    while (at >= this.tail) if (this.#isFull() || !this.#scanLine()) return false;
    if (at > this.furthest) this.furthest = at;
    return true;
  }

  /** Whether the lines reach a limit: no other is shown. */
  #isFull(): boolean {
    return this.tail - this.head >= MAX_HELD_LINES || this.#heldBytes >= MAX_HELD_BYTES;
  }

  /** Bytes of the lines from `at` to `furthest`. */
  examinedBytes(at: number): number {
    return this.end[this.furthest] - this.start[at];
  }

  /** Whether line `at` was too long to be kept whole. */
  isLong(at: number): boolean {
    return this.#long.size > 0 && this.#long.has(at);
  }

  /** Number of line `at` in the file, from 1. */
  number(at: number): number {
    return this.#headNumber + at - this.head;
  }

  /** Offset of the line after line `at`; -1 if that is not known. */
  lineAfter(at: number): number {
    if (at + 1 < this.tail) return this.start[at + 1];
    return at + 1 === this.tail ? this.#lineStart : -1;
  }

  /** Offset after the last character of line `at`, white space included, zeros and Ctrl-Z at its end not. */
  rawEnd(at: number): number {
    const { bytes, start } = this;
    let end = this.lineAfter(at);
    if (end > start[at] && bytes[end - 1] === LF) end--;
    if (end > start[at] && bytes[end - 1] === CR) end--;
    while (end > start[at] && isFiller(bytes[end - 1])) end--;
    return end;
  }

  /** Drops the first `lines` lines. */
  consume(lines: number): void {
    for (let at = this.head; at < this.head + lines; at++) {
      this.#heldBytes -= this.end[at] - this.start[at];
      if (this.#long.size > 0) this.#long.delete(at);
    }
    this.head += lines;
    this.#headNumber += lines;
    if (this.head === this.tail) {
      this.head = 0;
      this.tail = 0;
    } else if (this.head >= MAX_HELD_LINES) {
      this.#shiftLines();
    }
  }

  /**
   * Offset of the first unconsumed line; -1 if its scan has begun and its end has not arrived (otherwise a line in many
   * chunks would be read once per chunk). For fast paths, which take whole lines straight from `bytes` and report them
   * with `skipTo`.
   */
  rawPosition(): number {
    if (this.#long.size > 0) return -1;
    if (this.head !== this.tail) return this.start[this.head];
    if (this.#skipping || this.#scan > this.#lineStart) return -1;
    if (!this.#markSkipped && !this.#skipMark()) return -1;
    return this.#lineStart;
  }

  /** Continues at `position`, `lines` lines after `rawPosition`. */
  skipTo(position: number, lines: number): void {
    if (lines <= this.tail - this.head) {
      // These lines are scanned already, and later ones may be too.
      this.consume(lines);
      return;
    }
    this.#headNumber += lines;
    this.head = 0;
    this.tail = 0;
    this.#heldBytes = 0;
    this.#beginLine(position);
  }

  /** Column of a byte of line `at`: characters from 1, for UTF-8. */
  column(at: number, offset: number): number {
    let column = 1;
    for (let i = this.start[at]; i < offset; i++) if ((this.bytes[i] & 0xc0) !== 0x80) column++;
    return column;
  }

  /** The text between two offsets of `bytes`. */
  string(from: number, to: number): string {
    return textIn(this.bytes, from, to);
  }

  #scanLine(): boolean {
    if (!this.#markSkipped && !this.#skipMark()) return false;
    const { bytes, length, ended } = this;
    const start = this.#lineStart;
    // The scan ends there without a look at the length.
    bytes[length] = LF;
    let at = this.#scan;
    if (at > start) {
      // The line began in an earlier chunk: its tokens are looked for once all of it is there.
      while (bytes[at] !== LF && bytes[at] !== CR) at++;
      this.#scan = at;
      if (at < length || ended) at = start;
    }
    let tokens = 0;
    let text = start;
    let tokenEnd = start;
    let end = start;
    for (let byte = bytes[at]; byte !== LF && byte !== CR; byte = bytes[at]) {
      if (isWhite(byte)) {
        at++;
        continue;
      }
      const from = at;
      do at++;
      while (bytes[at] > SPACE || !(isWhite(bytes[at]) || bytes[at] === LF || bytes[at] === CR));
      end = at;
      if (tokens++ > 0) continue;
      text = from;
      tokenEnd = at;
    }
    // The byte after a CR decides whether an LF belongs to it.
    const isCut = at === length || (bytes[at] === CR && at + 1 === length);
    if (isCut && !ended) {
      if (at === length) this.#scan = at;
      if (at - start > MAX_LINE_BYTES) this.#skipRest();
      return false;
    }
    if (at === length && start === length && !this.#skipping) return false;
    if (tokens > 0 && isFiller(bytes[end - 1])) {
      while (end > start && (isFiller(bytes[end - 1]) || isWhite(bytes[end - 1]))) end--;
      tokens = tokensIn(bytes, start, end);
      if (tokens === 1) tokenEnd = end;
    }
    const isCrLf = bytes[at] === CR && at + 1 < length && bytes[at + 1] === LF;
    this.#endLine(at, text, tokenEnd, end, tokens);
    this.#beginLine(at === length ? length : isCrLf ? at + 2 : at + 1);
    return true;
  }

  /** Enters the line from `#lineStart` to `lineEnd` (exclusive), with its text and tokens. */
  #endLine(lineEnd: number, text: number, tokenEnd: number, end: number, tokens: number): void {
    if (this.tail === this.start.length) this.#growLines();
    const at = this.tail++;
    const start = this.#lineStart;
    const isLong = this.#skipping || lineEnd - start > MAX_LINE_BYTES;
    // Of a line that is too long, only the front is kept.
    const kept = start + KEPT_LONG_LINE_BYTES;
    const isKept = isLong && !this.#isFilled(lineEnd);
    if (isKept) this.#long.add(at);
    const isBlank = isLong ? !isKept : tokens === 0;
    this.start[at] = start;
    this.text[at] = isBlank || (isLong && text >= kept) ? start : text;
    this.end[at] = isBlank ? start : isLong ? kept : end;
    this.tokenEnd[at] = isBlank ? start : isLong ? kept : tokenEnd;
    this.tokens[at] = isBlank ? 0 : isLong ? 1 : tokens;
    this.#heldBytes += this.end[at] - start;
  }

  /** Whether the line has only white space, zeros and Ctrl-Z up to `end`; `bytes` lacks those that were dropped. */
  #isFilled(end: number): boolean {
    const { bytes } = this;
    if (this.#skipping && !this.#filled) return false;
    for (let at = this.#lineStart; at < end; at++) {
      if (!isFiller(bytes[at]) && !isWhite(bytes[at])) return false;
    }
    return true;
  }

  #beginLine(position: number): void {
    this.#lineStart = position;
    this.#scan = position;
    this.#skipping = false;
  }

  /** Drops all but the front of the line being scanned; its remaining bytes are dropped as they arrive. */
  #skipRest(): void {
    this.#filled = this.#isFilled(this.length);
    this.#skipping = true;
    this.length = this.#lineStart + KEPT_LONG_LINE_BYTES;
    this.#scan = this.length;
  }

  #skipMark(): boolean {
    const { bytes, length } = this;
    const other = MARK.findIndex((byte, at) => at >= length || bytes[at] !== byte);
    if (other === length && !this.ended) return false;
    if (other < 0) this.#beginLine(MARK.length);
    this.#markSkipped = true;
    return true;
  }

  #drop(count: number): void {
    this.bytes.copyWithin(0, count, this.length);
    this.length -= count;
    for (let at = this.head; at < this.tail; at++) {
      this.start[at] -= count;
      this.text[at] -= count;
      this.end[at] -= count;
      this.tokenEnd[at] -= count;
    }
    this.#lineStart -= count;
    this.#scan -= count;
  }

  #shiftLines(): void {
    for (const name of OF_LINES) this[name].copyWithin(0, this.head, this.tail);
    this.#long = new Set([...this.#long].map((at) => at - this.head));
    this.tail -= this.head;
    this.head = 0;
  }

  #growLines(): void {
    for (const name of OF_LINES) {
      const larger = new Int32Array(this[name].length * 2);
      larger.set(this[name]);
      this[name] = larger;
    }
  }
}

/** What is known of each line. */
const OF_LINES = ['start', 'text', 'end', 'tokenEnd', 'tokens'] as const;
/** The byte-order mark of UTF-8. */
export const MARK = [0xef, 0xbb, 0xbf];

/** Number of runs of bytes without white space between two offsets. */
function tokensIn(bytes: Uint8Array, from: number, to: number): number {
  let tokens = 0;
  for (let at = from; at < to; at++) {
    if (!isWhite(bytes[at]) && (at === from || isWhite(bytes[at - 1]))) tokens++;
  }
  return tokens;
}

/** Zero and Ctrl-Z, which fill the end of some files. */
export function isFiller(byte: number): boolean {
  return byte === 0 || byte === CTRL_Z;
}
