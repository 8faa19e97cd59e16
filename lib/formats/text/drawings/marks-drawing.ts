/**
 * Pencilmarks as solvers print them: nine rows of nine cells, each cell the digits that are left for it.
 *
 *     .-----------------.---------------.---------------.
 *     | 5    3    124   | 26   7   2468 | 1489 1249 248 |      cells parted by spaces, or in braces: {124}
 *     | 6    247  247   | 1    9   5    | 3478 234  248 |
 *     ...                                                      frames and bars as they come, or none
 *
 * Digits of a cell are in ascending order, which no numbers of other formats keep to over 81 cells, and two cells have
 * several at least: else it is an ordinary grid. A cell without any candidate is `{}`; where it is left out, its row is
 * none. Solutions are lines of digits, as for 729 characters.
 */
import { enterMarks } from '../lines/pencilmarks.ts';
import { MORE, NO, type TextFormat } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';

const SIZE = 9;
const LEAST_SETS = 2;
/** Lines drawn above the last row; of more, nothing is known but that they are many. */
const MOST_FRAMES = 9;
/** Nine cells of nine digits, and what is drawn between them. */
const LONGEST_ROW = 256;

const CLOSE = 125;
const OPEN = 123;
const ZERO = 48;
const NINE = 57;
const DASH = 45;

/** Kinds of bytes: between cells, or of frames alone. */
const BETWEEN = 1;
const FRAME = 2;
const kinds = new Uint8Array(256);
for (const character of "-+*=.:'`,") kinds[character.charCodeAt(0)] = FRAME;
for (const character of ' \t|!') kinds[character.charCodeAt(0)] = BETWEEN;

/** The candidates of the grid at hand, and where each cell's text begins. */
const candidates = new Int32Array(SIZE * SIZE);
const offsets = new Int32Array(SIZE * SIZE);

export const marksDrawing: TextFormat = {
  name: 'pencilmarks',
  leastBytes: 2 * SIZE - 1,
  match(context, at) {
    const { window } = context;
    let sets = 0;
    let rows = 0;
    let line = at;
    for (; rows < SIZE; line++) {
      if (!window.has(line)) return window.closed ? NO : MORE;
      if (isFrame(context, line)) {
        if (line - at - rows === MOST_FRAMES) return NO;
        continue;
      }
      const found = readRow(context, line, rows * SIZE);
      if (found < 0) return NO;
      sets += found;
      rows++;
    }
    if (sets < LEAST_SETS) return NO;
    // The line drawn below is part of it.
    if (window.has(line)) line += isFrame(context, line) ? 1 : 0;
    else if (!window.closed) return MORE;
    enterMarks(context, at, line - at, candidates.slice(), offsets);
    return line - at;
  },
};

/** Whether line `at` only draws, with some dashes. */
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
 * @returns how many of its cells have several candidates; negative where it is no row
 */
function readRow({ window }: TextContext, at: number, cell: number): number {
  const { bytes, text, end } = window;
  const last = end[at];
  if (last - text[at] > LONGEST_ROW) return -1;
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
