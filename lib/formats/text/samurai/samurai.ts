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
 * On one line, a samurai is its 369 cells (`line.ts`), or all 441 places with the gaps filled, and a label perhaps.
 */
import { DIGIT, SPACE } from '../../bytes/byte-kinds.ts';
import { type Fault, makeFault } from '../../records/fault.ts';
import { writeDrawn } from '../../writing/grid-drawing.ts';
import { drawBytes, drawCells } from '../drawings/drawing.ts';
import { labelNotes } from '../lines/line.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { matchGrid } from '../rows/assembler.ts';
import type { RowShape } from '../rows/row-shape.ts';
import { isRuler } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';
import { ALL_ROWS, addPlaces, isDigit, isPlace, type OverlappingRows, ROW_KINDS } from './samurai-rows.ts';

/** Index of the first reading of overlapping rows. */
const FIRST_READING = 5;
const SHAPES = ALL_ROWS.map((rows, k) => ({ rows, shape: samuraiShape(rows, FIRST_READING + k) }));

export const samurai: Recogniser = {
  name: 'samurai',
  minBytes: 5,
  only: ROW_KINDS,
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
      if (!hasSize) {
        const taken = matchGrid(context, at, shape);
        if (taken !== NO) return taken;
      } else if (window.has(at + 1) && isFirst(at + 1)) return 1;
    }
    return NO;
  },
};

export const samuraiLine: Recogniser = {
  name: 'samurai-line',
  minBytes: 369,
  writer: { multiLine: false, write: writeDrawn },
  match(context, at) {
    const { bytes, text, tokenEnd } = context.window;
    const { grid } = context;
    const [from, to] = [text[at], tokenEnd[at]];
    const rows = ALL_ROWS.find(({ places }) => places.length === to - from);
    if (rows === undefined || context.sink.book.sizeOfCells(to - from) !== undefined) return NO;
    for (let at = from; at < to; at++) if (!isPlace(bytes[at])) return NO;
    grid.clear();
    for (let place = 0; place < rows.places.length; place++) {
      if (rows.places[place]) grid.add(bytes[from + place], from + place);
    }
    const gap = rows.places.findLastIndex((isCell, place) => !isCell && isDigit(bytes[from + place]));
    if (gap >= 0) return context.enterError(at, 1, gapFault(context, rows, gap, from + gap));
    const arrangement = drawBytes(context, [{ from, to }]);
    const form = { format: 'samurai-line', geometry: rows.geometry, arrangement };
    context.enterGrid(form, at, 1, labelNotes(context, at, to));
    return 1;
  },
};

/** @param index of the reading */
function samuraiShape(rows: OverlappingRows, index: number): RowShape {
  const { geometry, isCell, columns } = rows;
  const reading: RowShape['reading'] = {
    index,
    unit: 'characters',
    spaced: false,
    cut({ window }, at, into) {
      const before = into.count;
      if (!addPlaces(window, at, into, columns)) return 0;
      const width = into.count - before;
      return width === columns || rows.cells.includes(width) ? width : 0;
    },
  };
  const cut = (context: TextContext, at: number) => {
    context.cells.clear();
    return reading.cut(context.lines, at, context.cells);
  };
  return {
    format: 'samurai',
    reading,
    plan: {
      geometry,
      rows: isCell.length,
      fits(context, at, row) {
        if (row >= isCell.length) return false;
        const width = context.lines.width(at, reading);
        if (width === rows.cells[row] || width !== columns) return width === rows.cells[row];
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
      fault: (context, lines) => samuraiFault(context, rows, reading, lines),
    },
    skips: (context, at) => context.lines.width(at, reading) === 0 && isRuler(context, at),
    ends: (context, at) => isSize(context, at, rows),
    draw: drawCells,
  };
}

/** Whether line `at` is the number of rows and columns alone. */
function isSize({ window }: TextContext, at: number, { columns, isCell }: OverlappingRows): boolean {
  const { tokens, text, end, kinds } = window;
  if (tokens[at] !== 2 || kinds[at] & ~(DIGIT | SPACE) || end[at] - text[at] > MAX_SIZE_BYTES) return false;
  return window.string(text[at], end[at]).split(/\s+/).join(' ') === `${isCell.length} ${columns}`;
}

const MAX_SIZE_BYTES = 256;

/** A digit in a gap between the grids, which is a place row by row, at `offset`. */
function gapFault(context: TextContext, rows: OverlappingRows, place: number, offset: number): Fault {
  const { columns, geometry } = rows;
  const row = Math.floor(place / columns) + 1;
  const where = `in row ${row}, column ${(place % columns) + 1} of a ${geometry.variant}`;
  const found = context.characterAt(offset);
  return makeFault('bad_character', offset, found, 'no digit, as no grid is there', { isQuote: true, where });
}

/** The fault of lines that should have been a samurai: their number, or the first line that is not its row. */
function samuraiFault(
  context: TextContext,
  rows: OverlappingRows,
  reading: RowShape['reading'],
  lines: readonly number[],
): Fault {
  const { window, cells } = context;
  const { isCell, columns, geometry } = rows;
  const { variant } = geometry;
  const height = isCell.length;
  const widthOf = (line: number) => context.lines.width(line, reading);
  const gapIn = (row: number) => isCell[row].findIndex((isOne, k) => !isOne && isDigit(cells.codes[k]));
  const row = lines.findIndex((line, k) => {
    if (k >= height || widthOf(line) === rows.cells[k]) return k >= height;
    cells.clear();
    return widthOf(line) !== columns || !addPlaces(window, line, cells) || gapIn(k) >= 0;
  });
  if (row === height || (lines.length !== height && lines.every((line) => widthOf(line) > 0))) {
    const last = lines[lines.length - 1];
    const cut = lines.length < height && context.isLast(last + 1);
    const where = `of a ${variant}`;
    const found = `${lines.length} rows`;
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
  if (cells.count === columns) {
    const gap = gapIn(row);
    return gapFault(context, rows, row * columns + gap, cells.offset[gap]);
  }
  const widths = [...new Set([rows.cells[row], columns])].join(' or ');
  const found = `${cells.count} characters`;
  return makeFault('bad_length', window.text[line], found, `${widths} characters`, { where });
}
