/** Whether a bracket opens a list of records, or a record. */
import { CLOSE_BRACKET, COMMA, LETTER_N, OPEN_BRACE, OPEN_BRACKET } from '../bytes/ascii.ts';
import { MAX_ROW_LENGTH } from '../objects/grid.ts';
import type { LayoutBook } from '../records/layout-book.ts';
import type { JsonWindow } from './json-window.ts';

/** A row is the start of a grid of texts, or of a flat list of cells. */
export type Opening = 'list' | 'grid' | 'row';

/** More than the rows of a 36x36 with a number in each cell. */
const MAX_FLAT_BYTES = 16 * 1024;

/** In characters. */
const MAX_SYMBOL_LENGTH = 3;

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
  const first = window.next(at + 1);
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
  if (inList) return lost && window.stringLength(first) > MAX_SYMBOL_LENGTH ? 'grid' : 'row';
  return isPuzzleLong(window, book, first) ? 'list' : 'row';
}

/** Whether the text in quotes at `at` is as long as a puzzle. */
export function isPuzzleLong(window: JsonWindow, book: LayoutBook, at: number): boolean {
  const length = window.stringLength(at);
  return length > MAX_ROW_LENGTH && book.sizeOfCells(length) !== undefined;
}

/** A list in a list, without others in it. */
const FLAT_LISTS = /\[([^[\]]*)\]/g;

/** Whether the list at `at` in another one has the cells of a whole puzzle. */
function isFlatList(window: JsonWindow, book: LayoutBook, at: number): boolean {
  const { bytes, length } = window;
  let [count, end] = [1, at + 1];
  for (; end < length && bytes[end] !== CLOSE_BRACKET; end++) if (bytes[end] === COMMA) count++;
  const last = Math.min(length, at + MAX_FLAT_BYTES);
  if (end < last && count > MAX_ROW_LENGTH) return book.sizeOfCells(count) !== undefined;
  if (end < last && !book.isLineOrRow(count)) return false;
  const text = window.string(at, last);
  const close = text.search(/\]\s*\]/);
  // Interrupts the reader if the list goes on.
  if (close < 0 && last < at + MAX_FLAT_BYTES) window.byte(last);
  const lists = Array.from(
    text.slice(0, close < 0 ? last : close + 1).matchAll(FLAT_LISTS),
    ([, list]) => list,
  );
  // The lists of a 16x16 and a list of 4x4 differ in their number, or in the largest digit.
  const most = Math.max(0, ...(lists.join().match(/\d+/g) ?? []).map(Number));
  return lists.length > 0 && lists.length !== count && most <= Math.sqrt(count);
}
