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
import { placesOf } from '../../../sudoku/geometry/geometry.ts';
import { overlappingVariants } from '../../../sudoku/geometry/variants.ts';
import { DASH, ONE, TILDE } from '../../bytes/ascii.ts';
import { BARS, BLANKS, DIGIT, DRAWN, KINDS, LETTER, SPACES, TABULATOR } from '../../bytes/byte-kinds.ts';
import { MINUS_ONE } from '../../cells/grid-buffer.ts';
import { type Fault, makeFault } from '../../records/fault.ts';
import { CELL_MARK } from '../../writing/grid-drawing.ts';
import { drawCells } from '../drawings/drawing.ts';
import { labelIn, someNotes } from '../lines/line.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { matchGrid } from '../rows/assembler.ts';
import { isPlanned, type RowShape, rowShape } from '../rows/row-shape.ts';
import { type Line, rawText } from '../shape/line.ts';
import { OVERLAPPING, readingOf, tokens } from '../shape/readings.ts';
import { isRuler } from '../shape/rulers.ts';

/** Longer lines are not rows. */
const MAX_ROW_BYTES = 256;
/** Nor are those with more places: a line that is a puzzle has more. */
const MAX_ROW_PLACES = 48;
/** Tokens of the row of grids with a gap between their boxes: more are cells. */
const MAX_GROUPS = 9;
/** The kinds of characters in places (cells or gaps), and of those that are drawn; `x` alone of the letters is a place. */
const PLACES = DIGIT | BLANKS;
const DRAWN_KINDS = SPACES | TABULATOR | BARS;
/** No row has any other. */
const ROW_KINDS = PLACES | LETTER | DRAWN | DRAWN_KINDS;

/** Each place of a row. */
const places = readingOf({
  index: OVERLAPPING,
  unit: 'characters',
  spaced: false,
  cut({ bytes, from, end, length, kinds }, into) {
    if (length > MAX_ROW_BYTES || kinds & ~ROW_KINDS) return 0;
    const before = into.count;
    for (let at = from; at < end; at++) {
      if (KINDS[bytes[at]] & DRAWN_KINDS) continue;
      if (!isPlace(bytes[at]) || into.count - before === MAX_ROW_PLACES) return 0;
      // A token -1 is one place.
      const isMinusOne =
        bytes[at] === DASH &&
        bytes[at + 1] === ONE &&
        at + 1 < end &&
        (at === from || bytes[at - 1] <= 32) &&
        (at + 2 === end || bytes[at + 2] <= 32);
      if (isMinusOne) into.add(MINUS_ONE, at++);
      else into.add(bytes[at], at);
    }
    return into.count - before;
  },
});

/** Whether a byte may be in a cell or a gap. */
function isPlace(code: number): boolean {
  return MAY_BE_PLACE[code] === 1;
}

const LETTER_X = 120;
const MAY_BE_PLACE = Uint8Array.from(KINDS, (kind, code) =>
  (kind & PLACES) !== 0 || code === TILDE || (code | 32) === LETTER_X ? 1 : 0,
);

/** The rows of all geometries whose grids overlap. */
const ALL_ROWS = overlappingVariants().map((geometry) => {
  const { rows, columns, placeOf } = placesOf(geometry);
  const cellPlaces = new Set(placeOf);
  const isCell = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => cellPlaces.has(row * columns + column)),
  );
  /** By row: how many characters it has, cells alone or all places. */
  const widths = isCell.map((row) => [...new Set([row.filter(Boolean).length, columns])]);
  const size = new RegExp(`^${rows}\\s+${columns}$`);
  return { geometry, columns, isCell, places: isCell.flat(), widths, size };
});

type OverlappingRows = (typeof ALL_ROWS)[number];

const SHAPES = ALL_ROWS.map((rows) => ({ rows, shape: samuraiShape(rows) }));

export const samurai: Recogniser = {
  name: 'samurai',
  minBytes: 5,
  only: ROW_KINDS,
  hashRows: true,
  match(line) {
    const { context, book } = line;
    // Numbers in a row of a large square are no groups of cells.
    if (line.tokens > MAX_GROUPS && book.isSize(line.tokens) && line.width(tokens) > 0) return NO;
    for (const { rows, shape } of SHAPES) {
      const hasSize = isSize(line, rows);
      const isFirst = (row: Line) => isPlanned(row, shape, 0);
      if (!hasSize && !isFirst(line)) continue;
      // Not looked for if they are as wide as rows of a square, unless the user named the format.
      if (
        context.only === undefined &&
        rows.widths.flat().some((width) => width !== rows.geometry.size && book.isSize(width))
      )
        continue;
      const { next } = line;
      if (hasSize && next !== undefined && isFirst(next)) return 1;
      const taken = hasSize ? NO : matchGrid(line, shape);
      if (taken !== NO) return taken;
    }
    return NO;
  },
};

export const samuraiLine: Recogniser = {
  name: 'samurai-line',
  minBytes: 369,
  match(line) {
    const { context, bytes, from, tokenEnd: to, book } = line;
    const { grid } = context;
    const rows = ALL_ROWS.find(({ places }) => places.length === to - from);
    if (rows === undefined || book.sizeOfCells(to - from) !== undefined) return NO;
    const drawn = bytes.slice(from, to);
    let gap = -1;
    const { places } = rows;
    grid.clear();
    for (let place = 0; place < drawn.length; place++) {
      const code = drawn[place];
      if (!isPlace(code)) return NO;
      if (!places[place]) gap = isDigit(code) ? place : gap;
      else {
        grid.add(code, from + place);
        drawn[place] = CELL_MARK;
      }
    }
    if (gap >= 0) return context.enterError(line, 1, gapFault(line, rows, gap, from + gap));
    const arrangement = `${rawText(drawn, 0, drawn.length)}\n`;
    const form = { format: 'samurai-line', geometry: rows.geometry, arrangement };
    context.enter(form, line, 1, someNotes(labelIn(bytes, to, line.end)));
    return 1;
  },
};

/** Whether a code is a digit from 1 to 9. */
function isDigit(code: number): boolean {
  return code > 48 && code <= 57;
}

function samuraiShape(rows: OverlappingRows): RowShape {
  const { geometry, isCell, columns, widths } = rows;
  const anyWidth = new Set(widths.flat());
  const isRow = (line: Line) => anyWidth.has(line.width(places));
  return rowShape({
    format: 'samurai',
    reading: places,
    isRow,
    plan: {
      geometry,
      widths,
      add(line, row) {
        const { grid, cells: all } = line.context;
        all.clear();
        const isFilled = places.cut(line, all) === columns;
        for (let k = 0; k < all.count; k++) {
          if (!isFilled || isCell[row][k]) grid.add(all.codes[k], all.offset[k]);
        }
      },
      gapFault(line, row) {
        if (line.width(places) !== columns) return undefined;
        const all = line.context.cells;
        all.clear();
        places.cut(line, all);
        const gap = isCell[row].findIndex((isOne, place) => !isOne && isDigit(all.codes[place]));
        return gap < 0 ? undefined : gapFault(line, rows, row * columns + gap, all.offset[gap]);
      },
    },
    skips: (line) => !isRow(line) && isRuler(line),
    ends: (line) => isSize(line, rows),
    draw: drawCells,
  });
}

/** Whether a line is the number of rows and columns alone. */
function isSize(line: Line, { size }: OverlappingRows): boolean {
  return line.tokens === 2 && line.only(DIGIT | SPACES | TABULATOR) && size.test(line.text);
}

/** A digit in a gap between the grids, which is a place row by row, at `offset`. */
function gapFault(line: Line, { columns, geometry }: OverlappingRows, place: number, offset: number): Fault {
  const row = Math.floor(place / columns) + 1;
  const where = `in row ${row}, column ${(place % columns) + 1} of a ${geometry.variant}`;
  const found = line.characterAt(offset);
  return makeFault('bad_character', offset, found, 'no digit, as no grid is there', { isQuote: true, where });
}
