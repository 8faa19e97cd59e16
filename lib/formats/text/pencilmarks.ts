/**
 * Pencilmarks (sukaku): for every cell its candidates, 9 characters each in a 9x9 (729 on a line), 6 in a 6x6 (216).
 *
 *     123456789.2.4.....   the first cell may be anything, the second 2 or 4
 *
 * Each digit stands, if at all, at its own place; anything else there says that it is no candidate. Solutions are lines
 * of digits. 729 characters are never taken for a 27x27.
 */
import { withCandidates } from '../../sudoku/candidates.ts';
import type { Geometry } from '../../sudoku/geometry.ts';
import { candidatesOf, sizeOfMarks } from '../candidate-marks.ts';
import { writeLine } from '../grid-text.ts';
import { puzzleEnd } from './line.ts';
import { NO, type TextFormat } from './text-format.ts';

const BLANK = 46;

export const pencilmarks: TextFormat = {
  name: 'pencilmarks',
  leastBytes: 216,
  match(context, at) {
    const { window, sink, grid } = context;
    const from = window.text[at];
    const end = puzzleEnd(context, at);
    const size = sizeOfMarks(end - from);
    if (size === undefined) return NO;
    const plain = sink.book.geometry(size);
    const candidates = candidatesOf(window.bytes, from, size);
    if (candidates === undefined || plain.cellCount !== candidates.length) return NO;
    // What the user asked for and the size does not have is told of the puzzle, see `refusal`.
    const refused = sink.book.refusal(plain) !== undefined;
    const geometry: Geometry = refused ? plain : withCandidates(plain, candidates);
    grid.clear();
    for (let cell = 0; cell < candidates.length; cell++) grid.add(BLANK, from + cell * size);
    const line = window.number(at);
    context.enterGrid({ format: 'pencilmarks', geometry, spaced: false, line, lineEnd: line }, at, 1);
    return 1;
  },
  writer: { multiLine: false, write: writeLine },
};
