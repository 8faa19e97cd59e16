/**
 * Pencilmarks (sukaku): the candidates of each cell, 9 characters each in a 9x9 (729 on a line), 6 in a 6x6 (216).
 *
 *     123456789.2.4.....   the first cell may be anything, the second 2 or 4
 *
 * Each digit has its own place; anything else there means that it is not a candidate. Solutions are lines of digits.
 * 729 characters are never read as a 27x27. Candidates drawn in rows and columns: `marks-drawing.ts`.
 */
import { withCandidates } from '../../../sudoku/candidates.ts';
import type { Geometry } from '../../../sudoku/geometry/geometry.ts';
import { candidatesOf, sizeOfMarks } from '../../cells/candidate-marks.ts';
import { writeLine } from '../../writing/grid-drawing.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';

const BLANK = 46;

export const pencilmarks: Recogniser = {
  name: 'pencilmarks',
  minBytes: 216,
  match(context, at) {
    const { window, sink } = context;
    const from = window.text[at];
    const end = context.puzzleEnd(at);
    const size = sizeOfMarks(end - from);
    if (size === undefined) return NO;
    const candidates = candidatesOf(window.bytes, from, size);
    if (candidates === undefined || sink.book.geometry(size).cellCount !== candidates.length) return NO;
    const offsets = new Int32Array(candidates.length);
    for (let cell = 0; cell < offsets.length; cell++) offsets[cell] = from + cell * size;
    enterMarks(context, at, 1, candidates, offsets);
    return 1;
  },
  writer: { multiLine: false, write: writeLine },
};

/**
 * Enters the puzzle of the candidates in `lines` lines from `at`.
 *
 * @param candidates by cell; kept
 * @param offsets by cell, in the window
 */
export function enterMarks(
  context: TextContext,
  at: number,
  lines: number,
  candidates: Int32Array,
  offsets: Int32Array,
): void {
  const { sink, grid } = context;
  const plain = sink.book.geometry(Math.sqrt(candidates.length));
  // A puzzle of another variant than the user asked for is an error of the puzzle, see `rejection`.
  const refused = sink.book.rejection(plain) !== undefined;
  const geometry: Geometry = refused ? plain : withCandidates(plain, candidates);
  grid.clear();
  for (let cell = 0; cell < offsets.length; cell++) grid.add(BLANK, offsets[cell]);
  context.enterGrid({ format: 'pencilmarks', geometry }, at, lines);
}
