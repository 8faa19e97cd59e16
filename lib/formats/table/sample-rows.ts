/** The first rows of a table: their texts, and the grids in them. */

import { unlessInterrupted } from '../bytes/arrival.ts';
import { ZERO } from '../bytes/ascii.ts';
import { LineWindow } from '../bytes/line-window.ts';
import { type CellCode, codeText, GridBuffer, NUMBER } from '../cells/grid-buffer.ts';
import { mapAmong } from '../cells/regions.ts';
import { codeAt } from '../records/found.ts';
import type { LayoutBook } from '../records/layout-book.ts';
import { gridIn } from './field-grid.ts';
import { isCommentRow, isTableRuler, type RowFields, rowFields } from './row-fields.ts';

/** A grid in a field. */
export interface SampleGrid {
  /** 0 for overlapping grids, which are not square. */
  readonly size: number;
  readonly isMap: boolean;
  /** Whether no cell is blank. */
  readonly isFull: boolean;
  /** The codes of its cells, 0 for blanks and zeros. */
  readonly givens: readonly CellCode[];
}

/** A row of a table. */
export interface SampleRow {
  /** The whole row without white space around it. */
  readonly text: string;
  /** Its fields without white space and quotes around them. */
  readonly fields: readonly string[];
  /** For each field its grid, if it has one. */
  readonly grids: ReadonlyArray<SampleGrid | undefined>;
}

/** Bytes that are enough for the sample rows. */
export const SAMPLE_BYTES = 64 * 1024;
/** Cells of the shortest puzzle. */
export const MIN_CELLS = 16;

/** @returns the first `max` rows of a table with that separator, without blank lines and comments */
export function sampleRows(head: Uint8Array, delimiter: string, max: number, book: LayoutBook): SampleRow[] {
  const window = new LineWindow();
  window.feed(head.subarray(0, SAMPLE_BYTES));
  if (head.length <= SAMPLE_BYTES) window.finish();
  const fields = rowFields(delimiter);
  const rows: SampleRow[] = [];
  const takeRow = () => {
    const at = window.head;
    if (rows.length === max || !window.has(at)) return false;
    const isRow = window.tokens[at] > 0 && !isTableRuler(window, at, delimiter);
    if (!isRow || isCommentRow(window, at, delimiter)) {
      window.consume(1);
      return true;
    }
    const lines = fields.read(window, at);
    const last = at + lines - 1;
    const indexes = Array.from({ length: fields.count }, (_, index) => index);
    rows.push({
      text: window.string(window.text[at], window.end[last]),
      fields: indexes.map((index) => fields.text(index).replaceAll('""', '"')),
      grids: indexes.map((index) => sampleGrid(window, fields, index, window.lineAfter(last), book)),
    });
    window.consume(lines);
    return true;
  };
  while (unlessInterrupted(takeRow));
  return rows;
}

const scratch = new GridBuffer();
const CELL = /[\w.*?# -]/;

function sampleGrid(
  { bytes }: LineWindow,
  fields: RowFields,
  index: number,
  limit: number,
  book: LayoutBook,
): SampleGrid | undefined {
  const geometryOf = (cells: number) => book.geometryOfCells(cells, true);
  const grid = gridIn(bytes, fields, index, limit, geometryOf, scratch);
  if (grid === undefined) return undefined;
  const { cellCount, size, places } = grid.geometry;
  const codes = Array.from({ length: cellCount }, (_, cell) => codeAt(grid.cells, cell));
  const areCells = codes.every((code) => code >= NUMBER || CELL.test(codeText(code)));
  return areCells ? judged(codes, places === undefined ? size : 0) : undefined;
}

const BLANKS = new Set([...'.*_?-# '].map((blank) => blank.charCodeAt(0)));
const X_BLANKS = [88, 120];
/** A larger grid has letters of its own beyond x. */
const MAX_X_SIZE = 23;
/** A smaller grid is as long as a row of a larger one. */
const MIN_SURE_SIZE = 9;
/** Symbols that may occur in addition to the digits: blanks. */
const MAX_BLANKS = 3;

function judged(codes: readonly CellCode[], size: number): SampleGrid | undefined {
  const isBlank = (code: CellCode) => BLANKS.has(code) || (size <= MAX_X_SIZE && X_BLANKS.includes(code));
  const counts = new Map<CellCode, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  const blanks = [...counts.keys()].filter(isBlank).length;
  const hasZeros = counts.has(ZERO);
  const symbols = counts.size - blanks - (hasZeros ? 1 : 0);
  // Hashes and words have more symbols; a quoted row of a larger grid is as long as a small grid.
  const isOther = counts.size > size + MAX_BLANKS || (size < MIN_SURE_SIZE && symbols > size);
  if (size > 0 && isOther) return undefined;
  // In a full grid of digits from 0, each occurs as often as the others.
  const isFull = blanks === 0 && (!hasZeros || [...counts.values()].every((count) => count === size));
  const givens = codes.map((code) => (isBlank(code) || code === ZERO ? 0 : code));
  return { size, isMap: size > 0 && mapAmong(codes, codes.length, size) !== undefined, isFull, givens };
}
