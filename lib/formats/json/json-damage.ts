/** Damage: broken records near each other are one error, and end where the next record may start. */

import { CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../bytes/ascii.ts';
import { excerptIn } from '../bytes/byte-text.ts';
import { errorAt, type Fault } from '../records/fault.ts';
import type { LayoutBook } from '../records/layout-book.ts';
import type { ParseError } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { MAX_ROW_LENGTH } from './json-opening.ts';
import { GRID_DEPTH } from './json-record.ts';
import type { JsonWindow } from './json-window.ts';

/** Less than the smallest grid: four rows of four strings, with their brackets, have 29 bytes. */
const MIN_GRID_BYTES = 24;

export class JsonDamage {
  readonly #sink: RecordSink;
  readonly #window: JsonWindow;
  /** With the offset of its last broken record. It is entered as a record when its end is known. */
  #last:
    | {
        readonly error: ParseError;
        readonly line: number;
        lineEnd: number;
        at: number;
        readonly text: string;
      }
    | undefined;

  constructor(sink: RecordSink, window: JsonWindow) {
    this.#sink = sink;
    this.#window = window;
  }

  /** Whether there is damage that is not entered. */
  get isOpen(): boolean {
    return this.#last !== undefined;
  }

  /** All offsets decrease by `bytes`. */
  shift(bytes: number): void {
    if (this.#last !== undefined) this.#last.at -= bytes;
  }

  /** The record at `from` cannot be read on from `at`. */
  add(from: number, at: number, fault: Fault): void {
    this.#window.moveTo(from);
    const { line: first } = this.#window.position;
    this.#window.moveTo(at);
    const { line, column } = this.#window.position;
    if (this.#isNear(from)) {
      this.#last!.at = from;
      this.#last!.lineEnd = line;
      return;
    }
    this.enter();
    const error = errorAt({ line, column }, { ...fault, isQuote: true });
    this.#sink.reportPending(error);
    const text = excerptIn(this.#window.bytes, from, at);
    this.#last = { error, line: first, lineEnd: line, at: from, text };
  }

  enter(): void {
    if (this.#last === undefined) return;
    const { error, line, lineEnd, text } = this.#last;
    this.#last = undefined;
    this.#sink.enterError(error, line, lineEnd, { text });
  }

  /** In a list: the last one of brackets in a row, from `at` on, that each would be the start of another broken record. */
  lastBracket(at: number): number {
    if (!this.#isNear(at)) return at;
    const last = lastOfBrackets(this.#window, at);
    if (last > at) this.#last!.at = last - 1;
    return last;
  }

  /** Whether no grid fits between the last broken record and `at`. */
  #isNear(at: number): boolean {
    return this.#last !== undefined && at - this.#last.at < MIN_GRID_BYTES;
  }
}

/** The last bracket of those in a row from `at` on with as many after it as a grid has; `at` if there is none. */
function lastOfBrackets({ bytes, length }: JsonWindow, at: number): number {
  let last = at;
  for (let open = at; open < length && bytes[open] === OPEN_BRACKET; open++)
    last = Math.max(at, open - GRID_DEPTH + 1);
  return last;
}

/** By byte: 1 if in damage it is neither the start of a record nor between records. */
const DEBRIS = new Uint8Array(256).fill(1, 33);
for (const byte of [QUOTE, OPEN_BRACKET, OPEN_BRACE, COMMA, COLON]) DEBRIS[byte] = 0;

function isDebris(byte: number): boolean {
  return DEBRIS[byte] === 1;
}

/** In damage: the offset after what is at `at`, and after bytes in a row that cannot start a record either. */
export function debrisEnd({ bytes, length }: JsonWindow, at: number, inList: boolean): number {
  let end = at + 1;
  if (!isDebris(bytes[at])) return end;
  while (end < length) {
    if (isDebris(bytes[end]) || (inList && bytes[end] === COMMA)) end++;
    else if (inList && bytes[end] === OPEN_BRACKET && end + 1 < length && bytes[end + 1] === CLOSE_BRACKET) {
      end += 2;
    } else break;
  }
  return end;
}

/**
 * In damage: whether the string at `at` is as long as a puzzle, so that it starts a record. As a member it does not: the rest
 * of its object is lost, and with it the rules.
 */
export function isPuzzleLong(window: JsonWindow, book: LayoutBook, at: number): boolean {
  const length = window.stringLength(at);
  return length > MAX_ROW_LENGTH && book.sizeOfCells(length) !== undefined;
}

/** Whether a record with that fault may end elsewhere than its brackets say: rules and regions are read from whole ones. */
export function isDamage(fault: Fault | undefined): boolean {
  return fault !== undefined && fault.code !== 'unsupported_variant' && fault.code !== 'bad_regions';
}
