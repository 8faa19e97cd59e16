/**
 * HDU 4069: a jigsaw whose cells are numbers, the digit plus the walls around the cell.
 *
 *     144 18 112 208 80 25 54 144 48        144 = 128 (left) + 16 (upper), blank
 *     135 38 147 80 121 37 130 97 96        135 = 128 (left) + 7
 *
 * The number of cases may precede the first puzzle.
 */
import { ZERO } from '../../bytes/ascii.ts';
import { DIGIT, SPACE } from '../../bytes/byte-kinds.ts';
import { type CellCode, MINUS_ONE, NUMBER } from '../../cells/grid-buffer.ts';
import { isFault, mapOfWalls } from '../../cells/regions.ts';
import { makeFault } from '../../records/fault.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { matchGrid } from '../rows/assembler.ts';
import { type RowShape, rowShape } from '../rows/row-shape.ts';
import type { Line } from '../shape/line.ts';
import { tokens } from '../shape/readings.ts';
import type { TextContext } from '../text-context.ts';

const MAX_SIZE = 9;
const MAX_VALUE = 255;
const DIGIT_BITS = 15;
const CORNER = 0x90;
const CORNER_DIGITS = 3;

const shape = rowShape({ format: 'walls', reading: tokens, resolve: resolveWalls });

export const walls: Recogniser = {
  name: 'walls',
  minBytes: 7,
  only: DIGIT | SPACE,
  has: SPACE,
  match(line) {
    // The first cell has the walls of a corner.
    if (line.tokenEnd - line.from !== CORNER_DIGITS) return NO;
    const cells = line.width(tokens);
    if (cells < 4 || cells > MAX_SIZE || !line.book.isSize(cells)) return NO;
    return hasWalls(line) ? matchGrid(line, shape) : NO;
  },
};

/** Whether each number of a line can be walls and a digit, and the first has the walls of a corner. */
function hasWalls(line: Line): boolean {
  const { grid } = line.context;
  grid.clear();
  tokens.cut(line, grid);
  const { codes, count } = grid;
  for (let cell = 0; cell < count; cell++) if (wallsAndDigit(codes[cell]) < 0) return false;
  return (wallsAndDigit(codes[0]) & CORNER) === CORNER;
}

function resolveWalls(context: TextContext, size: number): ReturnType<NonNullable<RowShape['resolve']>> {
  const { codes } = context.grid;
  const walls = new Uint16Array(size * size);
  for (let cell = 0; cell < walls.length; cell++) {
    const value = wallsAndDigit(codes[cell]);
    if (value < 0) return makeFault('bad_character', cell, '', 'a digit plus its walls: 0 to 255');
    walls[cell] = value & ~DIGIT_BITS;
    codes[cell] = ZERO + (value & DIGIT_BITS);
    if ((value & DIGIT_BITS) > size) {
      return makeFault('symbol_out_of_range', cell, '', `1-${size}, or 0 for a blank, plus walls`);
    }
  }
  const expected = `walls around ${size} regions of ${size} cells`;
  const jigsaw = context.sink.book.jigsawFromMap(walls, size, mapOfWalls);
  return jigsaw === undefined || isFault(jigsaw)
    ? makeFault('bad_regions', 0, '', expected)
    : jigsaw.geometry;
}

/** The walls of a cell and its digit, as one number from 0 to 255; negative if its code is not one. */
function wallsAndDigit(code: CellCode): number {
  const value = code >= NUMBER ? code - NUMBER : code - ZERO;
  return code === MINUS_ONE || value > MAX_VALUE || (code < NUMBER && value > 9) ? -1 : value;
}
