/** Damage: where the next record may start, after brackets that do not close. */
import { CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../bytes/ascii.ts';
import type { Fault } from '../records/fault.ts';
import type { LayoutBook } from '../records/layout-book.ts';
import { MAX_ROW_LENGTH } from './json-opening.ts';
import type { JsonWindow } from './json-window.ts';

/** Less than the smallest grid, so that two broken starts are one: four rows of four strings, with brackets, have 29 bytes. */
export const MIN_GRID_BYTES = 24;

/** By byte: 1 if in damage it is neither the start of a record nor between records. */
const DEBRIS = new Uint8Array(256).fill(1, 33);
for (const byte of [QUOTE, OPEN_BRACKET, OPEN_BRACE, COMMA, COLON]) DEBRIS[byte] = 0;

/** In damage: the offset after what is at `at`, and after bytes in a row that cannot start a record either. */
export function debrisEnd({ bytes, length }: JsonWindow, at: number, inList: boolean): number {
  let end = at + 1;
  if (DEBRIS[bytes[at]] === 0) return end;
  while (end < length) {
    if (DEBRIS[bytes[end]] === 1 || (inList && bytes[end] === COMMA)) end++;
    else if (inList && bytes[end] === OPEN_BRACKET && end + 1 < length && bytes[end + 1] === CLOSE_BRACKET) {
      end += 2;
    } else break;
  }
  return end;
}

/** In damage: of brackets in a row from `at` on the last one that may open a grid, with one bracket in it. */
export function innerBracket({ bytes, length }: JsonWindow, at: number): number {
  let last = at;
  while (last + 2 < length && bytes[last + 1] === OPEN_BRACKET && bytes[last + 2] === OPEN_BRACKET) last++;
  return last;
}

/**
 * In damage: whether the string at `at` is as long as a puzzle, so that it starts a record. As a member it does not: the rest
 * of its object is lost, and with it the rules.
 */
export function isPuzzleLong(window: JsonWindow, book: LayoutBook, at: number): boolean {
  const length = window.stringLength(at);
  return length > MAX_ROW_LENGTH && book.sizeOfCells(length) !== undefined;
}

/** Whether a fault of a whole record may be that of its brackets: rules and regions are read from whole records. */
export function isDamage(fault: Fault | undefined): boolean {
  return fault !== undefined && fault.code !== 'unsupported_variant' && fault.code !== 'bad_regions';
}
