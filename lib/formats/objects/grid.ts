/** Reads the grid of a JSON value: one string, rows that are strings or lists of cells, or one list of cells. */

import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { DOT, ZERO } from '../bytes/ascii.ts';
import { type GridBuffer, NUMBER } from '../cells/grid-buffer.ts';
import { type Fault, makeFault } from '../records/fault.ts';
import type { LayoutBook } from '../records/layout-book.ts';
import { cellCode } from './cells.ts';

/** The shape of a grid in JSON; an arrangement has the prefix `object:` if the grid is a member of an object. */
export type JsonShape = 'strings' | 'numbers' | 'rows' | 'line' | 'cells' | 'list';

/** Prefix of the arrangement of a grid that is a member of an object. */
export const OBJECT = 'object:';

/** The notation of the cells of a grid. */
export interface JsonGrid {
  /** Derived from the number of cells alone. */
  readonly geometry: Geometry;
  /** Cells are numbers, or strings with numbers of several digits. */
  readonly spaced: boolean;
  readonly shape: JsonShape;
}

/** Most cells in a row. */
const MAX_ROW_LENGTH = 36;

/** Whether a value is a list with a cell in each place: no rows, and no puzzles. */
export function isFlat(value: readonly unknown[], book: LayoutBook): boolean {
  if (book.geometryOfCells(value.length, true) === undefined) return false;
  return value.every((cell) => cellCode(cell) !== undefined);
}

/** Whether a value is a list of grids, not a grid. */
export function isGridList(value: readonly unknown[], book: LayoutBook): boolean {
  const [first] = value;
  if (typeof first === 'string')
    return first.length > MAX_ROW_LENGTH && book.geometryOfCells(first.length) !== undefined;
  if (!Array.isArray(first))
    return (
      typeof first === 'object' && first !== null && book.geometryOfCells(value.length, true) === undefined
    );
  if (Array.isArray(first[0])) return true;
  return first.length > MAX_ROW_LENGTH || (first.length !== value.length && isFlat(first, book));
}

/**
 * Reads the grid of a value into `cells`.
 *
 * @param anySize whether sizes without usual boxes are allowed
 */
export function gridOf(
  cells: GridBuffer,
  book: LayoutBook,
  value: unknown,
  anySize: boolean,
): JsonGrid | Fault {
  cells.clear();
  if (typeof value === 'string') {
    const line = textCells(value, (count) => book.geometryOfCells(count, anySize) !== undefined);
    const geometry = book.geometryOfCells(line.length, anySize);
    if (geometry === undefined)
      return makeFault('bad_length', 0, `${value.length} characters`, '81 characters, or another square');
    return addText(cells, line, 0) ?? { geometry, spaced: line !== value, shape: 'line' };
  }
  if (!Array.isArray(value)) {
    return makeFault('bad_character', 0, JSON.stringify(value), 'rows of cells');
  }
  const list = new CellList(cells);
  if (isFlat(value, book)) {
    const geometry = book.geometryOfCells(value.length, anySize);
    if (geometry === undefined) {
      return makeFault('bad_length', 0, `a list of ${value.length} cells`, '81 cells, or another square');
    }
    const fault = list.add(value) ?? list.end();
    return fault ?? { geometry, spaced: list.spaced, shape: list.hasNumbers ? 'list' : 'cells' };
  }
  const size = value.length;
  if (book.geometryOfCells(size * size, anySize) === undefined) {
    const expected = `as many as a grid has: ${book.sizes.join(', ')}`;
    return makeFault('row_count', -1, size === 1 ? '1 row' : `${size} rows`, expected);
  }
  let shape: JsonShape | undefined;
  for (const row of value as unknown[]) {
    const text = typeof row === 'string' ? textCells(row, (count) => count === size) : undefined;
    const length = text?.length ?? (Array.isArray(row) ? row.length : 0);
    if (length !== size)
      return makeFault('bad_length', list.scalar, `a row of ${length} cells`, `${size} cells`);
    if (text !== undefined) {
      shape = 'rows';
      list.spaced ||= text !== row;
    }
    const fault = text === undefined ? list.add(row as unknown[]) : addText(cells, text, list.scalar++);
    if (fault !== undefined) return fault;
    if (text === undefined && list.hasNumbers) shape = 'numbers';
  }
  list.end();
  return { geometry: book.geometry(size), spaced: list.spaced, shape: shape ?? 'strings' };
}

/** Adds lists of cells to a grid. */
class CellList {
  readonly #cells: GridBuffer;
  /** The cells without a symbol: they have the code of 0. */
  readonly #empty: number[] = [];
  /** Number of strings, numbers and words so far. */
  scalar = 0;
  spaced = false;
  hasNumbers = false;

  constructor(cells: GridBuffer) {
    this.#cells = cells;
  }

  add(list: readonly unknown[]): Fault | undefined {
    for (const cell of list) {
      const code = cellCode(cell);
      if (code === undefined) return makeFault('bad_character', this.scalar, JSON.stringify(cell), 'a cell');
      if (typeof cell === 'number') this.hasNumbers = true;
      if (typeof cell === 'number' || code >= NUMBER) this.spaced = true;
      if (cell === null || cell === '') this.#empty.push(this.#cells.count);
      this.#cells.add(code, this.scalar++);
    }
    return undefined;
  }

  /** If 0 occurs next to empty cells, it may be a digit, and they get the code of a dot. */
  end(): undefined {
    const { codes, count } = this.#cells;
    const zeros = codes.subarray(0, count).filter((code) => code === ZERO).length;
    if (zeros > this.#empty.length) for (const cell of this.#empty) codes[cell] = DOT;
  }
}

/**
 * Splits a text into cells: its characters, or the tokens between its spaces.
 *
 * @param fits whether a number of tokens is the expected one; if not, spaces are characters and may be blanks
 */
function textCells(text: string, fits: (count: number) => boolean): string | readonly string[] {
  if (LINES.test(text)) {
    const joined = text.replaceAll(/[\r\n]/g, '');
    if (fits(joined.length)) return joined;
  }
  if (!SPACED.test(text)) return text;
  const parts = text.trim().split(/\s+/);
  return fits(parts.length) ? parts : text;
}

/** Lines without spaces. */
const LINES = /^\s*[^\s]+([\r\n]+[^\s]+)+\s*$/;
const SPACED = /^\s*\S{1,3}(\s+\S{1,3})+\s*$/;

function addText(cells: GridBuffer, text: string | readonly string[], scalar: number): Fault | undefined {
  if (typeof text === 'string') {
    cells.addText(text, scalar);
    return undefined;
  }
  for (const part of text) {
    const code = cellCode(part);
    if (code === undefined) return makeFault('bad_character', scalar, JSON.stringify(part), 'a cell');
    cells.add(code, scalar);
  }
  return undefined;
}
