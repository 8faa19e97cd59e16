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
import { DASH, NINE, ZERO } from '../../bytes/ascii.ts';
import { enterMarks } from '../lines/pencilmarks.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';

const SIZE = 9;
/** Cells with several candidates. */
const MIN_SETS = 2;
/** Lines drawn above the last row. */
const MAX_FRAMES = 9;
/** Nine cells of nine digits, and the drawing between them. */
const MAX_ROW_BYTES = 256;

const CLOSE = 125;
const OPEN = 123;

/** Kinds of bytes: between cells, or in frames only. */
const BETWEEN = 1;
const FRAME = 2;
const kinds = new Uint8Array(256);
for (const character of "-+*=.:'`,") kinds[character.charCodeAt(0)] = FRAME;
for (const character of ' \t|!') kinds[character.charCodeAt(0)] = BETWEEN;

/** Scratch: the candidates of the grid being read, and the offset of each cell's text. */
const candidates = new Int32Array(SIZE * SIZE);
const offsets = new Int32Array(SIZE * SIZE);

export const marksDrawing: Recogniser = {
  name: 'pencilmarks',
  minBytes: 2 * SIZE - 1,
  match(context, at) {
    const { window } = context;
    let sets = 0;
    let rows = 0;
    let line = at;
    for (; rows < SIZE; line++) {
      if (!window.has(line)) return NO;
      if (isFrame(context, line)) {
        if (line - at - rows === MAX_FRAMES) return NO;
        continue;
      }
      const found = readRow(context, line, rows * SIZE);
      if (found < 0) return NO;
      sets += found;
      rows++;
    }
    if (sets < MIN_SETS) return NO;
    // The line drawn below belongs to the grid.
    if (window.has(line) && isFrame(context, line)) line++;
    enterMarks(context, at, line - at, candidates.slice(), offsets);
    return line - at;
  },
};

/** Whether line `at` only draws, with at least nine dashes. */
function isFrame({ window: { bytes, text, end, tokens } }: TextContext, at: number): boolean {
  let dashes = 0;
  for (let byte = text[at]; byte < end[at]; byte++) {
    if (kinds[bytes[byte]] === 0) return false;
    if (bytes[byte] === DASH) dashes++;
  }
  return tokens[at] > 0 && dashes >= SIZE;
}

/**
 * Reads line `at` as a row.
 *
 * @param cell the first one of the row
 * @returns how many of its cells have several candidates; negative if it is not a row
 */
function readRow({ window }: TextContext, at: number, cell: number): number {
  const { bytes, text, end } = window;
  const last = end[at];
  if (last - text[at] > MAX_ROW_BYTES) return -1;
  let sets = 0;
  let next = cell;
  for (let byte = text[at]; byte < last; ) {
    if (kinds[bytes[byte]] === BETWEEN) {
      byte++;
      continue;
    }
    const from = byte;
    const braced = bytes[byte] === OPEN;
    if (braced) byte++;
    let marks = 0;
    let before = ZERO;
    for (; byte < last && bytes[byte] > before && bytes[byte] <= NINE; byte++) {
      before = bytes[byte];
      marks |= 1 << (before - ZERO - 1);
    }
    if (braced && (byte === last || bytes[byte++] !== CLOSE)) return -1;
    const ends = byte === last || kinds[bytes[byte]] === BETWEEN || bytes[byte] === OPEN;
    if (!ends || next === cell + SIZE) return -1;
    if ((marks & (marks - 1)) !== 0) sets++;
    candidates[next] = marks;
    offsets[next++] = from;
  }
  return next === cell + SIZE ? sets : -1;
}
