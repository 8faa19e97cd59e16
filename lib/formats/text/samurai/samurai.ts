/**
 * Overlapping grids, row by row: a samurai is 21 rows, in which only cells and gaps count.
 *
 *     .3.8.....   ..4.1.5..     9 cells, a gap of 3, 9 cells       rows 1-6 and 16-21
 *     ...
 *     9..4..1.8.2.35..1...7     21 cells                           rows 7-9 and 13-15
 *     ......2.4...7......       6, 9 cells, 6                      rows 10-12
 *
 * A gap is omitted, or filled with spaces or with one character per place other than the digits 1 to 9: dots, zeros,
 * `#`, `-`, or the number -1. Spaces may separate cells, bars and rulers may be drawn, and blank lines may be within as
 * long as no line is left over. So each row has as many characters as it has cells, or as the widest row has. A line
 * `21 21` may precede the rows.
 *
 * On one line, a samurai is its 369 cells (`line.ts`), or all 441 places with the gaps filled (`samurai-line.ts`).
 */
import { type Fault, makeFault } from '../../records/fault.ts';
import { writeDrawn } from '../../writing/grid-drawing.ts';
import { drawCells } from '../drawings/cell-drawing.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { matchGrid } from '../rows/row-grids.ts';
import type { RowShape } from '../rows/stanzas.ts';
import { isRuler } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';
import { ALL_ROWS, addPlaces, gapFault, isDigit, type OverlappingRows } from './samurai-rows.ts';

/** Index of the first reading of overlapping rows. */
const FIRST_READING = 5;
const SHAPES = ALL_ROWS.map((rows, k) => ({ rows, shape: samuraiShape(rows, FIRST_READING + k) }));

export const samurai: Recogniser = {
  name: 'samurai',
  minBytes: 5,
  hashRows: true,
  writer: { multiLine: true, write: writeDrawn },
  match(context, at) {
    const { only, sink, window } = context;
    for (const { rows, shape } of SHAPES) {
      const hasSize = isSize(context, at, rows);
      const isFirst = (line: number) => shape.plan?.fits(context, line, 0) === true;
      if (!hasSize && !isFirst(at)) continue;
      // Not looked for if they are as wide as rows of a square, unless the user named the format.
      if (only === undefined && rows.widths.some((width) => sink.book.isSize(width))) continue;
      const taken = hasSize
        ? window.has(at + 1) && isFirst(at + 1)
          ? 1
          : NO
        : matchGrid(context, at, shape);
      if (taken !== NO) return taken;
    }
    return NO;
  },
};

/** @param index of the reading */
function samuraiShape(rows: OverlappingRows, index: number): RowShape {
  const { geometry, isCell, columns } = rows;
  const least = Math.min(...rows.cells);
  const reading: RowShape['reading'] = {
    index,
    unit: 'characters',
    spaced: false,
    cut({ window }, at, into) {
      const before = into.count;
      const { text, end } = window;
      // Any line of the file may be checked, and most are too short or too long.
      if (end[at] - text[at] < least || !addPlaces(window, at, into, columns)) return 0;
      const width = into.count - before;
      return width === columns || rows.cells.includes(width) ? width : 0;
    },
  };
  const cut = (context: TextContext, at: number) => {
    context.cells.clear();
    return reading.cut(context.lines, at, context.cells);
  };
  const plan: RowShape['plan'] = {
    geometry,
    rows: isCell.length,
    fits(context, at, row) {
      const { text, end } = context.window;
      if (end[at] - text[at] < rows.cells[row]) return false;
      const width = context.lines.width(at, reading);
      if (width === rows.cells[row]) return true;
      if (width !== columns || row >= isCell.length) return false;
      cut(context, at);
      return isCell[row].every((isOne, k) => isOne || !isDigit(context.cells.codes[k]));
    },
    add(context, at, row) {
      const { grid, cells } = context;
      const filled = cut(context, at) === columns;
      for (let k = 0; k < cells.count; k++) {
        if (!filled || isCell[row][k]) grid.add(cells.codes[k], cells.offset[k]);
      }
    },
    fault: (context, lines) => samuraiFault(context, shape, rows, lines),
  };
  const shape: RowShape = {
    format: 'samurai',
    reading,
    plan,
    skips: (context, at) => context.lines.width(at, reading) === 0 && isRuler(context, at),
    ends: (context, at) => isSize(context, at, rows),
    draw: drawCells,
  };
  return shape;
}

/** Whether line `at` is the number of rows and columns alone. */
function isSize({ window }: TextContext, at: number, { columns, isCell }: OverlappingRows): boolean {
  const { tokens, text, end } = window;
  if (tokens[at] !== 2 || end[at] - text[at] > MAX_SIZE_BYTES) return false;
  return window.string(text[at], end[at]).split(/\s+/).join(' ') === `${isCell.length} ${columns}`;
}

const MAX_SIZE_BYTES = 256;

/** The fault of lines that should have been a samurai: their number, or the first line that is not its row. */
function samuraiFault(
  context: TextContext,
  { plan, reading }: RowShape,
  rows: OverlappingRows,
  lines: readonly number[],
): Fault {
  const { window, cells } = context;
  const { variant } = rows.geometry;
  const height = rows.isCell.length;
  const row = lines.findIndex((line, k) => k >= height || !plan?.fits(context, line, k));
  const areRows = lines.every((line) => context.lines.width(line, reading) > 0);
  if (row === height || (lines.length !== height && areRows)) {
    const last = lines[lines.length - 1];
    const cut = lines.length < height && context.isLast(last + 1);
    const found = `${lines.length} rows`;
    const where = `of a ${variant}`;
    return makeFault(cut ? 'truncated' : 'row_count', window.text[last], found, `${height} rows`, { where });
  }
  const line = lines[row];
  cells.clear();
  const where = `in row ${row + 1} of a ${variant}`;
  if (!addPlaces(window, line, cells)) {
    const { offset, found } = context.strayCharacter(line);
    const expected = 'a digit from 1 to 9, or a blank';
    return makeFault('bad_character', offset, found, expected, { isQuote: true, where });
  }
  if (cells.count === rows.columns) {
    const gap = rows.isCell[row].findIndex((isCell, k) => !isCell && isDigit(cells.codes[k]));
    return gapFault(context, rows, row, gap, cells.offset[gap]);
  }
  const widths = [...new Set([rows.cells[row], rows.columns])].join(' or ');
  const found = `${cells.count} characters`;
  return makeFault('bad_length', window.text[line], found, `${widths} characters`, { where });
}
