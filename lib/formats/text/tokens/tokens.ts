/**
 * Cells parted by white space: HDU 1426 (`?` for blanks), Luogu P1784 (`0`), and larger sizes with numbers of
 * several digits.
 *
 *     7 1 2 ? 6 ? 3 5 8
 *     ? 6 5 2 ? 7 1 ? 4
 *     ...
 *
 * Usually a row a line. Where the lines are broken elsewhere, only the number of cells counts, as for the judges
 * that read them with `scanf`.
 */
import { type CellCode, MINUS_ONE, NUMBER } from '../../cells/grid-buffer.ts';
import { RARE_SIZES } from '../../records/layout-book.ts';
import { writeTokens } from '../../writing/grid-text.ts';
import { isHeader } from '../headers/header.ts';
import { MORE, NO, type TextFormat } from '../recogniser.ts';
import { isFullLine, matchRows, type RowShape } from '../rows/row-grids.ts';
import { rememberShape } from '../rows/same-shape.ts';
import { KINDS, LETTER, type TextContext } from '../text-context.ts';
import { isSpace, tokenCode } from './token-rows.ts';

function width({ tokenRows, window }: TextContext, at: number): number {
  return tokenRows.width(window, at);
}

/** A row of cells parted by white space. */
export const tokenShape: RowShape = {
  format: 'tokens',
  spaced: true,
  unit: 'numbers',
  width,
  cells(context, at) {
    context.tokenRows.addTo(context.grid, context.window, at);
  },
  count(context, at) {
    return context.window.tokens[at];
  },
  stray(context, at) {
    const { bytes, text, end } = context.window;
    let from = text[at];
    let to = from;
    while (to < end[at]) {
      to = from;
      while (to < end[at] && !isSpace(bytes[to])) to++;
      if (tokenCode(bytes, from, to) < 0) break;
      from = to;
      while (from < end[at] && isSpace(bytes[from])) from++;
    }
    return { offset: from, found: context.window.string(from, to) };
  },
};

export const tokens: TextFormat = {
  name: 'tokens',
  match(context, at) {
    const { window, sink } = context;
    const cells = width(context, at);
    if (cells === 0) return window.tokens[at] >= 3 ? matchRows(context, at, tokenShape) : NO;
    if (cells === 1 && window.tokenEnd[at] - window.text[at] > 3) return NO;
    if (sink.book.isSize(cells)) {
      const rowWise = isRowWise(context, at, cells);
      if (rowWise === undefined) return MORE;
      if (rowWise) return matchRows(context, at, tokenShape);
    }
    const blind = matchBlind(context, at);
    return blind === NO && cells > 1 ? matchRows(context, at, tokenShape) : blind;
  },
  writer: { multiLine: true, write: writeTokens },
};

/** Whether lines of `size` cells stand for rows; undefined where more lines are needed to tell. */
function isRowWise(context: TextContext, at: number, size: number): boolean | undefined {
  const { window } = context;
  let lines = 0;
  let fitting = 0;
  let total = 0;
  for (let line = at; lines < size; line++) {
    if (!window.has(line)) {
      if (!window.closed) return undefined;
      break;
    }
    if (endsStanza(context, line)) break;
    if (context.isComment(line)) continue;
    lines++;
    total += window.tokens[line];
    if (window.tokens[line] === size) fitting++;
  }
  if (fitting === lines) return true;
  // Cells wrapped at some width: all lines but the last are full, and together they make one puzzle.
  const wrapped = fitting === lines - 1 && total >= LEAST_WRAPPED && context.sink.book.sizeOfCells(total);
  return !wrapped && fitting * 2 >= lines && total % (size * size) !== 0;
}

/** Cells of a puzzle whose lines may be wrapped at a width that is a size too; of fewer, a row or two is left of a grid. */
const LEAST_WRAPPED = 81;

function endsStanza(context: TextContext, line: number): boolean {
  return context.isBlank(line) || isHeader(context, line) || isFullLine(context, line);
}

/**
 * Reads whole puzzles by the number of their cells alone, over the lines up to a blank one, or over several such
 * stretches where they make one puzzle only together. Letters alone are no puzzle here: words would be.
 */
function matchBlind(context: TextContext, at: number): number {
  const { window, cells, blind, lettersOnly } = context;
  const { book } = context.sink;
  const number = window.number(at);
  if (lettersOnly !== undefined && lettersOnly.first <= number && number < lettersOnly.until) return NO;
  const usual = blind?.size ?? 9;
  const goesOn = blind?.nextLine === number;
  cells.clear();
  let largest = 0;
  let letters = true;
  // Cells of each line, while all have as many.
  let perLine: number | undefined;
  // Where the cells so far fill whole puzzles, of the size of a line where each is one, or else of the smallest size
  // that holds their numbers.
  let whole = 0;
  let size = 0;
  let lines = 0;
  let end = at;
  for (let line = at; ; line++) {
    if (!window.has(line)) {
      if (!window.closed) return MORE;
      if (!window.ended) cells.count = whole;
      break;
    }
    // Many cells without a blank line: what is whole so far is taken.
    if (cells.count > MANY_CELLS && whole > 0) {
      cells.count = whole;
      break;
    }
    if (context.isComment(line)) continue;
    if (endsStanza(context, line)) {
      if (context.isBlank(line) && whole < cells.count && cells.count < usual * usual) continue;
      break;
    }
    const before = cells.count;
    if (!context.tokenRows.addTo(cells, window, line)) {
      cells.count = before;
      break;
    }
    end = line + 1;
    for (let cell = before; cell < cells.count; cell++) {
      largest = Math.max(largest, numberOf(cells.codes[cell]));
      if (letters) letters = isLetter(cells.codes[cell]);
    }
    if (goesOn && usual >= largest && cells.count % (usual * usual) === 0) {
      // A file that goes on the way it did needs no look at all that follows.
      enterAll(context, at, end - at, usual, 'cells');
      context.blind = { size: usual, nextLine: window.number(end) };
      return end - at;
    }
    if (before === 0) perLine = cells.count;
    else if (cells.count - before !== perLine) perLine = undefined;
    const lineSize = perLine === undefined ? undefined : book.sizeOfCells(perLine);
    const isLines = lineSize !== undefined && lineSize >= largest;
    const least = isLines ? lineSize : book.sizes.find((n) => n >= largest);
    if (least === undefined) return NO;
    if (cells.count % (least * least) !== 0) continue;
    whole = cells.count;
    size = least;
    lines = end - at;
  }
  if (letters) {
    context.lettersOnly = { first: number, until: number + end - at };
    return NO;
  }
  if (whole === 0 || whole !== cells.count) {
    // Numbers that would fit a smaller size, but exactly one puzzle of a larger one.
    const larger = book.sizeOfCells(cells.count);
    if (larger === undefined || larger < largest) return NO;
    size = larger;
    lines = end - at;
  }
  if (perLine !== undefined && isOfRareSize(context, perLine, size, largest)) return NO;
  enterAll(context, at, lines, size, undefined);
  context.blind = { size, nextLine: number + lines };
  return lines;
}

/**
 * Whether the cells stand in the rows, or each puzzle on a line, of a size that is not looked for so far, and speak
 * against the size that their number alone gives:
 *
 *     4 lines of 100, no number beyond 10       four 10x10, no 20x20
 *     8 lines of 8, with a letter E             an 8x8, not four 4x4
 */
function isOfRareSize({ cells, sink }: TextContext, perLine: number, size: number, largest: number): boolean {
  const rare = RARE_SIZES.find((n) => perLine === n * n || (perLine === n && cells.count % (n * n) === 0));
  if (rare === undefined || sink.book.isSize(rare) || largest > rare) return false;
  if (size > rare) return true;
  for (let cell = 0; cell < cells.count; cell++) {
    const code = cells.codes[cell];
    // The letter's number in the alphabet is the least that it may stand for.
    const letter = isLetter(code) ? (code | LOWER_CASE) - LETTER_A + 1 : 0;
    if (letter > size && letter <= rare) return true;
  }
  return false;
}

const LOWER_CASE = 32;
const LETTER_A = 97;

/** Cells that are enough to decide: more than two puzzles of the largest size. */
const MANY_CELLS = 2 * 1296;

function numberOf(code: CellCode): number {
  if (code > NUMBER) return code === MINUS_ONE ? 0 : code - NUMBER;
  return code > 48 && code < 58 ? code - 48 : 0;
}

function isLetter(code: CellCode): boolean {
  return code < NUMBER && (KINDS[code] & LETTER) !== 0;
}

/** Enters all puzzles of `context.cells`. */
function enterAll(
  context: TextContext,
  at: number,
  lines: number,
  size: number,
  behind: 'cells' | undefined,
): void {
  const { window, cells, grid } = context;
  const geometry = context.sink.book.geometry(size);
  let line = at;
  for (let from = 0; from < cells.count; from += geometry.cellCount) {
    grid.copy(cells, from, geometry.cellCount);
    while (window.end[line] <= grid.offset[0]) line++;
    const first = line;
    while (window.end[line] <= grid.offset[geometry.cellCount - 1]) line++;
    const plain = context.enterGrid(
      {
        format: 'tokens',
        geometry,
        spaced: true,
        line: window.number(first),
        lineEnd: window.number(line),
      },
      at,
      lines,
    );
    if (plain && behind !== undefined && cells.count === geometry.cellCount) {
      rememberShape(context, at, lines, behind);
    }
  }
}
