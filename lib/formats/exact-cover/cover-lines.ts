/** The lines of exact-cover files: their tokens, and what is wrong with them. */
import { BAR, COMMA, DASH, isWhite, SEMICOLON, SPACE } from '../bytes/ascii.ts';
import { LineWindow } from '../bytes/line-window.ts';
import { shortText } from '../bytes/visible-text.ts';
import { errorAt, type Fault } from '../records/fault.ts';
import type { CoverError, CoverErrorCode } from './cover-record.ts';

/** Length of quotes from the file in messages. */
const MAX_SHOWN_CHARACTERS = 40;
/** Maximum number of digits of an item's number. */
export const MAX_DIGITS = 7;

/** Why a line cannot be read; it is at an offset in the window. */
export type CoverFault = Fault<CoverErrorCode>;

/** Ends the reading of a line, see `CoverLines.fail`. One object, as its stack is of no use. */
export const BAD_LINE = new Error('a line cannot be read');

const latin1 = new TextDecoder('latin1');

/** By byte: 1 if it is drawn around entries, or between columns: a bracket, a quote or a bar. */
export const AROUND = new Uint8Array(256);
for (const sign of '()[]{}"\'|') AROUND[sign.charCodeAt(0)] = 1;

export class CoverLines extends LineWindow {
  /** Why the first line that could not be read since the caller cleared this is wrong. */
  fault: CoverFault | undefined;

  /** @returns the end (exclusive) of the token that starts at `from` in line `at` */
  tokenAfter(at: number, from: number): number {
    let to = from;
    while (to < this.end[at] && !isWhite(this.bytes[to])) to++;
    return to;
  }

  /** @returns the start of the next token of line `at` from `from` on; the line's end if there is none */
  nextToken(at: number, from: number): number {
    let to = from;
    while (to < this.end[at] && isWhite(this.bytes[to])) to++;
    return to;
  }

  /** The words of line `at`, with white space, or a comma or a semicolon, between them. */
  words(at: number): string[] {
    return this.string(this.text[at], this.end[at]).split(/\s*[,;]\s*|\s+/);
  }

  /** The text of line `at`, each byte as one character. */
  characters(at: number): string {
    return latin1.decode(this.bytes.subarray(this.text[at], this.end[at]));
  }

  /** Quotes the text between two offsets for a message: on one line, shortened if necessary. */
  shown(from: number, to: number): string {
    const text = this.string(from, Math.min(to, from + 4 * MAX_SHOWN_CHARACTERS + 4));
    return shortText(text.replace(/\s+/gu, ' '), MAX_SHOWN_CHARACTERS);
  }

  /**
   * What is wrong with the text between two offsets.
   *
   * @param more what the message says in addition, or instead of the text
   */
  faultAt(
    code: CoverErrorCode,
    from: number,
    to: number,
    expected: string,
    more?: Partial<CoverFault>,
  ): CoverFault {
    return { code, at: from, found: this.shown(from, to), expected, isQuote: true, ...more };
  }

  /** Ends the reading of a line, because of what `faultAt` says. */
  fail(...what: Parameters<CoverLines['faultAt']>): never {
    this.fault ??= this.faultAt(...what);
    throw BAD_LINE;
  }

  /** Ends the reading of a line with a description of what is wrong. */
  refuse(code: CoverErrorCode, at: number, found: string, expected: string, where?: string): never {
    this.fail(code, at, at, expected, { found, isQuote: false, where });
  }

  /** Fails if there is a control character between two offsets. */
  checkPrintable(from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const byte = this.bytes[at];
      if (byte < SPACE || byte === 127)
        this.refuse('bad_character', at, `the byte ${byte}`, 'printable characters');
    }
  }

  /** A warning of something between two offsets of line `at` that only Knuth's programs reject. */
  leniency(at: number, from: number, to: number, what: string): string {
    const place = `line ${this.number(at)}, column ${this.column(at, from)}`;
    return `${place}: "${this.shown(from, to)}": ${what}: it is read, but Knuth's programs reject it`;
  }

  /**
   * Makes the signs between the entries in the bytes `from` to `to` (exclusive) spaces: commas, semicolons, quotes and
   * brackets, and a dash at the end. Fails if an entry is missing before a comma or a semicolon.
   */
  separate(from: number, to: number): void {
    const { bytes } = this;
    let isMissing = true;
    for (let byte = from; byte < to; byte++) {
      const sign = bytes[byte];
      if (sign === COMMA || sign === SEMICOLON) {
        if (isMissing) this.fail('bad_character', byte, byte + 1, 'an item before it');
        isMissing = true;
      } else if (sign === BAR || AROUND[sign] === 0) {
        isMissing &&= isWhite(sign);
        continue;
      }
      bytes[byte] = SPACE;
    }
    if (bytes[to - 1] === DASH && isWhite(bytes[to - 2])) bytes[to - 1] = SPACE;
  }

  /** The place of `fault`, which is in line `at`, and its message. */
  errorOf(at: number, fault: CoverFault): CoverError {
    return errorAt({ line: this.number(at), column: this.column(at, fault.at) }, fault);
  }
}
