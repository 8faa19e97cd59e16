/**
 * Cells separated by white space: HDU 1426 (`?` for blanks), Luogu P1784 (`0`), and larger sizes with numbers of
 * several digits.
 *
 *     7 1 2 ? 6 ? 3 5 8
 *     ? 6 5 2 ? 7 1 ? 4
 *     ...
 *
 * Usually one row per line. If the lines are broken elsewhere, only the number of cells counts, as for the judges that
 * read them with `scanf`.
 */

import { KINDS, LETTER } from '../../cells/byte-kinds.ts';
import { type CellCode, type GridBuffer, MINUS_ONE, NUMBER } from '../../cells/grid-buffer.ts';
import { type LayoutBook, RARE_SIZES } from '../../records/layout-book.ts';
import { writeTokens } from '../../writing/grid-drawing.ts';
import { matchWholeCells } from '../grids/cell-grids.ts';
import { hasEmptyField } from '../grids/line-tests.ts';
import { isHeader } from '../headers/header.ts';
import { isFullLine } from '../lines/full-line.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { matchGrid } from '../rows/assembler.ts';
import type { RowShape } from '../rows/row-shape.ts';
import { MAX_ROW_CELLS, tokens } from '../shape/readings.ts';
import type { Predecessor, TextContext } from '../text-context.ts';

const shape: RowShape = { format: 'tokens', reading: tokens };

export const tokensFormat: Recogniser = {
  name: 'tokens',
  writer: { multiLine: true, write: writeTokens },
  match(context, at) {
    const { window, sink } = context;
    const cells = context.lines.width(at, tokens);
    if (cells === 0) return window.tokens[at] >= 3 ? matchGrid(context, at, shape, matchWholeCells) : NO;
    if (hasEmptyField(context, at)) {
      const taken = matchWholeCells(context, at);
      if (taken !== NO) return taken;
    }
    const { lineSize } = context;
    if (lineSize !== undefined && cells > MAX_ROW_CELLS) {
      return matchLine(context, at, cells, lineSize);
    }
    if (cells === 1 && window.tokenEnd[at] - window.text[at] > 3) return NO;
    if (sink.book.isSize(cells) && isRowWise(context, at, cells))
      return matchGrid(context, at, shape, matchWholeCells);
    const taken = context.followsRow(at) ? NO : matchUnlined(context, at);
    return taken === NO && cells > 1 ? matchGrid(context, at, shape, matchWholeCells) : taken;
  },
};

/** Reads the puzzle on a line, or several of the usual size, in a file with a puzzle a line. */
function matchLine(context: TextContext, at: number, count: number, lineSize: number): number {
  const { window, sink, cells, unlined } = context;
  const several = count % (lineSize * lineSize) === 0 ? lineSize : undefined;
  const size = sink.book.sizeOfCells(count) ?? several;
  if (size === undefined) return NO;
  cells.clear();
  tokens.cut(context.lines, at, cells);
  const continues = unlined?.nextLine === window.number(at) && unlined.size === size;
  return enterAll(context, at, 1, size, continues ? 'unlined' : undefined);
}

/**
 * Reads whole puzzles by the number of their cells alone: in the lines up to a blank one, or across blank lines if only
 * all of them together make one puzzle. Letters alone are not a puzzle: words would be.
 */
function matchUnlined(context: TextContext, at: number): number {
  const { window, cells, unlined, lines, lineSize } = context;
  const { book } = context.sink;
  if (lines.afterRun(isLetter, at) > at) return NO;
  const usual = unlined?.size ?? 9;
  const continues = unlined?.nextLine === window.number(at);
  const seen: Seen = { largest: 0, letters: true, perLine: undefined, hasWholeLine: false };
  /** The whole puzzles so far. */
  let whole = { cells: 0, size: 0, end: at };
  let end = at;
  let line = at;
  cells.clear();
  const isMany = () => cells.count > MANY_CELLS && whole.cells > 0;
  for (; window.has(line) && !isMany(); line++) {
    if (context.isComment(line)) continue;
    // In a file with a puzzle a line, a long line is a puzzle of its own.
    if ((lineSize !== undefined && window.tokens[line] > MAX_ROW_CELLS) || endsStanza(context, line)) {
      const mayGoOn = whole.cells < cells.count && cells.count < usual * usual;
      if (context.isBlank(line) && mayGoOn) continue;
      break;
    }
    const before = cells.count;
    if (tokens.cut(lines, line, cells) === 0) {
      cells.count = before;
      break;
    }
    end = line + 1;
    see(seen, cells, before, book);
    if (continues && usual >= seen.largest && cells.count % (usual * usual) === 0) {
      // A file that continues as before is read without the lines that follow.
      return enterAll(context, at, end - at, usual, 'unlined');
    }
    const least = leastSize(seen, book);
    if (least === undefined) return NO;
    if (cells.count % (least * least) === 0) whole = { cells: cells.count, size: least, end };
  }
  // Of lines that go on, the whole puzzles so far are taken.
  if (window.hasArrived(line) ? isMany() : !window.ended) cells.count = whole.cells;
  if (seen.letters) {
    lines.noteRun(isLetter, at, end);
    return NO;
  }
  if (whole.cells === 0 || whole.cells !== cells.count) {
    // The numbers would fit a smaller size, but the cells make exactly one puzzle of a larger one.
    const size = book.sizeOfCells(cells.count);
    // Whole puzzles and a damaged one may have as many cells together.
    const isDoubtful = seen.perLine === undefined && seen.hasWholeLine;
    if (size === undefined || size < seen.largest || isDoubtful) return NO;
    whole = { cells: cells.count, size, end };
  }
  if (isOfRareSize(context, seen, whole.size)) return NO;
  // Between two tabs may be a blank: then the number of cells says nothing.
  for (let each = at; each < whole.end; each++) if (hasEmptyField(context, each)) return NO;
  return enterAll(context, at, whole.end - at, whole.size, undefined);
}

/** What is seen of cells that are counted without regard to lines. */
interface Seen {
  /** The largest number. */
  largest: number;
  /** All cells are letters. */
  letters: boolean;
  /** Cells of each line, while all lines have the same number. */
  perLine: number | undefined;
  /** Some line is a whole puzzle. */
  hasWholeLine: boolean;
}

/** Adds the cells of a line, which follow the first `before`. */
function see(seen: Seen, { codes, count }: GridBuffer, before: number, book: LayoutBook): void {
  for (let cell = before; cell < count; cell++) {
    seen.largest = Math.max(seen.largest, numberOf(codes[cell]));
    seen.letters &&= isLetter(codes[cell]);
  }
  const inLine = count - before;
  if (inLine > MAX_ROW_CELLS && book.sizeOfCells(inLine) !== undefined) seen.hasWholeLine = true;
  if (before === 0) seen.perLine = count;
  else if (inLine !== seen.perLine) seen.perLine = undefined;
}

/** The size of a line if each line is a puzzle, or else the smallest size that holds the numbers. */
function leastSize({ perLine, largest }: Seen, book: LayoutBook): number | undefined {
  const lineSize = perLine === undefined ? undefined : book.sizeOfCells(perLine);
  const isLines = lineSize !== undefined && lineSize >= largest;
  return isLines ? lineSize : book.sizes.find((size) => size >= largest);
}

/** Enters all puzzles of `context.cells`, which are in `lines` lines from `at`. @returns `lines` */
function enterAll(
  context: TextContext,
  at: number,
  lines: number,
  size: number,
  after: Predecessor | undefined,
): number {
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
    if (plain && after !== undefined && cells.count === geometry.cellCount) {
      context.example = { at, lines, predecessor: after };
    }
  }
  context.unlined = { size, nextLine: window.number(at) + lines };
  return lines;
}

/** Whether lines of `size` cells are rows. */
function isRowWise(context: TextContext, at: number, size: number): boolean {
  const { window } = context;
  let lines = 0;
  let fitting = 0;
  let total = 0;
  for (let line = at; lines < size && window.has(line); line++) {
    if (endsStanza(context, line)) break;
    if (context.isComment(line)) continue;
    lines++;
    total += window.tokens[line];
    if (window.tokens[line] === size) fitting++;
  }
  if (fitting === lines) return true;
  // Cells wrapped at some width: all lines but the last are full, and together they are one puzzle.
  const wrapped = fitting === lines - 1 && total >= MIN_WRAPPED && context.sink.book.sizeOfCells(total);
  return !wrapped && fitting * 2 >= lines && total % (size * size) !== 0;
}

/** Cells of a puzzle whose lines may be wrapped at a width that is also a size; fewer are the rest of a grid. */
const MIN_WRAPPED = 81;

function endsStanza(context: TextContext, line: number): boolean {
  return context.isBlank(line) || isHeader(context, line) || isFullLine(context, line);
}

/**
 * Whether each line is a row or a puzzle of a rare size that is not looked for yet, and the size that the number of
 * cells alone gives is wrong:
 *
 *     4 lines of 100, no number beyond 10       four 10x10, no 20x20
 *     8 lines of 8, with a letter E             an 8x8, not four 4x4
 */
function isOfRareSize({ cells, sink }: TextContext, { perLine, largest }: Seen, size: number): boolean {
  if (perLine === undefined) return false;
  const rare = RARE_SIZES.find((n) => perLine === n * n || (perLine === n && cells.count % (n * n) === 0));
  if (rare === undefined || sink.book.isSize(rare) || largest > rare) return false;
  if (size > rare) return true;
  for (let cell = 0; cell < cells.count; cell++) {
    const code = cells.codes[cell];
    // A letter is at least its number in the alphabet.
    const letter = isLetter(code) ? (code | LOWER_CASE) - LETTER_A + 1 : 0;
    if (letter > size && letter <= rare) return true;
  }
  return false;
}

const LOWER_CASE = 32;
const LETTER_A = 97;

/** Cells that suffice to decide: two puzzles of the largest size. */
const MANY_CELLS = 2 * 1296;

function numberOf(code: CellCode): number {
  if (code > NUMBER) return code === MINUS_ONE ? 0 : code - NUMBER;
  return code > 48 && code < 58 ? code - 48 : 0;
}

function isLetter(code: CellCode): boolean {
  return code < NUMBER && (KINDS[code] & LETTER) !== 0;
}
