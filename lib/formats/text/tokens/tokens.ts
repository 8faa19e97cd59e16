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
import { makeFault } from '../../records/fault.ts';
import { RARE_SIZES } from '../../records/layout-book.ts';
import { matchWholeCells } from '../grids/cell-grids.ts';
import { hasEmptyField } from '../grids/line-tests.ts';
import { isHeader } from '../headers/header.ts';
import { isFullLine } from '../lines/full-line.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { matchGrid } from '../rows/assembler.ts';
import { rowShape } from '../rows/row-shape.ts';
import type { Line } from '../shape/line.ts';
import { MAX_ROW_CELLS, tokens } from '../shape/readings.ts';
import type { Predecessor } from '../text-context.ts';

const shape = rowShape({ format: 'tokens', reading: tokens });

export const tokensFormat: Recogniser = {
  name: 'tokens',
  match(line) {
    const { context, book } = line;
    const cells = line.width(tokens);
    const asRows = () => matchGrid(line, shape, matchWholeCells);
    if (cells === 0) return line.tokens >= 3 ? asRows() : NO;
    const fields = hasEmptyField(line) ? matchWholeCells(line) : NO;
    if (fields !== NO) return fields;
    if (context.lineSize !== undefined && cells > MAX_ROW_CELLS)
      return matchLine(line, cells, context.lineSize);
    if (cells === 1 && line.length > 3) return NO;
    if (book.isSize(cells) && isRowWise(line, cells)) return asRows();
    const taken = context.followsRow(line) ? NO : matchUnlined(line);
    return taken === NO && cells > 1 ? asRows() : taken;
  },
};

/** Reads the puzzle on a line, or several of the usual size, in a file with a puzzle a line. */
function matchLine(line: Line, count: number, lineSize: number): number {
  const { context, number } = line;
  const { cells, unlined } = context;
  const several = count % (lineSize * lineSize) === 0 ? lineSize : undefined;
  const size = line.book.sizeOfCells(count) ?? several;
  if (size === undefined) return NO;
  cells.clear();
  tokens.cut(line, cells);
  const continues = unlined?.nextLine === number && unlined.size === size;
  return enterAll(line, 1, size, continues ? 'unlined' : undefined);
}

/** Lines of tokens up to a blank one, of which the cells are in `context.cells`. */
interface TokenRun {
  /** Lines, comments included. */
  lines: number;
  /** Cells of each line. */
  readonly counts: number[];
  /** The largest number among the cells. */
  largest: number;
  /** The whole puzzles so far. */
  whole: { readonly lines: number; readonly cells: number };
  /** The lines are puzzles of the size of those directly above: the next ones do not matter. */
  continues: boolean;
}

/** Reads lines of tokens up to another line, or as many as decide the size: those of two puzzles of the largest one. */
function runFrom(first: Line): TokenRun {
  const { context, at, book, number } = first;
  const { cells, unlined } = context;
  const usual = unlined?.nextLine === number ? unlined.size : undefined;
  const run: TokenRun = { lines: 0, counts: [], largest: 0, whole: { lines: 0, cells: 0 }, continues: false };
  cells.clear();
  while (cells.count <= MANY_CELLS || run.whole.cells === 0) {
    const line = context.lineAt(at + run.lines);
    if (line === undefined || !(line.isComment || addLine(run, line))) break;
    run.lines++;
    if (line.isComment) continue;
    run.continues = usual !== undefined && usual >= run.largest && cells.count % (usual * usual) === 0;
    const least = book.sizes.find((size) => size >= run.largest);
    if (run.continues || least === undefined) break;
    if (cells.count % (least * least) === 0) run.whole = { lines: run.lines, cells: cells.count };
  }
  return run;
}

/** Adds the cells of a line to a run; false if it does not belong to it. */
function addLine(run: TokenRun, line: Line): boolean {
  const { cells, lineSize } = line.context;
  const before = cells.count;
  // In a file with a puzzle a line, a long line is a puzzle of its own.
  const isOther = lineSize !== undefined && line.tokens > MAX_ROW_CELLS;
  if (isOther || endsStanza(line) || tokens.cut(line, cells) === 0) {
    cells.count = before;
    return false;
  }
  run.counts.push(cells.count - before);
  for (let cell = before; cell < cells.count; cell++)
    run.largest = Math.max(run.largest, numberOf(cells.codes[cell]));
  return true;
}

/**
 * Reads whole puzzles by the number of their cells alone, in the lines up to a blank one. Letters alone are not a puzzle: words
 * would be.
 */
function matchUnlined(first: Line): number {
  const { context, at, book } = first;
  const { window, cells, unlined } = context;
  if (context.afterRun(isLetter, at) > at) return NO;
  const { lines, counts, largest, whole, continues } = runFrom(first);
  if (continues) return enterAll(first, lines, unlined!.size, 'unlined');
  const fitting = book.sizes.filter((size) => size >= largest);
  if (fitting.length === 0) return NO;
  if (cells.codes.subarray(0, cells.count).every(isLetter)) {
    context.noteRun(isLetter, at, at + lines);
    return NO;
  }
  // Of lines that go on, the whole puzzles so far are taken.
  const goesOn = window.hasArrived(at + lines) ? cells.count > MANY_CELLS : !window.ended;
  const found = goesOn ? whole : { lines, cells: cells.count };
  cells.count = found.cells;
  // The smallest size that holds the numbers, and so many cells are whole puzzles of.
  const size = fitting.find((one) => found.cells > 0 && found.cells % (one * one) === 0);
  /** Cells of each line; 0 if not all lines have the same number. */
  const perLine = counts.every((count) => count === counts[0]) ? counts[0] : 0;
  // Whole puzzles and a damaged one may have as many cells together as a larger one.
  const isWhole = (count: number) => count > MAX_ROW_CELLS && book.sizeOfCells(count) !== undefined;
  const isDoubtful = perLine === 0 && size !== fitting[0] && counts.some(isWhole);
  if (size === undefined || isDoubtful) return NO;
  // Each line is a row or a puzzle of a rare size that is not looked for yet: 4 lines of 100, with no number beyond 10, are
  // four 10x10 and no 20x20, and 8 lines of 8 are one 8x8 and no four 4x4.
  const isRare = RARE_SIZES.some((rare) => {
    const areRows = perLine === rare && cells.count % (rare * rare) === 0;
    const fits = areRows || (perLine === rare * rare && rare < size);
    return fits && !book.isSize(rare) && largest <= rare;
  });
  if (isRare) return NO;
  // Between two tabs may be a blank: then the number of cells says nothing.
  for (let each = at; each < at + found.lines; each++) if (hasEmptyField(context.line(each))) return NO;
  if (found.lines === size && perLine > size && areSideBySide(first, size)) {
    const what = `${perLine / size} grids of ${size}x${size} side by side, or lines of ${perLine} numbers`;
    const fault = makeFault('row_count', first.from, what, 'grids below each other');
    return context.enterError(first, found.lines, fault);
  }
  return enterAll(first, found.lines, size, undefined);
}

/** Whether the widest gaps of each line of some grids are after as many numbers as a grid has in a row. */
function areSideBySide({ context, at }: Line, size: number): boolean {
  return Array.from({ length: size }, (_, row) => context.line(at + row)).every(({ text }) => {
    const gaps = Array.from(text.matchAll(/\s+/g), ([{ length }]) => length);
    const between = gaps.filter((_, gap) => (gap + 1) % size === 0);
    const within = gaps.filter((_, gap) => (gap + 1) % size !== 0);
    return Math.min(...between) > Math.max(...within);
  });
}

/** Enters all puzzles of `context.cells`, which are in so many lines. @returns their number */
function enterAll(first: Line, lines: number, size: number, after: Predecessor | undefined): number {
  const { context, at, number, book } = first;
  const { window, cells, grid } = context;
  const geometry = book.geometry(size);
  const { cellCount } = geometry;
  for (let from = 0; from < cells.count; from += cellCount) {
    grid.copy(cells, from, cellCount);
    const lineOf = (cell: number) => window.number(context.lineOf(grid.offset[cell], at, lines));
    const place = { line: lineOf(0), lineEnd: lineOf(cellCount - 1) };
    const plain = context.enter({ format: 'tokens', geometry, spaced: true, ...place }, first, lines);
    const isOne = plain && after !== undefined && cells.count === cellCount;
    if (isOne) context.example = { at, lines, predecessor: after };
  }
  context.unlined = { size, nextLine: number + lines };
  return lines;
}

/** Whether lines of `size` cells are rows. */
function isRowWise(first: Line, size: number): boolean {
  let [lines, fitting, total] = [0, 0, 0];
  for (let line: Line | undefined = first; line !== undefined && lines < size; line = line.next) {
    if (endsStanza(line)) break;
    if (line.isComment) continue;
    lines++;
    total += line.tokens;
    if (line.tokens === size) fitting++;
  }
  if (fitting === lines) return true;
  // Cells wrapped at some width: all lines but the last are full, and together they are one puzzle.
  const wrapped = fitting === lines - 1 && total >= MIN_WRAPPED && first.book.sizeOfCells(total);
  return !wrapped && fitting * 2 >= lines && total % (size * size) !== 0;
}

/** Cells of a puzzle whose lines may be wrapped at a width that is also a size; fewer are the rest of a grid. */
const MIN_WRAPPED = 81;

function endsStanza(line: Line): boolean {
  return line.isBlank || isHeader(line) || isFullLine(line);
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
