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
import { ZERO } from '../../bytes/ascii.ts';
import { KINDS, LETTER } from '../byte-kinds.ts';
import type { LineWindow } from '../line-window.ts';
import { enterMarks } from '../lines/pencilmarks.ts';
import { NO, type Recogniser } from '../recogniser.ts';

const SIZE = 9;
/** Cells with several candidates. */
const MIN_SETS = 2;
/** Lines drawn above the last row. */
const MAX_FRAMES = 9;
/** Nine cells of nine digits, and the drawing between them. */
const MAX_ROW_BYTES = 256;

/** A line that only draws, with at least nine dashes. */
const FRAME = /^(?:[+*=.:'`, \t|!]*-){9}[-+*=.:'`, \t|!]*$/;
const ASCENDING = '1?2?3?4?5?6?7?8?9?';
/** Nine cells, each with its digits in ascending order. */
const ROW = new RegExp(
  `^(?:[ \\t|!]*(?:\\{${ASCENDING}\\}|(?=[1-9])${ASCENDING})(?=[ \\t|!{]|$)){${SIZE}}[ \\t|!]*$`,
);
const CELL = /\{\d*\}|\d+/g;

export const marksDrawing: Recogniser = {
  name: 'pencilmarks',
  minBytes: 2 * SIZE - 1,
  match(context, at) {
    const { window } = context;
    const candidates = new Int32Array(SIZE * SIZE);
    const offsets = new Int32Array(SIZE * SIZE);
    let sets = 0;
    let rows = 0;
    let line = at;
    for (; rows < SIZE; line++) {
      if (!window.has(line)) return NO;
      const row = lineText(window, line);
      if (FRAME.test(row)) {
        if (line - at - rows === MAX_FRAMES) return NO;
        continue;
      }
      if (!ROW.test(row)) return NO;
      for (const [k, { 0: text, index }] of [...row.matchAll(CELL)].entries()) {
        const digits = [...text.replaceAll(/[{}]/g, '')];
        if (digits.length > 1) sets++;
        candidates[rows * SIZE + k] = digits.reduce((marks, digit) => marks | (1 << (Number(digit) - 1)), 0);
        offsets[rows * SIZE + k] = window.text[line] + index;
      }
      rows++;
    }
    if (sets < MIN_SETS) return NO;
    // The line drawn below belongs to the grid.
    if (window.has(line) && FRAME.test(lineText(window, line))) line++;
    enterMarks(context, at, line - at, candidates, offsets);
    return line - at;
  },
};

/** The text of a line; empty if it is too long, or starts with what is in no row and no frame, as most lines do. */
function lineText(window: LineWindow, at: number): string {
  const { bytes, text, end } = window;
  if (KINDS[bytes[text[at]]] & LETTER || bytes[text[at]] === ZERO) return '';
  return end[at] - text[at] > MAX_ROW_BYTES ? '' : window.string(text[at], end[at]);
}
