/** Reads the grid of a JSON value: one string, rows that are strings or lists of cells, or one list of cells. */

import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { DOT, ZERO } from '../bytes/ascii.ts';
import { type GridBuffer, NUMBER } from '../cells/grid-buffer.ts';
import { type Fault, makeFault } from '../records/fault.ts';
import type { LayoutBook } from '../records/layout-book.ts';
import { cellCode } from './json-cells.ts';
import type { JsonShape } from './json-writer.ts';

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
  if (isFlat(value, book)) return flatGrid(cells, book, value, anySize);
  const size = value.length;
  if (book.geometryOfCells(size * size, anySize) === undefined) {
    const expected = `as many as a grid has: ${book.sizes.join(', ')}`;
    return makeFault('row_count', -1, size === 1 ? '1 row' : `${size} rows`, expected);
  }
  let scalar = 0;
  let spaced = false;
  let shape: JsonShape = 'strings';
  const empty: number[] = [];
  for (const row of value as unknown[]) {
    const text = typeof row === 'string' ? textCells(row, (count) => count === size) : undefined;
    const length = text?.length ?? (Array.isArray(row) ? row.length : 0);
    if (length !== size) return makeFault('bad_length', scalar, `a row of ${length} cells`, `${size} cells`);
    if (text !== undefined) {
      shape = 'rows';
      spaced ||= text !== row;
      const fault = addText(cells, text, scalar++);
      if (fault !== undefined) return fault;
      continue;
    }
    for (const cell of row as unknown[]) {
      const code = cellCode(cell);
      if (code === undefined) {
        return makeFault('bad_character', scalar, JSON.stringify(cell), 'a cell');
      }
      if (typeof cell === 'number') {
        spaced = true;
        shape = 'numbers';
      } else if (code >= NUMBER) spaced = true;
      if (isEmpty(cell)) empty.push(cells.count);
      cells.add(code, scalar++);
    }
  }
  markEmpty(cells, empty);
  return { geometry: book.geometry(size), spaced, shape };
}

function isEmpty(cell: unknown): boolean {
  return cell === null || cell === '';
}

/** Empty cells have the code of 0. If 0 occurs as well, it may be a digit, and they get the code of a dot. */
function markEmpty(cells: GridBuffer, empty: readonly number[]): void {
  if (empty.length === 0) return;
  let zeros = 0;
  for (let cell = 0; cell < cells.count; cell++) if (cells.codes[cell] === ZERO) zeros++;
  if (zeros > empty.length) for (const cell of empty) cells.codes[cell] = DOT;
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
  for (let k = 0; k < text.length; k++) {
    const code = cellCode(text[k]);
    if (code === undefined) {
      return makeFault('bad_character', scalar, JSON.stringify(text[k]), 'a cell');
    }
    cells.add(code, scalar);
  }
  return undefined;
}

/** Reads a list with a cell in each place. */
function flatGrid(
  cells: GridBuffer,
  book: LayoutBook,
  value: readonly unknown[],
  anySize: boolean,
): JsonGrid | Fault {
  const geometry = book.geometryOfCells(value.length, anySize);
  if (geometry === undefined) {
    return makeFault('bad_length', 0, `a list of ${value.length} cells`, '81 cells, or another square');
  }
  let spaced = false;
  let shape: JsonShape = 'cells';
  for (const [scalar, cell] of value.entries()) {
    const code = cellCode(cell) ?? 0;
    if (typeof cell === 'number') shape = 'list';
    spaced ||= typeof cell === 'number' || code >= NUMBER;
    cells.add(code, scalar);
  }
  markEmpty(
    cells,
    [...value.keys()].filter((at) => isEmpty(value[at])),
  );
  return { geometry, spaced, shape };
}
