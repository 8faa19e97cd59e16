/** Damage: where the next record may start, after brackets that do not close. */
import { COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../bytes/ascii.ts';
import type { LayoutBook } from '../records/layout-book.ts';
import { MAX_ROW_LENGTH } from './json-opening.ts';
import type { JsonWindow } from './json-window.ts';

/** Less than the smallest grid, so that two broken starts are one: four rows of four strings, with brackets, have 29 bytes. */
export const MIN_GRID_BYTES = 24;

/** By byte: 1 if in damage it is neither the start of a record nor between records. */
const DEBRIS = new Uint8Array(256).fill(1, 33);
for (const byte of [QUOTE, OPEN_BRACKET, OPEN_BRACE, COMMA, COLON]) DEBRIS[byte] = 0;

/** In damage: the offset after what is at `at`, and after bytes in a row that cannot start a record either. */
export function scrapEnd({ bytes, length }: JsonWindow, at: number): number {
  let end = at + 1;
  if (DEBRIS[bytes[at]] === 1) while (end < length && DEBRIS[bytes[end]] === 1) end++;
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
