/** Rows of fields: the cells of a row, and where a grid of such rows ends. */
import { type Fault, makeFault } from '../../records/fault.ts';
import { type RowShape, rowShape } from '../rows/row-shape.ts';
import { maySeparate } from '../shape/fields.ts';
import type { Line } from '../shape/line.ts';
import { type FieldsReading, single } from '../shape/readings.ts';
import { isFrame } from '../shape/rulers.ts';
import { drawFields } from './field-drawing.ts';
import { isClosingLine, openingOfLine, startsWithClose } from './line-tests.ts';

export function fieldShape(reading: FieldsReading): RowShape {
  return rowShape({
    format: 'cells',
    reading,
    isRow: ({ fields }) => fields.structured,
    skips: isFrame,
    ends(line, before, size) {
      if (openingOfLine(line) !== undefined || startsWithClose(line) || isClosingLine(line)) return true;
      // A frame ends a grid, and another one starts the next.
      if (isFrame(line)) return isFrame(line.previous);
      const { fields, previous } = line;
      if (fields.opens > 1 || previous.fields.closes > 1) return true;
      return before % size === 0 && maySeparate(fields) && judgeEmptyRow(line, size) !== 'row';
    },
    resolve: (_, size, lines) => strayedSeparator(lines, size, reading),
    draw: (first, count) => drawFields(first, count, reading),
  });
}

/**
 * Whether a line, whose fields are all empty, is a row of blanks, or separates two grids, as spreadsheets write empty
 * rows.
 *
 * Any number of the empty lines from it on may separate: that number is possible after which a whole grid is followed
 * by the end or another such line. If none is possible, the grids are not separated. Empty lines up to the end, or as
 * many as a grid has rows, are no grid.
 */
export function judgeEmptyRow({ context, at }: Line, size: number): 'separator' | 'row' | 'both' {
  const isRow = (row: number) => context.lineAt(at + row)?.width(single) === size;
  const isEmpty = (row: number) => maySeparate(context.line(at + row).fields);
  let empty = 1;
  while (empty < size && isRow(empty) && isEmpty(empty)) empty++;
  if (empty === size) return 'separator';
  let rows = empty;
  while (rows <= size + empty && isRow(rows)) rows++;
  if (rows === empty) return 'separator';
  const separators = Array.from({ length: empty + 1 }, (_, count) => count).filter((count) => {
    const end = count + size;
    return end === rows || (end < rows && isEmpty(end));
  });
  if (separators.length === 0) return rows < size ? 'separator' : 'row';
  if (separators[0] > 0) return 'separator';
  return separators.length > 1 ? 'both' : 'row';
}

/** The first cell after which a row has another separator than the first row; undefined if there is none. */
function strayedSeparator(rows: readonly Line[], size: number, { name }: FieldsReading): Fault | undefined {
  const model = rows[0].fields.read[name];
  for (const [row, { fields }] of rows.entries()) {
    const tokens = fields.read[name];
    // Groups of adjacent cells may be cut differently in each row.
    const isOther = tokens.length !== model.length;
    const token = tokens.findIndex(({ after }, k) => k < tokens.length - 1 && after !== model[k]?.after);
    if (isOther || token < 0) continue;
    const usual = model[token].after;
    const sign = usual === 0 ? 'a space' : `"${String.fromCharCode(usual)}"`;
    const expected = `${sign} after it, as in the first row`;
    return makeFault('bad_character', row * size + (token * size) / tokens.length, '', expected);
  }
  return undefined;
}
