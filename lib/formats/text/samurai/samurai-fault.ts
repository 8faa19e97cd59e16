/** The fault of lines that should have been a samurai: their number, or the first line that is not its row. */

import { type Fault, makeFault } from '../../records/fault.ts';
import type { TextContext } from '../text-context.ts';
import { addPlaces, isDigit, isRow, mayBeRow, type OverlappingRows } from './samurai-rows.ts';

/** The fault of `lines`: not all of them are the rows of their places, or their number is wrong. */
export function samuraiFault(context: TextContext, rows: OverlappingRows, lines: readonly number[]): Fault {
  const { window, cells } = context;
  const { variant } = rows.geometry;
  const height = rows.isCell.length;
  const row = lines.findIndex((line, k) => k >= height || !isRow(context, line, rows, k));
  if (row === height || (lines.length !== height && lines.every((line) => mayBeRow(context, line, rows)))) {
    const last = lines[lines.length - 1];
    const cut = lines.length < height && context.isLast(last + 1);
    const code = cut ? 'truncated' : 'row_count';
    const found = `${lines.length} rows`;
    return makeFault(code, window.text[last], found, `${height} rows`, { where: `of a ${variant}` });
  }
  const line = lines[row];
  cells.clear();
  const place = `in row ${row + 1} of a ${variant}`;
  if (!addPlaces(context, line, cells)) {
    const { offset, found } = context.strayCharacter(line);
    const expected = 'a digit from 1 to 9, or a blank';
    return makeFault('bad_character', offset, found, expected, { isQuote: true, where: place });
  }
  if (cells.count === rows.columns) {
    const gap = rows.isCell[row].findIndex((isCell, k) => !isCell && isDigit(cells.codes[k]));
    return gapFault(context, rows, row, gap, cells.offset[gap]);
  }
  const widths = [...new Set([rows.cells[row], rows.columns])].join(' or ');
  const found = `${cells.count} characters`;
  return makeFault('bad_length', window.text[line], found, `${widths} characters`, { where: place });
}

/** A digit in a gap between the grids, at `offset`. */
export function gapFault(
  context: TextContext,
  { geometry }: OverlappingRows,
  row: number,
  column: number,
  offset: number,
): Fault {
  const where = `in row ${row + 1}, column ${column + 1} of a ${geometry.variant}`;
  const found = context.characterAt(offset);
  return makeFault('bad_character', offset, found, 'no digit, as no grid is there', { isQuote: true, where });
}
