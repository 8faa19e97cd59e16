/**
 * Pencilmarks (sukaku): the candidates of each cell, 9 characters each in a 9x9 (729 on a line), 6 in a 6x6 (216).
 *
 *     123456789.2.4.....   the first cell may be anything, the second 2 or 4
 *
 * Each digit has its own place; anything else there means that it is not a candidate. Solutions are lines of digits.
 * 729 characters are never read as a 27x27. Candidates drawn in rows and columns: `marks-drawing.ts`.
 */
import { withCandidates } from '../../../sudoku/candidates.ts';
import { candidatesOf, sizeOfMarks } from '../../cells/candidate-marks.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { Line } from '../shape/line.ts';

const BLANK = 46;

export const pencilmarks: Recogniser = {
  name: 'pencilmarks',
  minBytes: 216,
  match(line) {
    const { bytes, from, puzzleEnd, book } = line;
    const size = sizeOfMarks(puzzleEnd - from);
    const candidates = size && candidatesOf(bytes, from, size);
    if (!size || !candidates || book.geometry(size).cellCount !== candidates.length) return NO;
    enterMarks(line, 1, candidates, (cell) => from + cell * size);
    return 1;
  },
};

/**
 * Enters the puzzle of candidates in `lines` lines.
 *
 * @param candidates by cell; kept
 * @param offsetOf a cell, in the window
 */
export function enterMarks(
  first: Line,
  lines: number,
  candidates: Int32Array,
  offsetOf: (cell: number) => number,
): void {
  const { context, book } = first;
  const plain = book.geometry(Math.sqrt(candidates.length));
  // A puzzle of another variant than the user asked for is an error of the puzzle, see `rejection`.
  const refused = book.rejection(plain) !== undefined;
  context.grid.clear();
  for (let cell = 0; cell < candidates.length; cell++) context.grid.add(BLANK, offsetOf(cell));
  const geometry = refused ? plain : withCandidates(plain, candidates);
  context.enter({ format: 'pencilmarks', geometry }, first, lines);
}
