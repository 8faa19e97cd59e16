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
import { DASH, isBar, ONE, SPACE, ZERO } from '../../bytes/ascii.ts';
import { type GridBuffer, NUMBER } from '../../cells/grid-buffer.ts';
import { writeDrawn } from '../../writing/grid-drawing.ts';
import { CELL, DIGIT, KINDS, LETTER } from '../byte-kinds.ts';
import { isHeader } from '../headers/header.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { RowGrids, type RowShape, type WholeGrids } from '../rows/row-grids.ts';
import type { SameShape } from '../rows/same-shape.ts';
import type { TextContext } from '../text-context.ts';
import type { GridDrawer } from './grid-drawer.ts';
import { isRuler } from './rulers.ts';

/** Lines whose widths are kept. */
const SLOTS = 64;

export class Boxed implements Recogniser {
  readonly name = 'boxed';
  readonly writer = { multiLine: true, write: writeDrawn };
  readonly #drawer: GridDrawer;
  readonly #shape: RowShape;
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
    this.#shape = boxedShape(drawer);
    this.#grids = new RowGrids(this.#shape, sameShape, others);
  }

  match(context: TextContext, at: number): number {
    if (isRuler(context, at)) {
      this.#drawer.setRuler(context, at);
      return 1;
    }
    const width = this.#shape.width(context, at);
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

/** Whether line `at` has bars alone: space between rows. */
function isBarsOnly({ window: { bytes, text, end, tokens } }: TextContext, at: number): boolean {
  for (let byte = text[at]; byte < end[at]; byte++) {
    if (!isBar(bytes[byte]) && bytes[byte] !== SPACE) return false;
  }
  return tokens[at] > 0;
}

function boxedShape(drawer: GridDrawer): RowShape {
  const lines = new Float64Array(SLOTS);
  const widths = new Int32Array(SLOTS);
  /** Cells of line `at`, 0 if it is not such a row; cached, since a line is checked several times. */
  const width = (context: TextContext, at: number) => {
    const number = context.window.number(at);
    const slot = number % SLOTS;
    if (lines[slot] !== number) {
      lines[slot] = number;
      widths[slot] = cellsOf(context, at);
    }
    return widths[slot];
  };
  return {
    format: 'boxed',
    spaced: false,
    unit: 'cells',
    width,
    cells(context, at) {
      cellsOf(context, at, context.grid);
    },
    count: width,
    skips: (context, at) => isRuler(context, at) || isBarsOnly(context, at),
    draw: (context, at, lines) => drawer.draw(context, at, lines),
  };
}

/** Cells of line `at`, appended to `into` if given; 0 if the line has no bars or gaps, or has other characters. */
function cellsOf(context: TextContext, at: number, into?: GridBuffer): number {
  const { bytes, text, end, tokens } = context.window;
  const { book } = context.sink;
  let bars = 0;
  let cells = 0;
  let groups = 0;
  let widest = 0;
  let narrowest = Number.POSITIVE_INFINITY;
  let blanks = 0;
  let minusOnes = 0;
  for (let byte = text[at]; byte < end[at]; byte++) {
    const character = bytes[byte];
    if (isBar(character)) bars++;
    if (isBar(character) || character === 32 || character === 9) continue;
    if ((KINDS[character] & CELL) === 0) return 0;
    const from = byte;
    if ((KINDS[character] & (DIGIT | LETTER)) === 0 || character === ZERO) blanks++;
    while (byte + 1 < end[at] && KINDS[bytes[byte + 1]] & CELL) byte++;
    widest = Math.max(widest, byte + 1 - from);
    narrowest = Math.min(narrowest, byte + 1 - from);
    cells += byte + 1 - from;
    groups++;
    if (byte === from + 1 && character === DASH && bytes[byte] === ONE) minusOnes++;
  }
  // The blank -1 is one cell, not two.
  if (bars > 0 && minusOnes > 0 && book.isSize(groups)) return 0;
  if (bars === 0 && !(tokens[at] > 1 && widest > 1 && isGrouped(context, at, cells, widest))) return 0;
  // Numbers of two digits: the row has as many cells as groups, and the groups are not equally wide boxes.
  const numbers = widest === 2 && book.isSize(groups) && (narrowest === 1 || !book.isSize(cells));
  // Without another blank in the row, spaces may be the blanks.
  if (bars > 0 && blanks === 0 && !isEven(bytes, text[at], end[at], numbers)) return 0;
  if (into !== undefined) addCells(bytes, text[at], end[at], numbers, into);
  return numbers ? groups : cells;
}

/** Whether there are as many cells between all bars, at one distance; true if there are no spaces between the bars. */
function isEven(bytes: Uint8Array, from: number, to: number, numbers: boolean): boolean {
  let spaces = false;
  /** Cells between the last two bars, and after the last one. */
  let usual = -1;
  let cells = 0;
  let gap = 0;
  // No offset, nor directly before one.
  let last = -2;
  for (let byte = from; byte <= to; byte++) {
    const ends = byte === to || isBar(bytes[byte]);
    if (!ends && bytes[byte] === SPACE) spaces = true;
    if (ends) {
      // The bars of a frame have nothing outside.
      const outside = cells === 0 && (byte === from || byte === to);
      if (!outside && usual >= 0 && usual !== cells) return !spaces;
      if (!outside) usual = cells;
      cells = 0;
      last = -2;
    } else if (bytes[byte] > SPACE) {
      const continues = numbers && last === byte - 1;
      if (!continues) cells++;
      if (last >= 0 && !numbers && gap > 0 && byte - last !== gap) return false;
      if (last >= 0 && !numbers) gap = byte - last;
      last = byte;
    }
  }
  return true;
}

function addCells(bytes: Uint8Array, from: number, to: number, numbers: boolean, into: GridBuffer): void {
  for (let byte = from; byte < to; byte++) {
    if ((KINDS[bytes[byte]] & CELL) === 0) continue;
    const two = numbers && byte + 1 < to && KINDS[bytes[byte]] & DIGIT && KINDS[bytes[byte + 1]] & DIGIT;
    if (two) {
      into.add(NUMBER + (bytes[byte] - 48) * 10 + bytes[byte + 1] - 48, byte);
      byte++;
    } else into.add(bytes[byte], byte);
  }
}

/** Whether the tokens of a line are the boxes of a row: each as wide as a box. */
function isGrouped(context: TextContext, at: number, cells: number, widest: number): boolean {
  const { book } = context.sink;
  if (!book.isSize(cells)) return false;
  const { boxColumns } = book.geometry(cells);
  return widest === boxColumns && context.window.tokens[at] * boxColumns === cells;
}
