/** The fault of lines that should have been a samurai: their number, or the first line that is not its row. */

import type { TextContext, TextFault } from '../text-context.ts';
import { addPlaces, isDigit, isRow, mayBeRow, type OverlappingRows } from './samurai-rows.ts';

/** The fault of `lines`: not all of them are the rows of their places, or their number is wrong. */
export function samuraiFault(
  context: TextContext,
  rows: OverlappingRows,
  lines: readonly number[],
): TextFault {
  const { window, cells } = context;
  const { variant } = rows.geometry;
  const height = rows.isCell.length;
  const row = lines.findIndex((line, k) => k >= height || !isRow(context, line, rows, k));
  if (row === height || (lines.length !== height && lines.every((line) => mayBeRow(context, line, rows)))) {
    const last = lines[lines.length - 1];
    const cut = lines.length < height && context.isLast(last + 1);
    return {
      code: cut ? 'truncated' : 'row_count',
      line: last,
      offset: window.text[last],
      found: `${lines.length} rows`,
      expected: `${height} rows`,
      problem: `found ${lines.length} rows of a ${variant}: it has ${height}`,
    };
  }
  const line = lines[row];
  const widths = [...new Set([rows.cells[row], rows.columns])].join(' or ');
  cells.clear();
  if (!addPlaces(context, line, cells)) {
    const stray = context.strayCharacter(line);
    const expected = 'a digit from 1 to 9, or a blank';
    const problem = `found "${stray.found}" in row ${row + 1} of a ${variant}: expected ${expected}`;
    return { code: 'bad_character', line, ...stray, expected, problem };
  }
  const offset = window.text[line];
  if (cells.count === rows.columns) {
    const gap = rows.isCell[row].findIndex((isCell, k) => !isCell && isDigit(cells.codes[k]));
    const found = context.characterAt(cells.offset[gap]);
    const expected = 'no digit, as no grid is there';
    const problem = `found "${found}" in row ${row + 1}, column ${gap + 1} of a ${variant}: expected ${expected}`;
    return { code: 'bad_character', line, offset: cells.offset[gap], found, expected, problem };
  }
  const found = `${cells.count} characters`;
  const expected = `${widths} characters`;
  const problem = `found ${found} in row ${row + 1} of a ${variant}: expected ${widths}`;
  return { code: 'bad_length', line, offset, found, expected, problem };
}
