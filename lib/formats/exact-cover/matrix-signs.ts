/**
 * Detects 0/1 matrices in the head of a file: lines of 0s and 1s, all equally long.
 *
 *     1,0,0,1,0,0,1        each block of lines is a matrix; cells are separated by a comma, a semicolon or white space,
 *     0,1,1,0,0,1,1        or adjacent
 *
 *     2 7                  its rows and columns may precede it, and its secondary columns after them; each number may
 *     0 0 1 0 1 0 0        have a line of its own, and names of the columns may stand directly above it
 *     1 0 0 1 0 0 1
 *
 * With its rows and columns above it, it is a matrix. Other blocks in the shape of puzzles are ambiguous: 0 may be the blank, and 1 a given. They are puzzles if their 1s do not
 * clash in a row or a column, or if some column of the matrix has no 1, so that it has no solution. Otherwise only the
 * matrix makes sense.
 */
import { BAR, COMMA, HASH, ONE, SEMICOLON, ZERO } from '../bytes/ascii.ts';
import { LayoutBook, RARE_SIZES } from '../records/layout-book.ts';
import { type CoverLines, HeadLines } from './cover-lines.ts';

const MIN_WIDTH = 2;
const MIN_ROWS = 2;

const SIZES: readonly number[] = [...new LayoutBook({}).sizes, ...RARE_SIZES];

/** Lines without a blank line between them; `cells[from]` is the first of them. */
interface LineBlock {
  readonly from: number;
  readonly width: number;
  rows: number;
  readonly head: MatrixHead;
}

/** What the lines above a matrix state. */
export interface MatrixHead {
  /** Numbers, at most three. */
  readonly numbers: readonly number[];
  /** Names of the columns; 0 if there are none. */
  readonly names: number;
}

export const NO_HEAD: MatrixHead = { numbers: [], names: 0 };
const MAX_NUMBERS = 3;
const MAX_DIGITS = 7;

/** The head of a matrix with line `at`, which is above its rows, added to it; undefined if the line is no part of a head. */
export function withHeadLine(lines: CoverLines, at: number, head: MatrixHead): MatrixHead | undefined {
  if (head.names > 0 || lines.isLong(at) || isRow(lines, at)) return undefined;
  const text = lines.string(lines.text[at], lines.end[at]);
  const parts = text.split(/\s*[,;]\s*|\s+/);
  if (parts.every((part) => /^\d+$/.test(part) && part.length <= MAX_DIGITS)) {
    const numbers = [...head.numbers, ...parts.map(Number)];
    return numbers.length <= MAX_NUMBERS ? { numbers, names: 0 } : undefined;
  }
  if (!parts.every((part) => /^[\p{L}_]\w*$/u.test(part))) return undefined;
  return { ...head, names: parts.length === 1 ? [...text].length : parts.length };
}

/**
 * The secondary columns of a matrix, and its rows if they are known.
 *
 * @param width cells of its rows
 * @returns undefined if the head states something else
 */
export function shapeStated(
  { numbers, names }: MatrixHead,
  width: number,
): { readonly rows: number | undefined; readonly secondary: number } | undefined {
  if (names !== 0 && names !== width) return undefined;
  const [first, second, secondary = 0] = numbers;
  if (first === undefined) return { rows: undefined, secondary: 0 };
  if (second === undefined) return { rows: first === width ? undefined : first, secondary: 0 };
  if (second === width && secondary <= width) return { rows: first, secondary };
  const isItems = first === width && numbers.length === 2 && second <= width;
  return isItems ? { rows: undefined, secondary: second } : undefined;
}

function isRow(lines: CoverLines, at: number): boolean {
  return cellsOf(lines, at, undefined, 0) > 0;
}

/**
 * @param head the first bytes of a file
 * @param complete whether they are the whole file
 * @returns whether the file is exact-cover matrices and not puzzles
 */
export function isMatrixFile(head: Uint8Array, complete: boolean): boolean {
  const lines = new HeadLines(head, complete);
  const cells = new Uint8Array(head.length);
  const blocks: LineBlock[] = [];
  let block: LineBlock | undefined;
  let count = 0;
  let above = NO_HEAD;
  for (; lines.hasArrived(lines.head); lines.consume(1)) {
    const at = lines.head;
    if (lines.tokens[at] === 0) {
      if (block !== undefined) above = NO_HEAD;
      block = undefined;
      continue;
    }
    if (isMatrixComment(lines, at)) continue;
    const next = block === undefined ? withHeadLine(lines, at, above) : undefined;
    if (next !== undefined) {
      above = next;
      continue;
    }
    const width = lines.isLong(at) ? -1 : cellsOf(lines, at, cells, count);
    if (width < MIN_WIDTH) return false;
    if (block === undefined) {
      if (shapeStated(above, width) === undefined) return false;
      block = { from: count, width, rows: 0, head: above };
      blocks.push(block);
    } else if (width !== block.width) return false;
    block.rows++;
    count += width;
  }
  if (!blocks.some(({ rows }) => rows >= MIN_ROWS)) return false;
  return blocks.every((each, k) => {
    const stated = shapeStated(each.head, each.width)?.rows;
    const isCut = !complete && k === blocks.length - 1;
    if (stated !== undefined && !isCut && stated !== each.rows) return false;
    const { from, width, rows } = each;
    // A grid of blanks is a puzzle.
    if (stated !== undefined) return cells.subarray(from, from + rows * width).includes(1);
    return !mayBePuzzles(each, cells);
  });
}

/** The size of the puzzles that a matrix of that shape may be; undefined if it has no such shape. */
export function puzzleSizeOf(rows: number, width: number): number | undefined {
  return SIZES.find((size) => isPuzzleShape(size, rows, width));
}

/** Whether line `at` is a comment between the lines of a matrix. */
export function isMatrixComment({ bytes, text }: CoverLines, at: number): boolean {
  const first = bytes[text[at]];
  return first === HASH || first === BAR;
}

/**
 * Offset of the next cell after the one at `from` in line `at`: after white space and at most one comma or semicolon;
 * the line's end if there is none.
 */
export function nextCell(lines: CoverLines, at: number, from: number): number {
  const follower = from + 1 < lines.end[at] ? lines.bytes[from + 1] : 0;
  if (follower === ZERO || follower === ONE) return from + 1;
  const next = lines.nextToken(at, from + 1);
  if (lines.bytes[next] !== COMMA && lines.bytes[next] !== SEMICOLON) return next;
  return next < lines.end[at] ? lines.nextToken(at, next + 1) : next;
}

/**
 * Counts the cells of line `at`, and writes them to `into` from `offset` on, if given.
 *
 * @returns their number; -1 if the line has other characters, or numbers such as 10 among separated cells
 */
function cellsOf(lines: CoverLines, at: number, into: Uint8Array | undefined, offset: number): number {
  const { bytes, end, text } = lines;
  let count = 0;
  let adjacent = 0;
  for (let byte = text[at], next: number; byte < end[at]; byte = next) {
    if (bytes[byte] !== ZERO && bytes[byte] !== ONE) return -1;
    if (into !== undefined) into[offset + count] = bytes[byte] - ZERO;
    count++;
    next = nextCell(lines, at, byte);
    if (next === byte + 1 && next < end[at]) adjacent++;
  }
  return adjacent === 0 || adjacent === count - 1 ? count : -1;
}

function isPuzzleShape(size: number, rows: number, width: number): boolean {
  const cells = size * size;
  return (width === size && rows % size === 0) || width === cells || rows * width === cells;
}

function mayBePuzzles({ from, rows, width }: LineBlock, cells: Uint8Array): boolean {
  const sizes = SIZES.filter((size) => isPuzzleShape(size, rows, width));
  if (sizes.length === 0) return false;
  if (hasEmptyColumn(cells, from, rows, width)) return true;
  const end = from + rows * width;
  return sizes.some((size) => {
    for (let grid = from; grid < end; grid += size * size) if (onesClash(cells, grid, size)) return false;
    return true;
  });
}

/** Whether some column of a matrix has only 0s. */
function hasEmptyColumn(cells: Uint8Array, from: number, rows: number, width: number): boolean {
  for (let column = 0; column < width; column++) {
    let row = 0;
    while (row < rows && cells[from + row * width + column] === 0) row++;
    if (row === rows) return true;
  }
  return false;
}

/** Whether two cells of a row or a column of a grid are 1. */
function onesClash(cells: Uint8Array, from: number, size: number): boolean {
  const columns = new Uint8Array(size);
  for (let row = 0; row < size; row++) {
    let inRow = 0;
    for (let column = 0; column < size; column++) {
      if (cells[from + row * size + column] === 0) continue;
      inRow++;
      columns[column]++;
      if (inRow > 1 || columns[column] > 1) return true;
    }
  }
  return false;
}
