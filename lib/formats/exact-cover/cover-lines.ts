/** Shared by the readers of exact-cover files: tokens of a line, errors with their place, warnings. */
import { BAR, COMMA, DASH, isWhite, SEMICOLON, SPACE } from '../bytes/ascii.ts';
import { visibleText } from '../bytes/visible-text.ts';
import { errorAt, type Fault, makeFault } from '../records/fault.ts';
import { LineWindow } from '../text/line-window.ts';
import type { CoverError, CoverErrorCode } from './cover-record.ts';

/** Length of quotes from the file in messages. */
const MAX_SHOWN_CHARACTERS = 40;
/** Warnings of one kind that are listed. */
const MAX_WARNINGS_PER_KIND = 5;

/** Why a line cannot be read; it is at an offset in the window. */
export type CoverFault = Fault<CoverErrorCode>;

const latin1 = new TextDecoder('latin1');

/** Whether a byte is drawn around entries, or between columns: a bracket, a quote or a bar. */
export function isAround(byte: number): boolean {
  return AROUND[byte] === 1;
}

const AROUND = new Uint8Array(256);
for (const sign of '()[]{}"\'|') AROUND[sign.charCodeAt(0)] = 1;

/** The complete lines of a file. */
export class CoverLines extends LineWindow {
  /** @returns the end (exclusive) of the token that starts at `from` in line `at` */
  tokenAfter(at: number, from: number): number {
    const { bytes } = this;
    const last = this.end[at];
    let to = from;
    while (to < last && !isWhite(bytes[to])) to++;
    return to;
  }

  /** @returns the start of the next token of line `at` from `from` on; the line's end if there is none */
  nextToken(at: number, from: number): number {
    const { bytes } = this;
    const last = this.end[at];
    let to = from;
    while (to < last && isWhite(bytes[to])) to++;
    return to;
  }

  /** The words of line `at`, with white space, or a comma or a semicolon, between them. */
  words(at: number): string[] {
    return this.string(this.text[at], this.end[at]).split(/\s*[,;]\s*|\s+/);
  }

  /** The bytes between two offsets, each as one character. */
  characters(from: number, to: number): string {
    return latin1.decode(this.bytes.subarray(from, to));
  }

  /** Whether line `at` has only 0s and 1s, with or without signs between them, but no numbers such as 10. */
  isRow(at: number): boolean {
    if (this.isLong(at)) return false;
    const cells = this.string(this.text[at], this.end[at]).match(/[01]+|[^\s,;|()[\]{}]/g) ?? [];
    const long = cells.filter((cell) => cell.length > 1).length;
    return cells.every((cell) => /^[01]|^-$/.test(cell)) && (long === 0 || cells.length === 1);
  }

  /** Makes the name in front of a row of columns spaces. */
  dropName(at: number): void {
    const [from, end] = [this.text[at], this.end[at]];
    if (!/^[a-z]/i.test(this.characters(from, from + 1))) return;
    const name = /^\w+(?:\s*[:=,;])?\s*(?=[01][\s,;|]|[[({|])/.exec(this.characters(from, end));
    if (name !== null) this.bytes.fill(SPACE, from, from + name[0].length);
  }

  /** Quotes the text between two offsets for a message: on one line, shortened if necessary. */
  shown(from: number, to: number): string {
    const text = this.string(from, Math.min(to, from + 4 * MAX_SHOWN_CHARACTERS));
    const characters = [...visibleText(text.replace(/\s+/gu, ' '))];
    const isWhole = characters.length <= MAX_SHOWN_CHARACTERS && to - from <= 4 * MAX_SHOWN_CHARACTERS;
    return isWhole ? characters.join('') : `${characters.slice(0, MAX_SHOWN_CHARACTERS).join('')}...`;
  }

  /** The whole UTF-8 character that starts at `from`. */
  characterFrom(from: number): string {
    let to = from + 1;
    while (to < this.length && (this.bytes[to] & 0xc0) === 0x80) to++;
    return this.string(from, to);
  }

  /** A fault for the text between two offsets. */
  fault(code: CoverErrorCode, from: number, to: number, expected: string): CoverFault {
    return makeFault(code, from, this.shown(from, to), expected, { isQuote: true });
  }

  /** A warning of something between two offsets of line `at` that only Knuth's programs reject. */
  leniency(at: number, from: number, to: number, what: string): string {
    const place = `line ${this.number(at)}, column ${this.column(at, from)}`;
    return `${place}: "${this.shown(from, to)}": ${what}: it is read, but Knuth's programs reject it`;
  }

  /** @returns a fault for the first control character between two offsets, if any */
  controlCharacter(from: number, to: number): CoverFault | undefined {
    for (let at = from; at < to; at++) {
      const byte = this.bytes[at];
      if (byte >= 32 && byte !== 127) continue;
      return makeFault('bad_character', at, `the byte ${byte}`, 'printable characters');
    }
    return undefined;
  }

  /**
   * Makes the signs between the entries in the bytes `from` to `to` (exclusive) spaces: commas, semicolons, quotes and
   * brackets, and a dash at the end.
   *
   * @returns a fault if an entry is missing before a comma or a semicolon
   */
  separate(from: number, to: number): CoverFault | undefined {
    const { bytes } = this;
    let isMissing = true;
    for (let byte = from; byte < to; byte++) {
      const sign = bytes[byte];
      if (sign === COMMA || sign === SEMICOLON) {
        if (isMissing) return this.fault('bad_character', byte, byte + 1, 'an item before it');
        isMissing = true;
      } else if (sign === BAR || !isAround(sign)) {
        isMissing &&= isWhite(sign);
        continue;
      }
      bytes[byte] = SPACE;
    }
    if (bytes[to - 1] === DASH && isWhite(bytes[to - 2])) bytes[to - 1] = SPACE;
    return undefined;
  }

  /** Converts a fault in line `at` to an error with its place in the file. */
  errorOf(at: number, fault: CoverFault): CoverError {
    const error = errorAt({ line: this.number(at), column: this.column(at, fault.at) }, fault);
    return { ...error, message: visibleText(error.message) };
  }
}

/** Collects the first few warnings of each kind and counts the others. */
export class CoverWarnings {
  readonly #texts: string[] = [];
  readonly #counts = new Map<string, number>();

  /**
   * @param kind in the plural, for the count of unlisted warnings
   * @param text called only if this warning is listed
   */
  add(kind: string, text: () => string): void {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (count <= MAX_WARNINGS_PER_KIND) this.#texts.push(text());
  }

  addNoOptions(line: number): void {
    this.#texts.push(`line ${line}: the problem has items but no options`);
  }

  texts(): string[] {
    const more = [...this.#counts].filter(([, count]) => count > MAX_WARNINGS_PER_KIND);
    return [
      ...this.#texts,
      ...more.map(([kind, count]) => `and ${count - MAX_WARNINGS_PER_KIND} more ${kind}`),
    ];
  }
}

/** Warns of an option without a primary item: a search that covers primary items cannot find a solution with it. */
export function warnIgnoredOption(warnings: CoverWarnings, lines: CoverLines, at: number): void {
  warnings.add('options without a primary item', () => {
    const option = lines.shown(lines.text[at], lines.end[at]);
    return `line ${lines.number(at)}: the option "${option}" has no primary item: it is omitted, as in Knuth's programs`;
  });
}

/** @param excess `CoverBuilder.excess` after line `at` */
export function excessFault(
  lines: CoverLines,
  at: number,
  excess: string | undefined,
): CoverFault | undefined {
  if (excess === undefined) return undefined;
  const where = ', the limit for a problem in memory';
  return makeFault('too_large', lines.text[at], excess, 'a smaller problem', { where });
}

export function longLineFault(lines: CoverLines, at: number): CoverFault {
  const found = lines.shown(lines.start[at], lines.end[at]);
  return makeFault('too_large', lines.start[at], found, 'lines of 1 MiB at most', { isQuote: true });
}
