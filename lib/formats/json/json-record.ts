/** Where a record ends: at the bracket that closes its first one, or at its closing quote. */
import { CLOSE_BRACKET, COMMA, HASH, SLASH } from '../bytes/ascii.ts';
import { type JsonScan, scanJson } from '../bytes/json-scan.ts';
import { type Fault, makeFault } from '../records/fault.ts';
import { type JsonWindow, MAX_LINE_BYTES } from './json-window.ts';

export const MAX_RECORD_BYTES = 1024 * 1024;

/** Bracket depth of a grid; a greater depth means a missing bracket. */
const GRID_DEPTH = 2;

/** Most bytes of a word between records. */
const MAX_WORD_BYTES = 64;

export interface RecordEnd extends JsonScan {
  /** Why it cannot be read on from `at`, if it is damaged. */
  readonly fault?: Fault;
}

/**
 * @param from the record's first byte: a bracket or a quote
 * @param most bytes of a record
 */
export function endOfRecord(window: JsonWindow, from: number, most: number): RecordEnd {
  const last = Math.min(window.length, from + most + 1);
  const scan = scanJson(window.bytes, from, last, GRID_DEPTH);
  const { isClosed, damage, at } = scan;
  if (isClosed) return scan;
  if (damage !== undefined)
    return { ...scan, fault: makeFault('bad_character', at, damage.found, damage.expected) };
  const isLarge = last < window.length;
  // Interrupts the reader, unless the file ends there.
  if (!isLarge) window.byte(window.length);
  const large = makeFault('too_large', last, 'a record of more than 1 MiB', 'a grid or an object');
  return { ...scan, fault: isLarge ? large : endOfFile(last) };
}

export function endOfFile(at: number): Fault {
  return makeFault('truncated', at, 'the end of the file', 'the end of a record');
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

const NULL = [0x6e, 0x75, 0x6c, 0x6c];

/** Whether the word in the bytes `from` to `end` (exclusive) is `null`: a file may have one for each puzzle. */
export function isNull(bytes: Uint8Array, from: number, end: number): boolean {
  return end - from === NULL.length && NULL.every((byte, k) => bytes[from + k] === byte);
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
