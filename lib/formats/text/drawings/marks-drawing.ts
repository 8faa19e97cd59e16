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
import { CLOSE_BRACE, DASH, OPEN_BRACE } from '../../bytes/ascii.ts';
import {
  BARS,
  CLOSE,
  COLONS,
  DASHES,
  DIGIT,
  DOTS,
  DRAWN,
  KINDS,
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
/** Dashes in a line of a frame. */
const MIN_DASHES = 9;
/** Between cells. */
const BETWEEN = SPACES | TABULATOR | BARS;
const [ONE, NINE] = [0x31, 0x39];

/** Scratch: the candidates of the grid being read, and the offset of each cell. */
const candidates = new Int32Array(SIZE * SIZE);
const offsets = new Int32Array(SIZE * SIZE);

export const marksDrawing: Recogniser = {
  name: 'pencilmarks',
  minBytes: 2 * SIZE - 1,
  maxBytes: 256,
  only: ROW_KINDS | FRAME_KINDS,
  has: (ROW_KINDS & ~DIGIT) | DASHES,
  match(first) {
    let [rows, frames, sets] = [0, 0, 0];
    let line: Line | undefined = first;
    for (; rows < SIZE; line = line.next) {
      if (line === undefined) return NO;
      const found = line.only(ROW_KINDS) ? readRow(line, rows * SIZE) : -1;
      if (found < 0 && (!isFrame(line) || frames++ === MAX_FRAMES)) return NO;
      if (found < 0) continue;
      sets += found;
      rows++;
    }
    if (sets < MIN_SETS) return NO;
    // The line drawn below belongs to the grid.
    const isClosed = line !== undefined && isFrame(line);
    const lines = rows + frames + (isClosed ? 1 : 0);
    enterMarks(first, lines, candidates.slice(), (cell) => offsets[cell]);
    return lines;
  },
};

/**
 * Reads a line as a row: nine cells, each with its digits in ascending order.
 *
 * @param first cell of the row
 * @returns how many of its cells have several candidates; negative if it is no row
 */
function readRow({ bytes, from, end }: Line, first: number): number {
  let [cell, sets] = [first, 0];
  for (let at = from; at < end; ) {
    if (KINDS[bytes[at]] & BETWEEN) {
      at++;
      continue;
    }
    if (cell === first + SIZE) return -1;
    offsets[cell] = at;
    const isOpen = bytes[at] === OPEN_BRACE;
    if (isOpen) at++;
    let marks = 0;
    for (let least = ONE; at < end && bytes[at] >= least && bytes[at] <= NINE; at++) {
      marks |= 1 << (bytes[at] - ONE);
      least = bytes[at] + 1;
    }
    if (isOpen ? at === end || bytes[at++] !== CLOSE_BRACE : marks === 0) return -1;
    if (at < end && bytes[at] !== OPEN_BRACE && (KINDS[bytes[at]] & BETWEEN) === 0) return -1;
    if ((marks & (marks - 1)) !== 0) sets++;
    candidates[cell++] = marks;
  }
  return cell === first + SIZE ? sets : -1;
}

/** Whether a line only draws, with some dashes. */
function isFrame(line: Line): boolean {
  const { bytes, from, end } = line;
  let dashes = 0;
  for (let at = line.only(FRAME_KINDS) ? from : end; at < end && dashes < MIN_DASHES; at++) {
    if (bytes[at] === DASH) dashes++;
  }
  return dashes === MIN_DASHES;
}
