/**
 * Grids with lines drawn around their boxes, as Simple Sudoku saves them, or with gaps between the boxes.
 *
 *     *-----------*        5 3 . | . 7 . | . . .        53. .7. ...
 *     |53.|.7.|...|        6 . . | 1 9 5 | . . .        6.. 195 ...
 *     |6..|195|...|        ------+-------+------        .98 ... .6.
 *     |---+---+---|
 *
 * The lines are dropped, then cells are counted. Solutions are drawn the same way: the arrangement is the text of the
 * puzzle's lines with each cell replaced by a mark, see `grid-drawing.ts`.
 */
import { BARS, CELL, COLONS, DRAWN, SPACES, TABULATOR } from '../../bytes/byte-kinds.ts';
import { matchWholeCells } from '../grids/cell-grids.ts';
import { isWholeLine } from '../grids/cell-lines.ts';
import { isHeader } from '../headers/header.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { matchGrid } from '../rows/assembler.ts';
import { rowShape } from '../rows/row-shape.ts';
import { boxes } from '../shape/readings.ts';
import { isBarsOnly, isRuler } from '../shape/rulers.ts';
import { drawCells } from './drawing.ts';

const shape = rowShape({
  format: 'boxed',
  reading: boxes,
  skips: (line) => isRuler(line) || isBarsOnly(line),
  draw: drawCells,
});

export const boxed: Recogniser = {
  name: 'boxed',
  only: CELL | DRAWN | BARS | COLONS | SPACES | TABULATOR,
  match(line) {
    if (isRuler(line)) {
      line.context.setRuler(line);
      return 1;
    }
    const width = line.width(boxes);
    if (width === 0 || isHeader(line)) return NO;
    if (line.book.isLineOrRow(width) && isWholeLine(line)) return NO;
    return matchGrid(line, shape, matchWholeCells);
  },
};
