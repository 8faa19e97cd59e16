/** The bytes of a JSON file that are not read yet, and the tokens in them. */
import { notArrived } from '../bytes/arrival.ts';
import { CR, LF, QUOTE } from '../bytes/ascii.ts';
import { textIn } from '../bytes/byte-text.ts';
import { ByteWindow } from '../bytes/byte-window.ts';
import { textEnd, tokenStart, wordEnd } from '../bytes/json-scan.ts';
import { MARK } from '../bytes/line-window.ts';

/** More than the longest puzzle in one string. */
export const MAX_LINE_BYTES = 8192;

export class JsonWindow extends ByteWindow {
  /** Skips the byte-order mark at the start of the file: the offset after it. */
  skipMark(): number {
    const other = MARK.findIndex((byte, at) => this.byte(at) !== byte);
    if (other >= 0) return 0;
    this.positionAt = MARK.length;
    return MARK.length;
  }

  string(from: number, to: number): string {
    return textIn(this.bytes, from, to);
  }

  /** `length` if the file ends there. */
  #arrived(at: number): number {
    return at < this.length || this.ended ? at : notArrived();
  }

  /** Where to stop looking for the end of a line, a word or a string at `at`. */
  #last(at: number): number {
    return Math.min(this.length, at + MAX_LINE_BYTES);
  }

  /** Offset of the first token from `at` on; `length` at the end of the file. */
  next(at: number): number {
    return this.#arrived(tokenStart(this.bytes, at, this.length));
  }

  /** Offset of the end of the line with `at`, at most `MAX_LINE_BYTES` later. */
  lineEnd(at: number): number {
    const last = this.#last(at);
    let end = at;
    while (end < last && this.bytes[end] !== LF && this.bytes[end] !== CR) end++;
    return this.#arrived(end);
  }

  /** Offset of the end of the word at `at`, at most `MAX_LINE_BYTES` later. */
  wordEnd(at: number): number {
    return this.#arrived(wordEnd(this.bytes, at, this.#last(at)));
  }

  /** Offset after the string at `at`; negative if it has no end on its line, at most `MAX_LINE_BYTES` later. */
  stringEnd(at: number): number {
    const last = this.#last(at);
    const end = textEnd(this.bytes, at + 1, last);
    if (end < last && this.bytes[end] === QUOTE) return end + 1;
    if (end >= this.length - 1) this.#arrived(last);
    return -1;
  }

  /** Bytes of the text in quotes at `at`; 0 if there is none. */
  stringLength(at: number): number {
    return this.byte(at) === QUOTE ? Math.max(0, this.stringEnd(at) - at - 2) : 0;
  }
}
