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
import { writeDrawn } from '../../writing/grid-drawing.ts';
import { isHeader } from '../headers/header.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { RowGrids, type WholeGrids } from '../rows/row-grids.ts';
import type { SameShape } from '../rows/same-shape.ts';
import type { RowShape } from '../rows/stanzas.ts';
import { boxes } from '../shape/readings.ts';
import { isBarsOnly, isRuler } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';
import type { GridDrawer } from './grid-drawer.ts';

export class Boxed implements Recogniser {
  readonly name = 'boxed';
  readonly writer = { multiLine: true, write: writeDrawn };
  readonly #drawer: GridDrawer;
  readonly #grids: RowGrids;
  readonly #isWhole: (context: TextContext, at: number) => boolean;

  /**
   * @param others asked before lines are an error in this format
   * @param isWhole whether a line of groups is a small puzzle, not a row
   */
  constructor(
    drawer: GridDrawer,
    sameShape: SameShape,
    others: WholeGrids,
    isWhole: (context: TextContext, at: number) => boolean,
  ) {
    this.#isWhole = isWhole;
    this.#drawer = drawer;
    this.#grids = new RowGrids(boxedShape(drawer), sameShape, others);
  }

  match(context: TextContext, at: number): number {
    if (isRuler(context, at)) {
      this.#drawer.setRuler(context, at);
      return 1;
    }
    const width = context.lines.width(at, boxes);
    if (width === 0 || isHeader(context, at)) return NO;
    if (context.sink.book.isLineOrRow(width)) {
      if (this.#isWhole(context, at)) return NO;
    }
    return this.#grids.match(context, at);
  }

  /** The ruler directly above line `line`. */
  state(line: number): string | undefined {
    return this.#drawer.rulerAbove(line);
  }

  restore(state: string, line: number): void {
    this.#drawer.restoreRuler(state, line);
  }
}

function boxedShape(drawer: GridDrawer): RowShape {
  return {
    format: 'boxed',
    reading: boxes,
    skips: (context, at) => isRuler(context, at) || isBarsOnly(context, at),
    draw: (context, at, lines) => drawer.draw(context, at, lines),
  };
}
