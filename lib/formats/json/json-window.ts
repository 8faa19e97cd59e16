/**
 * The bytes of a JSON file that are not read yet, and where they are in the file. Who asks for bytes that have not arrived
 * is interrupted, see `bytes/arrival.ts`.
 */
import { notArrived } from '../bytes/arrival.ts';
import { COLON, CR, LF, QUOTE } from '../bytes/ascii.ts';
import { textIn } from '../bytes/byte-text.ts';
import { textEnd, tokenStart, wordEnd } from '../bytes/json-scan.ts';
import { TextPosition } from '../bytes/text-position.ts';
import type { ReaderState } from '../reader.ts';

const MIN_BUFFER_BYTES = 64 * 1024;

/** More than the longest puzzle in one string. */
export const MAX_LINE_BYTES = 8192;

/** The byte-order mark of UTF-8. */
const MARK = [0xef, 0xbb, 0xbf];

export class JsonWindow {
  bytes = new Uint8Array(MIN_BUFFER_BYTES);
  /** Number of bytes so far. */
  length = 0;
  /** No bytes follow. */
  ended = false;
  /** Labels of records are in `bytes`: they must not change. */
  #areKept = false;
  readonly position: TextPosition;
  #positionAt = 0;

  /** @param from state of a reader that has read everything before */
  constructor(from: ReaderState | undefined) {
    this.position = TextPosition.from(from);
  }

  /** Drops the bytes before the offset `keep`, so that all offsets decrease by it, and adds a chunk. */
  feed(chunk: Uint8Array, keep: number): void {
    this.moveTo(keep);
    const bytes = this.bytes;
    const length = this.length - keep + chunk.length;
    if (this.#areKept || length > bytes.length) {
      this.bytes = new Uint8Array(Math.max(length, this.#areKept ? MIN_BUFFER_BYTES : bytes.length * 2));
      this.bytes.set(bytes.subarray(keep, this.length));
      this.#areKept = false;
    } else if (keep > 0) bytes.copyWithin(0, keep, this.length);
    this.#positionAt -= keep;
    this.bytes.set(chunk, this.length - keep);
    this.length = length;
  }

  /** From now on `bytes` never change: the next chunk gets an array of its own. */
  keepBytes(): void {
    this.#areKept = true;
  }

  /** Counts lines and columns up to an offset; offsets never decrease. */
  moveTo(offset: number): void {
    if (offset <= this.#positionAt) return;
    this.position.advance(this.bytes, this.#positionAt, offset);
    this.#positionAt = offset;
  }

  /** `moveTo` over bytes that are characters on one line. */
  skipTo(offset: number): void {
    this.position.skip(offset - this.#positionAt);
    this.#positionAt = offset;
  }

  /** Skips the byte-order mark at the start of the file: the offset after it. */
  skipMark(): number {
    const other = MARK.findIndex((byte, at) => this.byte(at) !== byte);
    if (other >= 0) return 0;
    this.#positionAt = MARK.length;
    return MARK.length;
  }

  /** The byte at `at`; 0 after the end of the file. */
  byte(at: number): number {
    if (at < this.length) return this.bytes[at];
    return this.ended ? 0 : notArrived();
  }

  string(from: number, to: number): string {
    return textIn(this.bytes, from, to);
  }

  /** `length` if the file ends there. */
  #arrived(at: number): number {
    return at < this.length || this.ended ? at : notArrived();
  }

  /** Offset of the first token from `at` on; `length` at the end of the file. */
  next(at: number): number {
    return this.#arrived(tokenStart(this.bytes, at, this.length));
  }

  /** Offset of the end of the line with `at`, at most `MAX_LINE_BYTES` later. */
  lineEnd(at: number): number {
    const last = Math.min(this.length, at + MAX_LINE_BYTES);
    let end = at;
    while (end < last && this.bytes[end] !== LF && this.bytes[end] !== CR) end++;
    return this.#arrived(end);
  }

  /** Offset of the end of the word at `at`, at most `MAX_LINE_BYTES` later. */
  wordEnd(at: number): number {
    const last = Math.min(this.length, at + MAX_LINE_BYTES);
    let end = wordEnd(this.bytes, at, last);
    while (end < last && this.bytes[end] === COLON) end = wordEnd(this.bytes, end + 1, last);
    return this.#arrived(end);
  }

  /** Offset after the string at `at`; negative if it has no end on its line, at most `MAX_LINE_BYTES` later. */
  stringEnd(at: number): number {
    const last = Math.min(this.length, at + MAX_LINE_BYTES);
    const end = textEnd(this.bytes, at + 1, last);
    if (end < last && this.bytes[end] === QUOTE) return end + 1;
    if (end >= this.length - 1) this.#arrived(last);
    return -1;
  }

  /** Bytes between the quote at `at` and the next one; 0 if there is none. */
  stringLength(at: number): number {
    if (this.byte(at) !== QUOTE) return 0;
    const last = Math.min(this.length, at + MAX_LINE_BYTES);
    let end = at + 1;
    while (end < last && this.bytes[end] !== QUOTE) end++;
    return this.#arrived(end) < last ? end - at - 1 : 0;
  }
}
