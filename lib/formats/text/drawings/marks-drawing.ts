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
import { enterMarks } from '../lines/pencilmarks.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { Line } from '../shape/line.ts';

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
  match(first) {
    const rows: Line[] = [];
    let frames = 0;
    let line: Line | undefined = first;
    for (; rows.length < SIZE; line = line.next) {
      if (line === undefined) return NO;
      if (line.only(ROW_KINDS) && ROW.test(line.text)) rows.push(line);
      else if (!isFrame(line) || frames++ === MAX_FRAMES) return NO;
    }
    const candidates = new Int32Array(SIZE * SIZE);
    const offsets: number[] = [];
    for (const { bytes, from, end } of rows) {
      let isInCell = false;
      for (let at = from; at < end; at++) {
        const digit = bytes[at] - ZERO;
        const isDigit = digit > 0 && digit <= SIZE;
        const isOpen = bytes[at] === OPEN_BRACE;
        if (isOpen || (isDigit && !isInCell)) offsets.push(at);
        if (isDigit) candidates[offsets.length - 1] |= 1 << (digit - 1);
        isInCell = isDigit || isOpen;
      }
    }
    if (candidates.filter((marks) => (marks & (marks - 1)) !== 0).length < MIN_SETS) return NO;
    // The line drawn below belongs to the grid.
    const lines = rows[SIZE - 1].at + 1 - first.at + (line !== undefined && isFrame(line) ? 1 : 0);
    enterMarks(first, lines, candidates, (cell) => offsets[cell]);
    return lines;
  },
};

/** Whether a line only draws. */
function isFrame(line: Line): boolean {
  return line.only(FRAME_KINDS) && FRAME.test(line.text);
}
