/**
 * HDU 4069: a jigsaw whose cells are numbers, the digit plus the walls around the cell.
 *
 *     144 18 112 208 80 25 54 144 48        144 = 128 (left) + 16 (upper), blank
 *     135 38 147 80 121 37 130 97 96        135 = 128 (left) + 7
 *
 * The number of cases may stand first.
 */
import { type CellCode, MINUS_ONE, NUMBER } from '../../cells/grid-buffer.ts';
import { writeTokens } from '../../writing/grid-text.ts';
import { NO, type TextFormat } from '../recogniser.ts';
import { matchRows, type RowShape } from '../rows/row-grids.ts';
import type { TextContext } from '../text-context.ts';
import { tokenShape } from './tokens.ts';

const LARGEST_SIZE = 9;
const DIGIT_BITS = 15;
const LARGEST = 255;

const shape: RowShape = {
  ...tokenShape,
  format: 'walls',
  resolve(context, size) {
    const { codes } = context.grid;
    const walls = new Uint16Array(size * size);
    for (let cell = 0; cell < walls.length; cell++) {
      const value = wallsAndDigit(codes[cell]);
      if (value < 0) return { cell, code: 'bad_character', expected: 'a digit plus its walls: 0 to 255' };
      walls[cell] = value & ~DIGIT_BITS;
      codes[cell] = ZERO + (value & DIGIT_BITS);
      if ((value & DIGIT_BITS) > size) {
        return { cell, code: 'symbol_out_of_range', expected: `1-${size}, or 0 for a blank, plus walls` };
      }
    }
    const expected = `walls around ${size} regions of ${size} cells`;
    return context.sink.book.jigsawWithin(walls, size) ?? { cell: 0, code: 'bad_regions', expected };
  },
};

const ZERO = 48;

/** The walls of a cell and its digit, as one number from 0 to 255; negative where its code is none. */
export function wallsAndDigit(code: CellCode): number {
  const value = code >= NUMBER ? code - NUMBER : code - ZERO;
  return code === MINUS_ONE || value > LARGEST || (code < NUMBER && value > 9) ? -1 : value;
}

export const walls: TextFormat = {
  name: 'walls',
  leastBytes: 7,
  match(context, at) {
    const cells = shape.width(context, at);
    if (cells < 4 || cells > LARGEST_SIZE || !context.sink.book.isSize(cells)) return NO;
    return hasWalls(context, at) ? matchRows(context, at, shape) : NO;
  },
  writer: { multiLine: true, write: writeTokens },
};

/** Whether all numbers of the line could be walls and a digit, and the first one has walls: it is a corner. */
function hasWalls(context: TextContext, at: number): boolean {
  const { grid } = context;
  grid.clear();
  shape.cells(context, at);
  const corner = wallsAndDigit(grid.codes[0]);
  if (corner < 0 || (corner & 0x90) !== 0x90) return false;
  for (let cell = 0; cell < grid.count; cell++) if (wallsAndDigit(grid.codes[cell]) < 0) return false;
  return true;
}
