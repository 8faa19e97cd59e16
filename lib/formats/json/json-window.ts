/** The bytes of a JSON file that are not read yet, and where they are in the file. */
import { BACKSLASH, CR, LF, QUOTE } from '../bytes/ascii.ts';
import { textIn } from '../bytes/byte-text.ts';
import { TextPosition } from '../bytes/text-position.ts';
import type { ReaderState } from '../reader.ts';

const MIN_BUFFER_BYTES = 64 * 1024;

/** More than the longest puzzle in one string. */
export const MAX_LINE_BYTES = 8192;

/** Bytes after a quote that are compared one by one to find the next quote. */
const NEAR_BYTES = 16;

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

  /** Skips the byte-order mark at the start of the file: the offset after it; undefined if it needs more bytes. */
  skipMark(): number | undefined {
    const other = MARK.findIndex((byte, at) => at >= this.length || this.bytes[at] !== byte);
    if (other >= 0) return other === this.length && !this.ended ? undefined : 0;
    this.#positionAt = MARK.length;
    return MARK.length;
  }

  string(from: number, to: number): string {
    return textIn(this.bytes, from, to);
  }

  /** Offset of the end of the line with `at`, at most `MAX_LINE_BYTES` later; undefined if it needs more bytes. */
  lineEnd(at: number): number | undefined {
    const last = Math.min(this.length, at + MAX_LINE_BYTES);
    let end = at;
    while (end < last && this.bytes[end] !== LF && this.bytes[end] !== CR) end++;
    return end < this.length || this.ended ? end : undefined;
  }

  /** Offset of the first byte from `at` on that is not white space; `length` at the end of the file. */
  nextByte(at: number): number | undefined {
    let next = at;
    while (next < this.length && this.bytes[next] <= 32) next++;
    return next < this.length || this.ended ? next : undefined;
  }

  /** Offset after the string at `at`, negative if it has no end on its line; undefined if it needs more bytes. */
  stringEnd(at: number): number | undefined {
    const last = Math.min(this.length, at + MAX_LINE_BYTES);
    for (let end = at + 1; end < last; end++) {
      const byte = this.bytes[end];
      if (byte === BACKSLASH) end++;
      else if (byte === QUOTE) return end + 1;
      else if (byte === LF || byte === CR) return -1;
    }
    return this.ended || last < this.length || this.length - at >= MAX_LINE_BYTES ? -1 : undefined;
  }

  /** Length of the string at `at`, 0 if there is none; undefined if it needs more bytes. */
  stringLength(at: number): number | undefined {
    const { bytes, length } = this;
    if (at >= length || bytes[at] !== QUOTE) return 0;
    // Most strings are one symbol: a call of `indexOf` would take longer.
    const near = Math.min(length, at + 1 + NEAR_BYTES);
    for (let end = at + 1; end < near; end++) if (bytes[end] === QUOTE) return end - at - 1;
    const end = bytes.subarray(0, length).indexOf(QUOTE, near);
    if (end >= 0) return end - at - 1;
    return this.ended || length - at > MAX_LINE_BYTES ? 0 : undefined;
  }
}
