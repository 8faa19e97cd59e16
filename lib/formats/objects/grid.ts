/** Reads the grid of a JSON value: one string, rows that are strings or lists of cells, or one list of cells. */

import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { DOT, ZERO } from '../bytes/ascii.ts';
import { type GridBuffer, NUMBER } from '../cells/grid-buffer.ts';
import type { LayoutBook } from '../records/layout-book.ts';
import { cellCode } from './cells.ts';
import { fail } from './unreadable.ts';

/** The shape of a grid in JSON; an arrangement has the prefix `object:` if the grid is a member of an object. */
export const SHAPES = ['strings', 'numbers', 'rows', 'line', 'cells', 'list'] as const;
export type JsonShape = (typeof SHAPES)[number];

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
export const MAX_ROW_LENGTH = 36;

/** Whether a value is a list with a cell in each place: no rows, and no puzzles. */
function isFlat(value: readonly unknown[], book: LayoutBook): boolean {
  if (book.geometryOfCells(value.length, true) === undefined) return false;
  return value.every((cell) => cellCode(cell) !== undefined);
}

/** Whether a value is a list of grids, not a grid. */
export function isGridList(value: readonly unknown[], book: LayoutBook): boolean {
  const [first] = value;
  if (typeof first === 'string')
    return first.length > MAX_ROW_LENGTH && book.geometryOfCells(first.length) !== undefined;
  if (!Array.isArray(first)) {
    const isObject = typeof first === 'object' && first !== null;
    return isObject && book.geometryOfCells(value.length, true) === undefined;
  }
  if (Array.isArray(first[0]) || first.length > MAX_ROW_LENGTH) return true;
  return first.length !== value.length && isFlat(first, book);
}

/**
 * Reads the grid of a value into `cells`; fails at the index of the string, number or word that is wrong.
 *
 * @param anySize whether sizes without usual boxes are allowed
 */
export function gridOf(cells: GridBuffer, book: LayoutBook, value: unknown, anySize: boolean): JsonGrid {
  cells.clear();
  const parts: readonly unknown[] = [value].flat(2);
  const hasNumbers = parts.some((cell) => typeof cell === 'number');
  // Next to zeros, which may be digits, empty cells get the code of a dot.
  const emptyCode = parts.some((cell) => cell === 0 || cell === '0') ? DOT : ZERO;
  const add = (cell: unknown, scalar: number) => {
    const code = cell === null || cell === '' ? emptyCode : cellCode(cell);
    if (code === undefined) fail('bad_character', JSON.stringify(cell), 'a cell', scalar);
    cells.add(code, scalar);
  };
  const gridIn = (geometry: Geometry, shape: JsonShape, isSplit = false): JsonGrid => {
    const hasLong = cells.codes.subarray(0, cells.count).some((code) => code >= NUMBER);
    return { geometry, spaced: isSplit || hasNumbers || hasLong, shape };
  };
  if (typeof value === 'string') {
    const line = textCells(value, (count) => book.geometryOfCells(count, anySize) !== undefined);
    const geometry = book.geometryOfCells(line.length, anySize);
    if (geometry === undefined)
      fail('bad_length', `${value.length} characters`, '81 characters, or another square', 0);
    for (const cell of line) add(cell, 0);
    return gridIn(geometry, 'line', isSpaced(value, line));
  }
  if (!Array.isArray(value)) fail('bad_character', JSON.stringify(value), 'rows of cells', 0);
  if (isFlat(value, book)) {
    const geometry = book.geometryOfCells(value.length, anySize);
    if (geometry === undefined)
      fail('bad_length', `a list of ${value.length} cells`, '81 cells, or another square', 0);
    parts.forEach(add);
    return gridIn(geometry, hasNumbers ? 'list' : 'cells');
  }
  const size = value.length;
  if (book.geometryOfCells(size * size, anySize) === undefined) {
    const found = size === 1 ? '1 row' : `${size} rows`;
    fail('row_count', found, `as many as a grid has: ${book.sizes.join(', ')}`);
  }
  let shape: JsonShape = 'strings';
  let isSplit = false;
  let scalar = 0;
  for (const row of value as unknown[]) {
    const part = typeof row === 'string' ? textCells(row, (count) => count === size) : row;
    const own: readonly unknown[] = Array.isArray(part) ? part : [];
    if (own.length !== size) fail('bad_length', `a row of ${own.length} cells`, `${size} cells`, scalar);
    if (typeof row === 'string') {
      shape = 'rows';
      isSplit ||= isSpaced(row, own);
      for (const cell of own) add(cell, scalar);
      scalar++;
    } else {
      if (hasNumbers) shape = 'numbers';
      for (const cell of own) add(cell, scalar++);
    }
  }
  return gridIn(book.geometry(size), shape, isSplit);
}

/** Whether white space separates the cells of a text. */
function isSpaced(text: string, cells: readonly unknown[]): boolean {
  return cells.length !== text.length;
}

/**
 * Splits a text into cells: its characters, or the tokens between its spaces.
 *
 * @param fits whether a number of tokens is the expected one; if not, spaces are characters and may be blanks
 */
function textCells(text: string, fits: (count: number) => boolean): readonly string[] {
  const joined = LINES.test(text) ? text.replaceAll(/[\r\n]/g, '') : '';
  if (joined !== '' && fits(joined.length)) return joined.split('');
  const parts = SPACED.test(text) ? text.trim().split(/\s+/) : [];
  return parts.length > 0 && fits(parts.length) ? parts : text.split('');
}

/** Lines without spaces. */
const LINES = /^\s*[^\s]+([\r\n]+[^\s]+)+\s*$/;
const SPACED = /^\s*\S{1,3}(\s+\S{1,3})+\s*$/;
