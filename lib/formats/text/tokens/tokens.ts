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
import { type CellCode, MINUS_ONE, NUMBER } from '../../cells/grid-buffer.ts';
import { RARE_SIZES } from '../../records/layout-book.ts';
import { writeTokens } from '../../writing/grid-text.ts';
import { KINDS, LETTER } from '../byte-kinds.ts';
import { hasEmptyField } from '../empty-fields.ts';
import { isHeader } from '../headers/header.ts';
import { isFullLine } from '../lines/full-line.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { RowGrids, type WholeGrids } from '../rows/row-grids.ts';
import type { Predecessor, SameShape } from '../rows/same-shape.ts';
import { MAX_ROW_CELLS, tokens } from '../shape/readings.ts';
import type { TextContext } from '../text-context.ts';
import type { UnlinedGrids, UnlinedState } from './unlined-grids.ts';

export class Tokens implements Recogniser {
  readonly name = 'tokens';
  readonly writer = { multiLine: true, write: writeTokens };
  readonly #unlined: UnlinedGrids;
  readonly #sameShape: SameShape;
  readonly #grids: RowGrids;
  readonly #others: WholeGrids;
  /** Numbers of lines whose cells are letters alone; `until` is after the last. */
  #lettersOnly: { first: number; until: number } | undefined;

  /** @param others asked before lines are an error in this format, and for lines with empty fields */
  constructor(unlined: UnlinedGrids, sameShape: SameShape, others: WholeGrids) {
    this.#unlined = unlined;
    this.#sameShape = sameShape;
    this.#others = others;
    this.#grids = new RowGrids({ format: 'tokens', reading: tokens }, sameShape, others);
  }

  match(context: TextContext, at: number): number {
    const { window, sink } = context;
    const cells = context.lines.width(at, tokens);
    if (cells === 0) return window.tokens[at] >= 3 ? this.#grids.match(context, at) : NO;
    if (hasEmptyField(window, at)) {
      const taken = this.#others(context, at);
      if (taken !== NO) return taken;
    }
    const { lineSize } = context;
    if (lineSize !== undefined && cells > MAX_ROW_CELLS) {
      return this.#matchLine(context, at, cells, lineSize);
    }
    if (cells === 1 && window.tokenEnd[at] - window.text[at] > 3) return NO;
    if (sink.book.isSize(cells) && isRowWise(context, at, cells)) return this.#grids.match(context, at);
    const taken = context.followsRow(at) ? NO : this.#matchUnlined(context, at);
    return taken === NO && cells > 1 ? this.#grids.match(context, at) : taken;
  }

  state(line: number): UnlinedState | undefined {
    return this.#unlined.state(line);
  }

  restore(state: UnlinedState, line: number): void {
    this.#unlined.restore(state, line);
  }

  /** Reads the puzzle on a line, or several of the usual size, in a file with a puzzle a line. */
  #matchLine(context: TextContext, at: number, count: number, lineSize: number): number {
    const { window, sink, cells } = context;
    const several = count % (lineSize * lineSize) === 0 ? lineSize : undefined;
    const size = sink.book.sizeOfCells(count) ?? several;
    if (size === undefined) return NO;
    cells.clear();
    tokens.cut(context.lines, at, cells);
    const line = window.number(at);
    const continues = this.#unlined.endBefore(line) && this.#unlined.size === size;
    this.#enterAll(context, at, 1, size, continues ? 'unlined' : undefined);
    this.#unlined.set(size, line + 1);
    return 1;
  }

  /**
   * Reads whole puzzles by the number of their cells alone: in the lines up to a blank one, or across blank lines if only
   * all of them together make one puzzle. Letters alone are not a puzzle: words would be.
   */
  #matchUnlined(context: TextContext, at: number): number {
    const { window, cells } = context;
    const lettersOnly = this.#lettersOnly;
    const { book } = context.sink;
    const number = window.number(at);
    if (lettersOnly !== undefined && lettersOnly.first <= number && number < lettersOnly.until) return NO;
    const usual = this.#unlined.size ?? 9;
    const continues = this.#unlined.endBefore(number);
    cells.clear();
    let largest = 0;
    let letters = true;
    // Cells of each line, while all lines have the same number.
    let perLine: number | undefined;
    // Cells that fill whole puzzles so far: of the size of a line if each line is one, or else of the smallest size
    // that holds their numbers.
    let whole = 0;
    let hasWholeLine = false;
    let size = 0;
    let lines = 0;
    let end = at;
    for (let line = at; ; line++) {
      if (!window.has(line)) {
        if (!window.ended) cells.count = whole;
        break;
      }
      // Many cells without a blank line: the whole puzzles so far are taken.
      if (cells.count > MANY_CELLS && whole > 0) {
        cells.count = whole;
        break;
      }
      if (context.isComment(line)) continue;
      // In a file with a puzzle a line, a long line is a puzzle of its own.
      const isLong = context.lineSize !== undefined && window.tokens[line] > MAX_ROW_CELLS;
      if (isLong || endsStanza(context, line)) {
        if (context.isBlank(line) && whole < cells.count && cells.count < usual * usual) continue;
        break;
      }
      const before = cells.count;
      if (tokens.cut(context.lines, line, cells) === 0) {
        cells.count = before;
        break;
      }
      end = line + 1;
      for (let cell = before; cell < cells.count; cell++) {
        largest = Math.max(largest, numberOf(cells.codes[cell]));
        if (letters) letters = isLetter(cells.codes[cell]);
      }
      if (continues && usual >= largest && cells.count % (usual * usual) === 0) {
        // A file that continues as before is read without the lines that follow.
        this.#enterAll(context, at, end - at, usual, 'unlined');
        this.#unlined.set(usual, window.number(end));
        return end - at;
      }
      const inLine = cells.count - before;
      if (inLine > MAX_ROW_CELLS && book.sizeOfCells(inLine) !== undefined) hasWholeLine = true;
      if (before === 0) perLine = cells.count;
      else if (inLine !== perLine) perLine = undefined;
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
      this.#lettersOnly = { first: number, until: number + end - at };
      return NO;
    }
    if (whole === 0 || whole !== cells.count) {
      // The numbers would fit a smaller size, but the cells make exactly one puzzle of a larger one.
      const larger = book.sizeOfCells(cells.count);
      if (larger === undefined || larger < largest) return NO;
      // Whole puzzles and a damaged one may have as many cells together.
      if (perLine === undefined && hasWholeLine) return NO;
      size = larger;
      lines = end - at;
    }
    if (perLine !== undefined && isOfRareSize(context, perLine, size, largest)) return NO;
    // Between two tabs may be a blank: then the number of cells says nothing.
    for (let line = at; line < at + lines; line++) if (hasEmptyField(window, line)) return NO;
    this.#enterAll(context, at, lines, size, undefined);
    this.#unlined.set(size, number + lines);
    return lines;
  }

  /** Enters all puzzles of `context.cells`. */
  #enterAll(
    context: TextContext,
    at: number,
    lines: number,
    size: number,
    after: Predecessor | undefined,
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
      if (plain && after !== undefined && cells.count === geometry.cellCount) {
        this.#sameShape.remember(context, at, lines, after);
      }
    }
  }
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
function isOfRareSize({ cells, sink }: TextContext, perLine: number, size: number, largest: number): boolean {
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
