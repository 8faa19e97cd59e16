/** Rows of fields: the cells of a row, and where a grid of such rows ends. */
import { type Fault, makeFault } from '../../records/fault.ts';
import type { RowShape } from '../rows/row-shape.ts';
import { maySeparate } from '../shape/fields.ts';
import { type FieldsReading, single } from '../shape/readings.ts';
import { isFrame } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';
import { drawFields } from './field-drawing.ts';
import { isClosingLine, openingLine, startsWithClose } from './line-tests.ts';

export function fieldShape(reading: FieldsReading): RowShape {
  return {
    format: 'cells',
    reading,
    isRow: ({ lines }, at) => lines.fields(at).structured,
    skips: isFrame,
    ends(context, at, before, size) {
      if (openingLine(context, at) !== undefined || startsWithClose(context, at)) return true;
      if (isClosingLine(context, at)) return true;
      // A frame ends a grid, and another one starts the next.
      if (isFrame(context, at)) return isFrame(context, at - 1);
      const { lines } = context;
      if (lines.fields(at).opens > 1 || lines.fields(at - 1).closes > 1) return true;
      if (before % size !== 0 || !maySeparate(lines.fields(at))) return false;
      return judgeEmptyRow(context, at, size) !== 'row';
    },
    resolve: (context, size, lines) => strayedSeparator(context, lines, size, reading),
    names: ({ lines }, at) => lines.fields(at).name !== undefined,
    draw: (context, at, count) => drawFields(context, at, count, reading),
  };
}

/**
 * Whether line `at`, whose fields are all empty, is a row of blanks, or separates two grids, as spreadsheets write empty
 * rows.
 *
 * Any number of the empty lines from `at` on may separate: that number is possible after which a whole grid is followed
 * by the end or another such line. If none is possible, the grids are not separated. Empty lines up to the end, or as
 * many as a grid has rows, are no grid.
 */
export function judgeEmptyRow(context: TextContext, at: number, size: number): 'separator' | 'row' | 'both' {
  const { window, lines } = context;
  const isRow = (line: number) => window.has(line) && lines.width(line, single) === size;
  let empty = 1;
  while (empty < size && isRow(at + empty) && maySeparate(lines.fields(at + empty))) empty++;
  if (empty === size) return 'separator';
  let rows = empty;
  while (rows <= size + empty && isRow(at + rows)) rows++;
  if (rows === empty) return 'separator';
  let first: number | undefined;
  let several = false;
  for (let separators = 0; separators <= empty; separators++) {
    const end = separators + size;
    if (end > rows || (end < rows && !maySeparate(lines.fields(at + end)))) continue;
    several = first !== undefined;
    first ??= separators;
  }
  if (first === undefined) return rows < size ? 'separator' : 'row';
  if (first > 0) return 'separator';
  return several ? 'both' : 'row';
}

/** The first cell after which a row has another separator than the first row; undefined if there is none. */
function strayedSeparator(
  context: TextContext,
  rows: readonly number[],
  size: number,
  { name }: FieldsReading,
): Fault | undefined {
  const model = context.lines.fields(rows[0]).read[name];
  for (const [row, line] of rows.entries()) {
    const tokens = context.lines.fields(line).read[name];
    // Groups of adjacent cells may be cut differently in each row.
    const isOther = tokens.length !== model.length;
    const token = tokens.findIndex(({ after }, k) => k < tokens.length - 1 && after !== model[k]?.after);
    if (isOther || token < 0) continue;
    const usual = model[token].after;
    const expected = `${usual === '' ? 'a space' : `"${usual}"`} after it, as in the first row`;
    return makeFault('bad_character', row * size + (token * size) / tokens.length, '', expected);
  }
  return undefined;
}
