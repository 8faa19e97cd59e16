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

import { KINDS, LETTER } from '../../bytes/byte-kinds.ts';
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

/** Cells that are counted without regard to lines, from the first line up to some line. */
interface Tally {
  /** Lines, and the cells in them. */
  readonly lines: number;
  readonly cells: number;
  /** The largest number, and whether all cells are letters. */
  readonly largest: number;
  readonly letters: boolean;
  /** Cells of each line; 0 if not all lines have the same number. */
  readonly perLine: number;
  /** Some line is a whole puzzle. */
  readonly hasWholeLine: boolean;
}

const NOTHING: Tally = { lines: 0, cells: 0, largest: 0, letters: true, perLine: 0, hasWholeLine: false };

/** A tally with the next line, whose cells are the last ones of the buffer. */
function withLine(tally: Tally, lines: number, { codes, count }: GridBuffer, book: LayoutBook): Tally {
  let { largest, letters } = tally;
  for (let cell = tally.cells; cell < count; cell++) {
    largest = Math.max(largest, numberOf(codes[cell]));
    letters &&= isLetter(codes[cell]);
  }
  const added = count - tally.cells;
  const isWhole = added > MAX_ROW_CELLS && book.sizeOfCells(added) !== undefined;
  const perLine = tally.cells === 0 || added === tally.perLine ? added : 0;
  return { lines, cells: count, largest, letters, perLine, hasWholeLine: tally.hasWholeLine || isWhole };
}

/** The size of puzzles whose whole number the cells are; undefined if they are not. */
function wholeSize({ cells, perLine, largest }: Tally, book: LayoutBook): number | undefined {
  const lineSize = perLine === 0 ? undefined : book.sizeOfCells(perLine);
  // The size of a line if each line is a puzzle, or else the smallest size that holds the numbers.
  const isLines = lineSize !== undefined && lineSize >= largest;
  const size = isLines ? lineSize : book.sizes.find((one) => one >= largest);
  return size !== undefined && cells % (size * size) === 0 ? size : undefined;
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
  const isMany = () => cells.count > MANY_CELLS && whole.cells > 0;
  let tally = NOTHING;
  /** The whole puzzles so far. */
  let whole = NOTHING;
  let line = at;
  cells.clear();
  for (; window.has(line) && !isMany(); line++) {
    if (context.isComment(line)) continue;
    // In a file with a puzzle a line, a long line is a puzzle of its own.
    if ((lineSize !== undefined && window.tokens[line] > MAX_ROW_CELLS) || endsStanza(context, line)) {
      if (context.isBlank(line) && whole.cells < tally.cells && tally.cells < usual * usual) continue;
      break;
    }
    if (tokens.cut(lines, line, cells) === 0) {
      cells.count = tally.cells;
      break;
    }
    tally = withLine(tally, line + 1 - at, cells, book);
    if (continues && usual >= tally.largest && tally.cells % (usual * usual) === 0) {
      // A file that continues as before is read without the lines that follow.
      return enterAll(context, at, tally.lines, usual, 'unlined');
    }
    if (tally.largest > book.sizes[book.sizes.length - 1]) return NO;
    if (wholeSize(tally, book) !== undefined) whole = tally;
  }
  if (tally.letters) {
    lines.noteRun(isLetter, at, at + tally.lines);
    return NO;
  }
  // Of lines that go on, the whole puzzles so far are taken.
  if (window.hasArrived(line) ? isMany() : !window.ended) tally = whole;
  const size = wholeSize(tally, book) ?? sizeOfOne(tally, book);
  cells.count = tally.cells;
  if (tally.cells === 0 || size === undefined || isOfRareSize(context, tally, size)) return NO;
  // Between two tabs may be a blank: then the number of cells says nothing.
  for (let each = at; each < at + tally.lines; each++) if (hasEmptyField(context, each)) return NO;
  return enterAll(context, at, tally.lines, size, undefined);
}

/** The size of the one puzzle that the cells are, although the numbers would fit a smaller size. */
function sizeOfOne({ cells, perLine, largest, hasWholeLine }: Tally, book: LayoutBook): number | undefined {
  const size = book.sizeOfCells(cells);
  // Whole puzzles and a damaged one may have as many cells together.
  return size === undefined || size < largest || (perLine === 0 && hasWholeLine) ? undefined : size;
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
function isOfRareSize({ cells, sink }: TextContext, { perLine, largest }: Tally, size: number): boolean {
  if (perLine === 0) return false;
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
