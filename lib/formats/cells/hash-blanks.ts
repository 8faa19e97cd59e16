/**
 * `#` as a blank, although it also starts comments. A line that starts with it has cells if they are as many as those of a
 * puzzle or of a row, with a `#` and a digit after the first one:
 *
 *     #5##3##...     81 digits and #            a puzzle; with one character more, a whole one that is commented out
 *     #5##3##2#      9 of them                  a row
 *     # 5 # # 3 ...  9 tokens                   a row of tokens
 *     #########      below such a row           a row
 *
 * Every other one is a comment: a line with another blank (`#53..7...`) is a puzzle that is commented out.
 */
import { HASH, LF, QUOTE, SPACE } from '../bytes/ascii.ts';
import { symbolValue } from '../bytes/byte-kinds.ts';
import { charactersOf } from '../bytes/byte-text.ts';
import type { LayoutBook } from '../records/layout-book.ts';

/** Bytes of the longest row of tokens, and of the longest puzzle. */
const MAX_ROW_BYTES = 160;
const MAX_BYTES = 1400;
/** Characters of the shortest line that may be a damaged puzzle, and those among them that are no cells. */
const MIN_DAMAGED = 64;
const MAX_STRAYS = 9;

/** Whether the line with the text `from` to `end` (exclusive), which starts with `#`, has cells, and is no comment. */
export function isHashLine(bytes: Uint8Array, from: number, end: number, book: LayoutBook): boolean {
  // Most comments have a word after a space.
  const isSpaced = bytes[from + 1] === SPACE;
  if (isSpaced && bytes[from + 3] !== SPACE && bytes[from + 4] !== SPACE) return false;
  if (end - from > MAX_BYTES || !hasOtherHash(bytes, from, end)) return false;
  const { cells, isWhole } = cellsIn(bytes, from, end);
  const { length } = cells;
  const isRow = isWhole && book.isSize(length);
  // A row of blanks is one if the row above has cells.
  if (cells.every(isHash)) return isRow && isHashRow(cellsAbove(bytes, from), length);
  if (!cells.includes('#', 1)) return false;
  if (isRow && isHashRow(cells, length)) return true;
  const size = book.sizeOfCells(length);
  if (size !== undefined && isHashRow(cells, length, size)) return true;
  const strays = cells.filter((cell) => !/^[#\dA-Za-z]$/.test(cell)).length;
  return length >= MIN_DAMAGED && book.sizeOfCells(length - 1) === undefined && strays <= MAX_STRAYS;
}

/** A macro of C that is a text as long as a puzzle; it is no comment. */
const MACRO = /^# *define\s+\w+\s+"[\w.*?-]{81,}"/;

/** Whether the line with the text `from` to `end` (exclusive), which starts with `#`, is a macro with a puzzle. */
export function isMacro(bytes: Uint8Array, from: number, end: number): boolean {
  return bytes[end - 1] === QUOTE && MACRO.test(charactersOf(bytes, from, end));
}

/** Whether there is a `#` after the first one: no text is made of most comments to see that. */
function hasOtherHash(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from + 1; at < end; at++) if (bytes[at] === HASH) return true;
  return false;
}

/** Whether there are `length` cells, symbols of a size and `#`, with both among them. */
function isHashRow(cells: readonly string[], length: number, size = length): boolean {
  const symbols = cells.filter((cell) => cell !== '#').map(numberOf);
  const areSymbols = symbols.length > 0 && symbols.every((value) => value > 0 && value <= size);
  return cells.length === length && areSymbols && cells.some(isHash);
}

/** The value of a cell; 0 if it is no symbol. */
function numberOf(cell: string): number {
  return cell.length === 1 ? symbolValue(cell.charCodeAt(0)) || (cell === '0' ? 1 : 0) : Number(cell) || 0;
}

function isHash(cell: string): boolean {
  return cell === '#';
}

/** The cells of a text: its tokens, or the characters up to the first separator, and whether these are the whole text. */
function cellsIn(bytes: Uint8Array, from: number, end: number) {
  const text = String.fromCharCode(...bytes.subarray(from, end)).trim();
  if (/^\S{1,2}\s/.test(text)) return { cells: text.split(/\s+/), isWhole: true };
  const characters = /^[^\0- ,;:]*/.exec(text)?.[0] ?? '';
  return { cells: [...characters], isWhole: characters === text };
}

/** The cells of the line above the one that starts at `at`. */
function cellsAbove(bytes: Uint8Array, at: number): readonly string[] {
  const end = bytes.lastIndexOf(LF, at - 1);
  const from = end <= 0 ? 0 : bytes.lastIndexOf(LF, end - 1) + 1;
  return end < 0 || end - from > MAX_ROW_BYTES || bytes[at - 1] === HASH
    ? []
    : cellsIn(bytes, from, end).cells;
}
