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
import type { RecordNotes } from '../../records/record-block.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';

const MAX_LINE_BYTES = 4096;

/** Technique, digits, puzzle, deleted candidates, eliminations, comment. */
const LIBRARY = /^:([\da-z-]*):([\dxX]*):([^:\s]{16,}):([\d ]*)(?::([\d ]*))?(?::(.*))?$/;
const NO_TECHNIQUE = '0000';

export const hodoku: Recogniser = {
  name: 'line',
  minBytes: 20,
  match(context, at) {
    const { window, sink } = context;
    const { text } = window;
    const fields = libraryFields(context, at);
    if (fields === null) return NO;
    const [, technique, digits, puzzle, deleted, , comment] = fields;
    const from = text[at] + technique.length + digits.length + 3;
    addGivens(context, from, from + puzzle.length);
    const geometry = sink.book.geometryOfCells(context.grid.count);
    if (geometry === undefined) return NO;
    const name = technique === NO_TECHNIQUE ? '' : `${technique}:${digits}`;
    const id = [name, comment?.replace(/:$/, '').trim()].filter(Boolean).join(' ');
    const notes: RecordNotes = {
      ...(id !== '' && { id }),
      ...(deleted !== '' && { warnings: ['candidates_ignored'] }),
    };
    context.enterGrid(
      { format: 'line', geometry },
      at,
      1,
      Object.keys(notes).length === 0 ? undefined : notes,
    );
    return 1;
  },
};

function libraryFields({ window }: TextContext, at: number): RegExpExecArray | null {
  const { bytes, text, end } = window;
  if (bytes[text[at]] !== COLON || end[at] - text[at] > MAX_LINE_BYTES) return null;
  return LIBRARY.exec(window.string(text[at], end[at]));
}

export function isLibraryLine(context: TextContext, at: number): boolean {
  return libraryFields(context, at) !== null;
}

/** Adds the cells between two offsets to `context.grid`; a digit after `+` is a blank. */
function addGivens({ window: { bytes }, grid }: TextContext, from: number, to: number): void {
  grid.clear();
  let blank = DOT;
  for (let byte = to - 1; byte >= from; byte--) {
    if (bytes[byte - 1] !== PLUS && (bytes[byte] === ZERO || bytes[byte] === DOT)) blank = bytes[byte];
  }
  for (let byte = from; byte < to; byte++) {
    if (bytes[byte] === PLUS) grid.add(blank, ++byte);
    else grid.add(bytes[byte], byte);
  }
}
