/**
 * The fast path for grids whose cells are at different offsets in each grid: rows with as many cells as those of the previous
 * puzzle are split in one pass over their bytes.
 *
 *     9  .  12 3  ...      numbers of several digits, or single characters, between white space
 *     16 .  .  11 ...
 *
 *     9,,12,3, ...         numbers or empty fields between commas, semicolons or tabs, with nothing else on the lines
 *     16,,,11, ...
 *
 * It takes `size` rows in which each cell is written as in the previous puzzle, if a blank line or a short lone integer
 * follows them, or a grid directly precedes them and white space is between the cells (`assembler.ts`).
 */
import { COMMA, CR, DASH, LF, SEMICOLON, SPACE, TAB, ZERO } from '../../bytes/ascii.ts';
import { CELL, DIGIT, KINDS } from '../../bytes/byte-kinds.ts';
import { NO_VALUE } from '../../cells/alphabets.ts';
import type { Decoding } from '../../cells/cell-decoder.ts';
import { MAX_NUMBER, MINUS_ONE, NUMBER } from '../../cells/grid-buffer.ts';
import type { Layout } from '../../records/layout.ts';
import type { RecordBlock } from '../../records/record-block.ts';
import { CELL_MARK } from '../../writing/grid-drawing.ts';
import type { FastPath } from '../fast-path.ts';
import { BLANK } from '../shape/fields.ts';
import type { TextContext } from '../text-context.ts';

/** Digits of a lone integer that is not a row of any size. */
const MAX_INTEGER_DIGITS = 2;
/** Bytes of a grid; a longer one is full of spaces, and left to the recognisers. */
const MAX_GRID_BYTES = 64 * 1024;
/** Shorter rows may be something else, such as coordinates. */
const MIN_FIELDS = 9;
/** Between the cells of a row; `WHITE_SPACE` is one or several spaces or tabs. */
const SEPARATORS = [COMMA, SEMICOLON, TAB];
const WHITE_SPACE = 0;

const MARK = String.fromCharCode(CELL_MARK);

export class TokenGrids implements FastPath {
  /** Scratch: the codes of the cells of the grid being read. */
  readonly #codes = new Uint16Array(1296);
  /** The last drawing of a grid, and what separates its cells if that is all it draws. */
  #drawing: string | undefined;
  #separator: number | undefined;

  take(context: TextContext): boolean {
    const { sink } = context;
    const { currentBlock: block, survey } = sink;
    const grid = survey?.lastGrid;
    const place = block?.layout ?? grid;
    if (context.maps.length > 0 || place === undefined) return false;
    const { size } = place.geometry;
    const separator = this.#separatorOf(place);
    if (separator === undefined) return false;
    if (place.geometry !== sink.book.geometry(size)) return false;
    if (block === undefined) {
      // While the alphabet is not known, only the symbols are counted.
      return this.#takeGrids(context, size, separator, () => survey!.takeGrid(this.#codes, grid!));
    }
    const decoding = sink.decoder.last(size);
    if (!decoding?.reusable || decoding.warnings !== undefined) return false;
    if (decoding.alphabet !== block.layout.alphabet) return false;
    const taken = this.#takeGrids(context, size, separator, (line) => {
      if (block.count === block.capacity || !fillCells(decoding, this.#codes, block)) return false;
      const index = block.count++;
      block.line[index] = line;
      block.lineEnd[index] = line + size - 1;
      const { blank } = decoding;
      const notes = context.named(blank === block.layout.blank ? undefined : { blank });
      if (notes !== undefined) block.notes.set(index, notes);
      return true;
    });
    if (taken) sink.finishIfFull();
    return taken;
  }

  /** What separates the cells of grids of a layout; undefined if they are left to the recognisers. */
  #separatorOf({ format, geometry, arrangement }: Pick<Layout, 'format' | 'geometry' | 'arrangement'>) {
    if (format === 'tokens') return arrangement === undefined ? WHITE_SPACE : undefined;
    if (format !== 'cells' || arrangement === undefined) return undefined;
    if (arrangement !== this.#drawing) {
      const { size } = geometry;
      const row = (separator: number) => Array(size).fill(MARK).join(String.fromCharCode(separator));
      this.#drawing = arrangement;
      this.#separator =
        size < MIN_FIELDS
          ? undefined
          : SEPARATORS.find((separator) => arrangement === `${row(separator)}\n`.repeat(size));
    }
    return this.#separator;
  }

  /**
   * @param enter enters the grid in `#codes`, whose first line has that number; false if it cannot
   * @returns whether any grid was taken
   */
  #takeGrids(
    context: TextContext,
    size: number,
    separator: number,
    enter: (line: number) => boolean,
  ): boolean {
    const { window, sink } = context;
    const from = window.rawPosition();
    if (from < 0) return false;
    const { bytes, length } = window;
    const number = window.number(window.head);
    let line = number;
    let at = from;
    // No grid starts after a line that may be a row of a damaged one.
    if (context.rowEndLine === number) return false;
    const isSpaced = separator === WHITE_SPACE;
    if (!isSpaced && context.rulerAbove(number) !== undefined) return false;
    let afterGrid = isSpaced && context.gridEndLine === number;
    const mayBeLines = !isSpaced && sink.book.isLineOrRow(size);
    for (;;) {
      const end = gridEnd(bytes, at, length, size, separator, this.#codes);
      if (end < 0 || (mayBeLines && !hasLargeSymbol(this.#codes, size))) break;
      const next = blankLineEnd(bytes, end, length);
      const isBlank = next > end;
      const ends = isBlank || afterGrid || isShortInteger(bytes, end, length);
      if (!ends || !enter(line)) break;
      line += size;
      context.gridEndLine = line;
      afterGrid = isSpaced && !isBlank;
      if (isBlank) line++;
      at = next;
    }
    if (line === number) return false;
    window.skipTo(at, line - number);
    return true;
  }
}

/** Puts cells into the next place of the block; false if one is not written as in the previous puzzle. */
function fillCells({ table }: Decoding, codes: Uint16Array, block: RecordBlock): boolean {
  const { cellCount } = block.geometry;
  const to = block.count * cellCount;
  for (let cell = 0; cell < cellCount; cell++) {
    const value = table[codes[cell]];
    if (value === NO_VALUE) return false;
    block.cells[to + cell] = value;
  }
  return true;
}

/**
 * Splits the `size` rows from `from` into `codes`.
 *
 * @returns offset of the line after them; -1 if they are not such rows, or not all of their bytes are there
 */
function gridEnd(
  bytes: Uint8Array,
  from: number,
  length: number,
  size: number,
  separator: number,
  codes: Uint16Array,
): number {
  const isSpaced = separator === WHITE_SPACE;
  if (from + (isSpaced ? 2 : 1) * size * size > length) return -1;
  let at = from;
  for (let start = 0; start < size * size; start += size) {
    at = isSpaced
      ? rowEnd(bytes, at, start, start + size, codes)
      : fieldsEnd(bytes, at, start, start + size, separator, codes);
    if (at < 0 || at > length || at - from > MAX_GRID_BYTES) return -1;
  }
  return isSpaced || areUneven(codes, size * size, separator) ? at : -1;
}

/** The same for one row, the cells `start` to `stop` (exclusive). */
function rowEnd(bytes: Uint8Array, from: number, start: number, stop: number, codes: Uint16Array): number {
  let at = from;
  for (let cell = start; cell < stop; cell++) {
    while (bytes[at] === SPACE || bytes[at] === TAB) at++;
    const first = bytes[at++];
    let code = first;
    let next = bytes[at];
    if (next > SPACE) {
      if (first === DASH && next === ZERO + 1) {
        code = MINUS_ONE;
        next = bytes[++at];
      } else {
        if ((KINDS[first] & DIGIT) === 0) return -1;
        let number = first - ZERO;
        for (; KINDS[next] & DIGIT; next = bytes[++at]) number = number * 10 + next - ZERO;
        if (number > MAX_NUMBER) return -1;
        code = NUMBER + number;
      }
    } else if ((KINDS[first] & CELL) === 0) return -1;
    if (next !== SPACE && next !== LF && next !== CR && next !== TAB) return -1;
    codes[cell] = code;
  }
  while (bytes[at] === SPACE || bytes[at] === TAB) at++;
  if (bytes[at] === CR) at++;
  return bytes[at] === LF ? at + 1 : -1;
}

/** The same for a row of fields, which may be empty. */
function fieldsEnd(
  bytes: Uint8Array,
  from: number,
  start: number,
  stop: number,
  separator: number,
  codes: Uint16Array,
): number {
  let at = from;
  for (let cell = start; cell < stop; cell++) {
    let code = BLANK;
    if (KINDS[bytes[at]] & DIGIT) {
      code = bytes[at++];
      // 00 is no symbol that shows the size of its grid.
      if (code > ZERO && KINDS[bytes[at]] & DIGIT) code = NUMBER + 10 * (code - ZERO) + bytes[at++] - ZERO;
    }
    codes[cell] = code;
    if (cell < stop - 1 && bytes[at++] !== separator) return -1;
  }
  if (bytes[at] === CR) at++;
  return bytes[at] === LF ? at + 1 : -1;
}

/**
 * Whether the fields of a grid differ in width, since the drawing of others may have wider cells. Between tabs, some must be
 * empty: otherwise they are tokens. Empty fields alone are no grid.
 */
function areUneven(codes: Uint16Array, count: number, separator: number): boolean {
  let [empty, wide] = [0, 0];
  for (let cell = 0; cell < count; cell++) {
    if (codes[cell] === BLANK) empty++;
    if (codes[cell] >= NUMBER) wide++;
  }
  return empty > 0 ? empty < count : separator !== TAB && wide > 0 && wide < count;
}

/** Whether some symbol shows that rows of 16 or 36 cells are no small puzzles: see `judge.ts`. */
function hasLargeSymbol(codes: Uint16Array, size: number): boolean {
  const least = Math.sqrt(size);
  let cell = 0;
  while (cell < size * size && codes[cell] <= NUMBER && codes[cell] - ZERO <= least) cell++;
  return cell < size * size;
}

/** Offset after the blank line at `at`; `at` if another line starts there, or its end is not there yet. */
function blankLineEnd(bytes: Uint8Array, at: number, length: number): number {
  if (at < length && bytes[at] === LF) return at + 1;
  return at + 1 < length && bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : at;
}

/** Whether the line at `from` is a lone integer of few digits. */
function isShortInteger(bytes: Uint8Array, from: number, length: number): boolean {
  let at = from;
  while (at < length && KINDS[bytes[at]] & DIGIT) at++;
  return at > from && at - from <= MAX_INTEGER_DIGITS && at < length && bytes[at] === LF;
}
