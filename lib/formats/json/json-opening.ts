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
const MAX_ROW_LENGTH = 36;

/**
 * The value that the bracket at `at` opens; undefined if it needs more bytes.
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
): Opening | undefined {
  const { bytes } = window;
  let first = window.nextByte(at + 1);
  // The first record of a list may be missing.
  while (first !== undefined && first < window.length && bytes[first] === COMMA) {
    first = window.nextByte(first + 1);
  }
  if (first === undefined) return undefined;
  const next = first < window.length ? bytes[first] : 0;
  // No grid starts with `[null`, as its rows are lists or strings; a list whose first record is `null` does.
  if (next === CLOSE_BRACKET || next === OPEN_BRACE || next === LETTER_N) return inList ? 'row' : 'list';
  if (next === OPEN_BRACKET) {
    if (inList) return 'grid';
    const second = window.nextByte(first + 1);
    if (second === undefined) return undefined;
    if (second < window.length && bytes[second] === OPEN_BRACKET) return 'list';
    const length = window.stringLength(second);
    if (length === undefined) return undefined;
    // Rows as strings, inside another list.
    if (length > MAX_SYMBOL_LENGTH) return 'list';
    const isFlat = isFlatList(window, book, first);
    return isFlat === undefined ? undefined : isFlat ? 'list' : 'grid';
  }
  const length = inList && !lost ? 0 : window.stringLength(first);
  if (length === undefined) return undefined;
  // In damage, the length distinguishes rows as strings from cells.
  if (inList) return length > MAX_SYMBOL_LENGTH ? 'grid' : 'row';
  return length > MAX_ROW_LENGTH && book.sizeOfCells(length) !== undefined ? 'list' : 'row';
}

/** Whether the list at `at` in another one has the cells of a whole puzzle; undefined if it needs more bytes. */
function isFlatList(window: JsonWindow, book: LayoutBook, at: number): boolean | undefined {
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
  return last < window.length || window.ended ? false : undefined;
}
