/**
 * Pencilmarks as solvers print them: nine rows of nine cells, with the candidates of each cell.
 *
 *     .-----------------.---------------.---------------.
 *     | 5    3    124   | 26   7   2468 | 1489 1249 248 |      cells separated by spaces, or in braces: {124}
 *     | 6    247  247   | 1    9   5    | 3478 234  248 |
 *     ...                                                      any frames and bars, or none
 *
 * The digits of a cell are in ascending order, which is not true of all 81 numbers of other formats, and at least two
 * cells have several: otherwise it is an ordinary grid. A cell without candidates is `{}`; a row that leaves it out is not
 * recognised. Solutions are lines of digits, as for 729 characters.
 */
import { OPEN_BRACE, ZERO } from '../../bytes/ascii.ts';
import {
  BARS,
  CLOSE,
  COLONS,
  DASHES,
  DIGIT,
  DOTS,
  DRAWN,
  LISTS,
  OPEN,
  QUOTE,
  SPACES,
  STARS,
  TABULATOR,
} from '../../bytes/byte-kinds.ts';
import type { LineWindow } from '../../bytes/line-window.ts';
import { enterMarks } from '../lines/pencilmarks.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';

const SIZE = 9;
/** Cells with several candidates. */
const MIN_SETS = 2;
/** Lines drawn above the last row. */
const MAX_FRAMES = 9;
/** Most lines have other characters, or are adjacent digits alone. */
const ROW_KINDS = DIGIT | SPACES | TABULATOR | BARS | OPEN | CLOSE;
const FRAME_KINDS = DASHES | DRAWN | STARS | DOTS | COLONS | QUOTE | LISTS | SPACES | TABULATOR | BARS;
/** A line that only draws, with at least nine dashes. */
const FRAME = /^(?:[+*=.:'`, \t|!]*-){9}[-+*=.:'`, \t|!]*$/;
const ASCENDING = '1?2?3?4?5?6?7?8?9?';
/** Nine cells, each with its digits in ascending order. */
const ROW = new RegExp(
  `^(?:[ \\t|!]*(?:\\{${ASCENDING}\\}|(?=[1-9])${ASCENDING})(?=[ \\t|!{]|$)){${SIZE}}[ \\t|!]*$`,
);

export const marksDrawing: Recogniser = {
  name: 'pencilmarks',
  minBytes: 2 * SIZE - 1,
  maxBytes: 256,
  only: ROW_KINDS | FRAME_KINDS,
  has: (ROW_KINDS & ~DIGIT) | DASHES,
  match(context, at) {
    const { window } = context;
    const rows: number[] = [];
    let line = at;
    for (; rows.length < SIZE; line++) {
      if (!window.has(line)) return NO;
      if (isOf(context, line, ROW_KINDS, ROW)) rows.push(line);
      else if (!isOf(context, line, FRAME_KINDS, FRAME) || line - at - rows.length === MAX_FRAMES) return NO;
    }
    const candidates = new Int32Array(SIZE * SIZE);
    const offsets = new Int32Array(SIZE * SIZE);
    for (let row = 0; row < SIZE; row++) readRow(window, rows[row], row * SIZE, candidates, offsets);
    if (candidates.filter((marks) => (marks & (marks - 1)) !== 0).length < MIN_SETS) return NO;
    // The line drawn below belongs to the grid.
    if (window.has(line) && isOf(context, line, FRAME_KINDS, FRAME)) line++;
    enterMarks(context, at, line - at, candidates, offsets);
    return line - at;
  },
};

/** Whether line `at` has bytes of these kinds alone, and the form. */
function isOf({ lines }: TextContext, at: number, kinds: number, form: RegExp): boolean {
  return lines.only(at, kinds) && form.test(lines.text(at));
}

/** Reads the candidates of a row, which `ROW` matches, and where its cells are. */
function readRow(
  { bytes, text, end }: LineWindow,
  line: number,
  first: number,
  candidates: Int32Array,
  offsets: Int32Array,
): void {
  let cell = first - 1;
  let isInCell = false;
  for (let byte = text[line]; byte < end[line]; byte++) {
    const digit = bytes[byte] - ZERO;
    const isDigit = digit > 0 && digit <= SIZE;
    if (bytes[byte] === OPEN_BRACE || (isDigit && !isInCell)) offsets[++cell] = byte;
    if (isDigit) candidates[cell] |= 1 << (digit - 1);
    isInCell = isDigit || bytes[byte] === OPEN_BRACE;
  }
}
