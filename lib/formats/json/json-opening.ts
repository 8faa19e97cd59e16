/** Whether a bracket opens a list of records, or a record. */
import { CLOSE_BRACKET, COMMA, LETTER_N, OPEN_BRACE, OPEN_BRACKET } from '../bytes/ascii.ts';
import type { LayoutBook } from '../records/layout-book.ts';
import type { JsonWindow } from './json-window.ts';

/** A row is the start of a grid of texts, or of a flat list of cells. */
export type Opening = 'list' | 'grid' | 'row';

/** More than the rows of a 36x36 with a number in each cell. */
const MAX_FLAT_BYTES = 16 * 1024;

/** In characters. */
const MAX_SYMBOL_LENGTH = 3;
export const MAX_ROW_LENGTH = 36;

/**
 * The value that the bracket at `at` opens.
 *
 * @param inList whether it is in a list
 * @param lost whether it is in damage
 */
export function openingAt(
  window: JsonWindow,
  book: LayoutBook,
  at: number,
  inList: boolean,
  lost: boolean,
): Opening {
  let first = window.next(at + 1);
  // The first record of a list may be missing.
  while (window.byte(first) === COMMA) first = window.next(first + 1);
  const next = window.byte(first);
  // No grid starts with `[null`, as its rows are lists or strings; a list whose first record is `null` does.
  if (next === CLOSE_BRACKET || next === OPEN_BRACE || next === LETTER_N) return inList ? 'row' : 'list';
  if (next === OPEN_BRACKET) {
    if (inList) return 'grid';
    const second = window.next(first + 1);
    if (window.byte(second) === OPEN_BRACKET) return 'list';
    // Rows as strings, inside another list.
    if (window.stringLength(second) > MAX_SYMBOL_LENGTH) return 'list';
    return isFlatList(window, book, first) ? 'list' : 'grid';
  }
  // In damage, the length distinguishes rows as strings from cells.
  const length = inList && !lost ? 0 : window.stringLength(first);
  if (inList) return length > MAX_SYMBOL_LENGTH ? 'grid' : 'row';
  return length > MAX_ROW_LENGTH && book.sizeOfCells(length) !== undefined ? 'list' : 'row';
}

/** Whether the list at `at` in another one has the cells of a whole puzzle. */
function isFlatList(window: JsonWindow, book: LayoutBook, at: number): boolean {
  const { bytes } = window;
  const last = Math.min(window.length, at + MAX_FLAT_BYTES);
  let [depth, lists, count, most, number] = [0, 0, 1, 0, 0];
  for (let end = at; end < last; end++) {
    const byte = bytes[end];
    if (byte >= 48 && byte <= 57) {
      number = number * 10 + byte - 48;
      most = Math.max(most, number);
      continue;
    }
    number = 0;
    if (byte === COMMA && depth === 1 && lists === 0) count++;
    else if (byte === OPEN_BRACKET && ++depth > 1) return false;
    else if (byte === CLOSE_BRACKET) {
      // The lists of a 16x16 and a list of 4x4 differ in their number, or in the largest digit.
      if (depth === 0) return lists !== count && most <= Math.sqrt(count);
      if (--depth > 0 || ++lists > 1) continue;
      if (count > MAX_ROW_LENGTH) return book.sizeOfCells(count) !== undefined;
      if (!book.isLineOrRow(count)) return false;
    }
    if (lists > count) return most <= Math.sqrt(count);
  }
  // Interrupts the reader if the list goes on.
  if (last < at + MAX_FLAT_BYTES) window.byte(last);
  return false;
}
