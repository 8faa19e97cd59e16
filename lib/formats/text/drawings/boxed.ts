/**
 * Grids with lines drawn around their boxes, as Simple Sudoku saves them, or with gaps between the boxes.
 *
 *     *-----------*        5 3 . | . 7 . | . . .        53. .7. ...
 *     |53.|.7.|...|        6 . . | 1 9 5 | . . .        6.. 195 ...
 *     |6..|195|...|        ------+-------+------        .98 ... .6.
 *     |---+---+---|
 *
 * What is drawn is dropped, then cells are counted. Solutions are drawn the same way: the arrangement is the text of
 * the puzzle's lines with every cell replaced by a mark, see `grid-drawing.ts`.
 */
import { type GridBuffer, NUMBER } from '../../cells/grid-buffer.ts';
import { CELL_MARK, MORE_MARK, writeDrawn } from '../../writing/grid-drawing.ts';
import { isHeader } from '../headers/header.ts';
import { NO, type TextFormat } from '../recogniser.ts';
import { matchRows, type RowShape } from '../rows/row-grids.ts';
import { CELL, DIGIT, KINDS, type TextContext } from '../text-context.ts';

const BAR = 124;
const OTHER_BAR = 33;
const PLUS = 43;

function isBar(byte: number): boolean {
  return byte === BAR || byte === OTHER_BAR;
}

/** Whether line `at` only draws: made of `- + * = |` and spaces, and too regular to be a row of blanks. */
export function isRuler(context: TextContext, at: number): boolean {
  const { bytes, text, end, tokens } = context.window;
  let plus = false;
  let other = 0;
  for (let byte = text[at]; byte < end[at]; byte++) {
    const character = bytes[byte];
    if (character === PLUS) plus = true;
    else if (character === 61) other++;
    else if (character !== 45 && character !== 42 && !isBar(character) && character !== 32) return false;
  }
  const length = end[at] - text[at];
  if (length < 3) return false;
  if (plus || other === length) return true;
  // `*-----*` around a grid; a line of dashes that is no row of any size.
  if (bytes[text[at]] === 42 && bytes[end[at] - 1] === 42 && bytes[text[at] + 1] === 45) return true;
  return tokens[at] === 1 && !context.sink.book.isSize(length) && onlyDashes(bytes, text[at], end[at]);
}

function onlyDashes(bytes: Uint8Array, from: number, to: number): boolean {
  for (let byte = from; byte < to; byte++) if (bytes[byte] !== 45) return false;
  return true;
}

/** Cells of line `at`, 0 where it is no such row; each line is looked at once, however often it is asked about. */
function widthOf(context: TextContext, at: number): number {
  const { boxedWidths, window } = context;
  const number = window.number(at);
  const slot = number % boxedWidths.line.length;
  if (boxedWidths.line[slot] !== number) {
    boxedWidths.line[slot] = number;
    boxedWidths.width[slot] = cellsOf(context, at);
  }
  return boxedWidths.width[slot];
}

/** Cells of line `at`, appended to `into` where given; 0 where the line has no bars or gaps, or anything else. */
function cellsOf(context: TextContext, at: number, into?: GridBuffer): number {
  const { bytes, text, end, tokens } = context.window;
  const { book } = context.sink;
  let bars = 0;
  let cells = 0;
  let groups = 0;
  let widest = 0;
  let narrowest = Number.POSITIVE_INFINITY;
  for (let byte = text[at]; byte < end[at]; byte++) {
    const character = bytes[byte];
    if (isBar(character)) bars++;
    if (isBar(character) || character === 32 || character === 9) continue;
    if ((KINDS[character] & CELL) === 0) return 0;
    const from = byte;
    while (byte + 1 < end[at] && KINDS[bytes[byte + 1]] & CELL) byte++;
    widest = Math.max(widest, byte + 1 - from);
    narrowest = Math.min(narrowest, byte + 1 - from);
    cells += byte + 1 - from;
    groups++;
  }
  if (bars === 0 && !(tokens[at] > 1 && widest > 1 && isGrouped(context, at, cells, widest))) return 0;
  // Numbers of two digits: then the groups are as many as a row has cells, and boxes are not all as wide.
  const numbers = widest === 2 && book.isSize(groups) && (narrowest === 1 || !book.isSize(cells));
  if (into !== undefined) addCells(bytes, text[at], end[at], numbers, into);
  return numbers ? groups : cells;
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

/** Whether the tokens of a line are the boxes of a row: all as wide as a box. */
function isGrouped(context: TextContext, at: number, cells: number, widest: number): boolean {
  const { book } = context.sink;
  if (!book.isSize(cells)) return false;
  const { boxColumns } = book.geometry(cells);
  return widest === boxColumns && context.window.tokens[at] * boxColumns === cells;
}

/**
 * The text of `lines` lines from `at` with the cells of `context.grid` replaced by marks, and the ruler directly above.
 */
export function drawGrid(context: TextContext, at: number, lines: number): string {
  const { window, grid, ruler, drawing } = context;
  const { bytes } = window;
  drawing.length = 0;
  if (ruler?.nextLine === window.number(at)) drawing.text(`${ruler.text}\n`);
  const numbers = grid.codes.subarray(0, grid.count).some((code) => code >= NUMBER);
  let cell = 0;
  for (let line = at; line < at + lines; line++) {
    const end = window.end[line];
    // A row may begin like a comment, where a gap between overlapping grids is filled with #.
    if (context.isComment(line) && !(cell < grid.count && grid.offset[cell] < end)) continue;
    drawing.ensure(end - window.start[line] + 1);
    const into = drawing.bytes;
    for (let byte = window.start[line]; byte < end; byte++) {
      if (cell < grid.count && grid.offset[cell] === byte) {
        if (grid.codes[cell] >= NUMBER) byte++;
        // A digit that stands where a number has its second one has room for both.
        if (grid.codes[cell] >= NUMBER || (numbers && isAligned(bytes, byte, window.start[line]))) {
          if (grid.codes[cell] < NUMBER) drawing.length--;
          into[drawing.length++] = CELL_MARK;
          into[drawing.length++] = MORE_MARK;
        } else into[drawing.length++] = CELL_MARK;
        cell++;
      } else into[drawing.length++] = bytes[byte];
    }
    into[drawing.length++] = LF;
  }
  return context.drawingText();
}

const LF = 10;
const SPACE = 32;

/** Whether two spaces stand before a byte, or one that begins the line: the first parts, the second is a cell's. */
function isAligned(bytes: Uint8Array, byte: number, start: number): boolean {
  if (byte === start || bytes[byte - 1] !== SPACE) return false;
  return byte - 1 === start || bytes[byte - 2] === SPACE;
}

const shape: RowShape = {
  format: 'boxed',
  spaced: false,
  unit: 'cells',
  width: widthOf,
  cells(context, at) {
    cellsOf(context, at, context.grid);
  },
  count: widthOf,
  skips: isRuler,
  draw: drawGrid,
};

export const boxed: TextFormat = {
  name: 'boxed',
  match(context, at) {
    if (isRuler(context, at)) {
      const { window } = context;
      const text = window.string(window.start[at], window.end[at]);
      context.ruler = { text, nextLine: window.number(at) + 1 };
      return 1;
    }
    if (widthOf(context, at) === 0 || isHeader(context, at)) return NO;
    return matchRows(context, at, shape);
  },
  writer: { multiLine: true, write: writeDrawn },
};
