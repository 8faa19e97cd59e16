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

import { KINDS, LETTER, symbolValue } from '../../bytes/byte-kinds.ts';
import { type CellCode, MINUS_ONE, NUMBER } from '../../cells/grid-buffer.ts';
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
    const { window, sink, lineSize } = context;
    const cells = context.lines.width(at, tokens);
    const asRows = () => matchGrid(context, at, shape, matchWholeCells);
    if (cells === 0) return window.tokens[at] >= 3 ? asRows() : NO;
    const fields = hasEmptyField(context, at) ? matchWholeCells(context, at) : NO;
    if (fields !== NO) return fields;
    if (lineSize !== undefined && cells > MAX_ROW_CELLS) return matchLine(context, at, cells, lineSize);
    if (cells === 1 && window.tokenEnd[at] - window.text[at] > 3) return NO;
    if (sink.book.isSize(cells) && isRowWise(context, at, cells)) return asRows();
    const taken = context.followsRow(at) ? NO : matchUnlined(context, at);
    return taken === NO && cells > 1 ? asRows() : taken;
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

/** The size of puzzles whose whole number so many cells are: the smallest that holds the numbers. */
function sizeOfWhole({ sizes }: LayoutBook, cells: number, largest: number): number | undefined {
  return sizes.find((size) => size >= largest && cells > 0 && cells % (size * size) === 0);
}

/**
 * Reads whole puzzles by the number of their cells alone, in the lines up to a blank one. Letters alone are not a puzzle: words
 * would be.
 */
function matchUnlined(context: TextContext, at: number): number {
  const { window, cells, unlined, lines, lineSize } = context;
  const { book } = context.sink;
  if (lines.afterRun(isLetter, at) > at) return NO;
  const usual = unlined?.nextLine === window.number(at) ? unlined.size : undefined;
  let [largest, letters, hasWholeLine] = [0, true, false];
  /** Cells of each line; 0 if not all lines have the same number. */
  let perLine = 0;
  /** The whole puzzles so far: their lines and cells. */
  let whole = { lines: 0, cells: 0 };
  let line = at;
  cells.clear();
  for (; window.has(line) && (cells.count <= MANY_CELLS || whole.cells === 0); line++) {
    if (context.isComment(line)) continue;
    // In a file with a puzzle a line, a long line is a puzzle of its own.
    const isOther = lineSize !== undefined && window.tokens[line] > MAX_ROW_CELLS;
    const before = cells.count;
    if (isOther || endsStanza(context, line) || tokens.cut(lines, line, cells) === 0) {
      cells.count = before;
      break;
    }
    const added = cells.count - before;
    for (let cell = before; cell < cells.count; cell++) {
      largest = Math.max(largest, numberOf(cells.codes[cell]));
      letters &&= isLetter(cells.codes[cell]);
    }
    hasWholeLine ||= added > MAX_ROW_CELLS && book.sizeOfCells(added) !== undefined;
    perLine = before === 0 || perLine === added ? added : 0;
    // A file that continues as before is read without the lines that follow.
    if (usual !== undefined && usual >= largest && cells.count % (usual * usual) === 0)
      return enterAll(context, at, line + 1 - at, usual, 'unlined');
    if (largest > book.sizes[book.sizes.length - 1]) return NO;
    const least = book.sizes.find((size) => size >= largest) ?? 0;
    if (cells.count % (least * least) === 0) whole = { lines: line + 1 - at, cells: cells.count };
  }
  if (letters) {
    lines.noteRun(isLetter, at, line);
    return NO;
  }
  // Of lines that go on, the whole puzzles so far are taken.
  const goesOn = window.hasArrived(line) ? cells.count > MANY_CELLS : !window.ended;
  const found = goesOn ? whole : { lines: line - at, cells: cells.count };
  cells.count = found.cells;
  const size = sizeOfWhole(book, cells.count, largest);
  // Whole puzzles and a damaged one may have as many cells together as a larger one.
  const isDoubtful = perLine === 0 && hasWholeLine && size !== book.sizes.find((one) => one >= largest);
  if (size === undefined || isDoubtful || isOfRareSize(book, cells.count, perLine, largest, size)) return NO;
  // Between two tabs may be a blank: then the number of cells says nothing.
  for (let each = at; each < at + found.lines; each++) if (hasEmptyField(context, each)) return NO;
  return enterAll(context, at, found.lines, size, undefined);
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
 * cells alone gives is too large: 4 lines of 100, with no number beyond 10, are four 10x10 and no 20x20.
 */
function isOfRareSize(
  book: LayoutBook,
  cells: number,
  perLine: number,
  largest: number,
  size: number,
): boolean {
  return RARE_SIZES.some((rare) => {
    const fits = perLine === rare * rare || (perLine === rare && cells % (rare * rare) === 0);
    return fits && !book.isSize(rare) && largest <= rare && rare < size;
  });
}

/** Cells that suffice to decide: two puzzles of the largest size. */
const MANY_CELLS = 2 * 1296;

/** The number that a cell has at least. */
function numberOf(code: CellCode): number {
  if (code > NUMBER) return code === MINUS_ONE ? 0 : code - NUMBER;
  return symbolValue(code);
}

function isLetter(code: CellCode): boolean {
  return code < NUMBER && (KINDS[code] & LETTER) !== 0;
}
