/** Shared by the readers of exact-cover files: tokens of a line, errors with their place, warnings. */
import { isWhite } from '../bytes/ascii.ts';
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

  /** @returns a fault for the first control character between two offsets, if any */
  controlCharacter(from: number, to: number): CoverFault | undefined {
    for (let at = from; at < to; at++) {
      const byte = this.bytes[at];
      if (byte >= 32 && byte !== 127) continue;
      return makeFault('bad_character', at, `the byte ${byte}`, 'printable characters');
    }
    return undefined;
  }

  /** Converts a fault in line `at` to an error with its place in the file. */
  errorOf(at: number, fault: CoverFault): CoverError {
    const error = errorAt({ line: this.number(at), column: this.column(at, fault.at) }, fault);
    return { ...error, message: visibleText(error.message) };
  }
}

/** The lines of a file's head. They are fed as they are read, because the first line excludes most files. */
export class HeadLines extends CoverLines {
  readonly #complete: boolean;
  #rest: Uint8Array;

  /** @param complete whether the head is the whole file */
  constructor(head: Uint8Array, complete: boolean) {
    super();
    this.#complete = complete;
    this.#rest = head;
  }

  override hasArrived(at: number): boolean {
    while (!super.hasArrived(at)) {
      if (this.#rest.length === 0) return false;
      this.feed(this.#rest.subarray(0, PIECE_BYTES));
      this.#rest = this.#rest.subarray(PIECE_BYTES);
      if (this.#rest.length > 0) continue;
      if (this.#complete) this.finish();
    }
    return true;
  }
}

/** Bytes of a head that are fed at once. */
const PIECE_BYTES = 16 * 1024;

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
