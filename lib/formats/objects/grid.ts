/** Reads the grid of a JSON value: one string, rows that are strings or lists of cells, or one list of cells. */

import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { DOT, ZERO } from '../bytes/ascii.ts';
import { type GridBuffer, NUMBER } from '../cells/grid-buffer.ts';
import type { LayoutBook } from '../records/layout-book.ts';
import { cellCode } from './cells.ts';
import { fail } from './unreadable.ts';

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
  if (typeof value === 'string') {
    const line = textCells(value, (count) => book.geometryOfCells(count, anySize) !== undefined);
    const geometry = book.geometryOfCells(line.length, anySize);
    if (geometry === undefined)
      fail('bad_length', `${value.length} characters`, '81 characters, or another square', 0);
    addText(cells, line, 0);
    return { geometry, spaced: line !== value, shape: 'line' };
  }
  if (!Array.isArray(value)) fail('bad_character', JSON.stringify(value), 'rows of cells', 0);
  const parts: readonly unknown[] = value.flat();
  const hasNumbers = parts.some((cell) => typeof cell === 'number');
  // Next to zeros, which may be digits, empty cells get the code of a dot.
  const emptyCode = parts.some((cell) => cell === 0 || cell === '0') ? DOT : ZERO;
  const add = (cell: unknown, scalar: number) => {
    const code = cell === null || cell === '' ? emptyCode : cellCode(cell);
    if (code === undefined) fail('bad_character', JSON.stringify(cell), 'a cell', scalar);
    cells.add(code, scalar);
  };
  const isSpaced = () => hasNumbers || cells.codes.subarray(0, cells.count).some((code) => code >= NUMBER);
  const geometry = isFlat(value, book) ? book.geometryOfCells(value.length, anySize) : undefined;
  if (geometry !== undefined) {
    parts.forEach(add);
    return { geometry, spaced: isSpaced(), shape: hasNumbers ? 'list' : 'cells' };
  }
  const size = value.length;
  if (book.geometryOfCells(size * size, anySize) === undefined) {
    const found = size === 1 ? '1 row' : `${size} rows`;
    fail('row_count', found, `as many as a grid has: ${book.sizes.join(', ')}`);
  }
  let shape: JsonShape = 'strings';
  let spaced = false;
  let scalar = 0;
  for (const row of value as unknown[]) {
    const part = typeof row === 'string' ? textCells(row, (count) => count === size) : row;
    const length = typeof part === 'string' || Array.isArray(part) ? part.length : 0;
    if (length !== size) fail('bad_length', `a row of ${length} cells`, `${size} cells`, scalar);
    if (typeof row === 'string') {
      shape = 'rows';
      spaced ||= part !== row;
      addText(cells, part as string | readonly string[], scalar++);
    } else {
      if (hasNumbers) shape = 'numbers';
      for (const cell of row as unknown[]) add(cell, scalar++);
    }
  }
  return { geometry: book.geometry(size), spaced: spaced || isSpaced(), shape };
}

/**
 * Splits a text into cells: its characters, or the tokens between its spaces.
 *
 * @param fits whether a number of tokens is the expected one; if not, spaces are characters and may be blanks
 */
function textCells(text: string, fits: (count: number) => boolean): string | readonly string[] {
  const joined = LINES.test(text) ? text.replaceAll(/[\r\n]/g, '') : '';
  if (joined !== '' && fits(joined.length)) return joined;
  const parts = SPACED.test(text) ? text.trim().split(/\s+/) : [];
  return parts.length > 0 && fits(parts.length) ? parts : text;
}

/** Lines without spaces. */
const LINES = /^\s*[^\s]+([\r\n]+[^\s]+)+\s*$/;
const SPACED = /^\s*\S{1,3}(\s+\S{1,3})+\s*$/;

function addText(cells: GridBuffer, text: string | readonly string[], scalar: number): void {
  if (typeof text === 'string') cells.addText(text, scalar);
  else
    for (const part of text) {
      const code = cellCode(part);
      if (code === undefined) fail('bad_character', JSON.stringify(part), 'a cell', scalar);
      cells.add(code, scalar);
    }
}
