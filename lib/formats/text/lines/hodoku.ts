/**
 * Lines of HoDoKu's library: technique, digits, puzzle, deleted candidates, eliminations, comment.
 *
 *     :0000:x:..7.3.......56.14.5....1.2...13....229.....643....49...5.7....1.16.59.......1.6..:::
 *     :0402:3:6...8..4..+4.....862..4.67+5.+1+5397+486+2.7...:314 916 921:323::
 *
 * A digit after `+` is not a given: it was placed before the position was stored, and so it is a blank. Candidates that
 * were deleted follow from the givens and are not used (warning `candidates_ignored`). The technique and the comment
 * are the id.
 */
import { COLON, DOT, PLUS, ZERO } from '../../bytes/ascii.ts';
import { COLONS } from '../../bytes/byte-kinds.ts';
import type { GridBuffer } from '../../cells/grid-buffer.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { Line } from '../shape/line.ts';
import { someNotes } from './line.ts';

/** Technique, digits, puzzle, deleted candidates, eliminations, comment. */
const LIBRARY = /^:([\da-z-]*):([\dxX]*):([^:\s]{16,}):([\d ]*)(?::([\d ]*))?(?::(.*))?$/;
const NO_TECHNIQUE = '0000';

export const hodoku: Recogniser = {
  name: 'line',
  minBytes: 20,
  has: COLONS,
  match(line) {
    const { context, book, bytes } = line;
    const fields = LIBRARY.exec(line.text);
    if (fields === null) return NO;
    const [, technique, digits, puzzle, deleted, , comment = ''] = fields;
    const from = line.from + technique.length + digits.length + 3;
    const cells = puzzle.includes('+') ? givensIn(line, from, from + puzzle.length) : undefined;
    const geometry = book.geometryOfCells(cells?.count ?? puzzle.length);
    if (geometry === undefined) return NO;
    const name = technique === NO_TECHNIQUE ? '' : `${technique}:${digits}`;
    const text = line.string(line.end - comment.length, line.end);
    const id = `${name} ${text.replace(/:$/, '').trim()}`.trim();
    const warnings = deleted === '' ? undefined : ['candidates_ignored'];
    const notes = someNotes(id || undefined, { warnings });
    context.enter({ format: 'line', geometry }, line, 1, notes, cells ?? { bytes, from });
    return 1;
  },
};

/** The cells in the bytes `from` to `to` (exclusive) of a line: a digit after `+` is a blank. */
function givensIn({ context: { grid }, bytes }: Line, from: number, to: number): GridBuffer {
  let blank: number = DOT;
  for (let at = to - 1; at >= from; at--) {
    if (bytes[at - 1] !== PLUS && (bytes[at] === ZERO || bytes[at] === DOT)) blank = bytes[at];
  }
  grid.clear();
  for (let at = from; at < to; at++) {
    const isPlaced = bytes[at] === PLUS && at + 1 < to;
    if (isPlaced) at++;
    grid.add(isPlaced ? blank : bytes[at], at);
  }
  return grid;
}

export function isLibraryLine(line: Line): boolean {
  return line.bytes[line.from] === COLON && LIBRARY.test(line.text);
}
