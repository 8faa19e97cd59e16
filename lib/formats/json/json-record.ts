/**
 * Where a record ends: at the bracket that closes its first one, or at its closing quote.
 *
 * A record whose brackets do not close would take its neighbours with it, so signs that no record has are damage: a
 * missing quote swaps strings with the text between them, an extra bracket joins records, a missing one nests them.
 */
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  HASH,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SLASH,
  SPACE,
} from '../bytes/ascii.ts';
import { MAX_DEPTH, textEnd } from '../bytes/json-scan.ts';
import { type Fault, makeFault } from '../records/fault.ts';
import { type JsonWindow, MAX_LINE_BYTES } from './json-window.ts';

export const MAX_RECORD_BYTES = 1024 * 1024;

/** Bracket depth of a grid; a greater depth means a missing bracket. */
const GRID_DEPTH = 2;

/** Most bytes of a word between records. */
const MAX_WORD_BYTES = 64;

export interface RecordEnd {
  /** Offset after the record; where it cannot be read on, if it is damaged. */
  readonly at: number;
  readonly fault?: Fault;
  /** Whether there are brackets in its brackets. */
  readonly isNested: boolean;
}

/**
 * @param from the record's first byte: a bracket or a quote
 * @param most bytes of a record
 */
export function endOfRecord(window: JsonWindow, from: number, most: number): RecordEnd {
  const { bytes } = window;
  const last = Math.min(window.length, from + most + 1);
  /** The open brackets. */
  const open: number[] = [];
  let braces = 0;
  let isNested = false;
  let afterValue = false;
  let afterColon = false;
  const damaged = (at: number, expected: string, found = String.fromCharCode(bytes[at])): RecordEnd => ({
    at,
    isNested,
    fault: makeFault('bad_character', at, found, expected),
  });
  for (let at = from; at < last; at++) {
    const byte = bytes[at];
    if (byte <= SPACE) continue;
    if (afterValue && byte !== COMMA && byte !== CLOSE_BRACKET && byte !== CLOSE_BRACE && byte !== COLON) {
      return damaged(at, ',');
    }
    afterValue = false;
    const isMember = afterColon;
    afterColon = byte === COLON;
    if (byte === QUOTE) {
      at = textEnd(bytes, at + 1, last);
      if (at === last || bytes[at] === BACKSLASH) break;
      if (bytes[at] !== QUOTE) return damaged(at, 'the end of a string', 'a line break');
      if (open.length === 0) return { at: at + 1, isNested };
      afterValue = true;
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      if (!isMember && open[open.length - 1] === OPEN_BRACE) return damaged(at, '"');
      isNested ||= open.length > 0;
      open.push(byte);
      if (byte === OPEN_BRACE) braces++;
      else if (braces === 0 && open.length > GRID_DEPTH) {
        return damaged(beforeNested(bytes, from, at), ']');
      }
      if (open.length > MAX_DEPTH) return damaged(at, ']');
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
      const own = open.pop() === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
      if (own !== byte && braces > 0) return damaged(at, String.fromCharCode(own));
      if (byte === CLOSE_BRACE) braces--;
      if (open.length === 0) return { at: at + 1, isNested };
      afterValue = true;
    }
  }
  const isLarge = last < window.length;
  // Interrupts the reader, unless the file ends there.
  if (!isLarge) window.byte(window.length);
  const large = makeFault('too_large', last, 'a record of more than 1 MiB', 'a grid or an object');
  return { at: last, isNested, fault: isLarge ? large : endOfFile(last) };
}

export function endOfFile(at: number): Fault {
  return makeFault('truncated', at, 'the end of the file', 'the end of a record');
}

/** Where to look for the next record after a bracket opens too deep: at the adjacent bracket before it, if any. */
function beforeNested(bytes: Uint8Array, from: number, at: number): number {
  let before = at - 1;
  while (before > from && bytes[before] <= SPACE) before--;
  return bytes[before] === OPEN_BRACKET && before > from ? before : at;
}

/** Offset after the word at `at` between records. */
export function wordBetween(window: JsonWindow, at: number): number {
  const { bytes } = window;
  const last = Math.min(window.length, at + MAX_WORD_BYTES);
  let end = at + 1;
  while (end < last && bytes[end] > COMMA && bytes[end] !== CLOSE_BRACKET) end++;
  // Interrupts the reader if the word may go on.
  if (end < at + MAX_WORD_BYTES) window.byte(end);
  return end;
}

/** Offset after the comment at `at`, which is the rest of its line; negative if it is none. */
export function commentEnd(window: JsonWindow, at: number): number {
  const sign = window.byte(at);
  if (sign !== HASH && sign !== SLASH) return -1;
  const end = window.lineEnd(at);
  if (sign === SLASH && window.byte(at + 1) !== SLASH) return -1;
  // The rest of a longer line is damage.
  return end - at < MAX_LINE_BYTES ? end : -1;
}
