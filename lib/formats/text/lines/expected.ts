/**
 * A puzzle on one line with its expected answer: the number of solutions, and the solution if there is one.
 *
 *     5...83.17...1..4..3.4..56.8....3...9.9.8245....6....7...9....5...729..861.36.72.4:1:652483917978162435...
 *     .......8...6.8.1..7....3..4.47..5...5..34............53....4..7......9...1.9...6.:633
 *
 * The format of tdoku's test files. The expected answer is a note of the record, and checked after solving.
 */
import type { Geometry } from '../../../sudoku/geometry/geometry.ts';
import type { RecordNotes } from '../../records/record-block.ts';
import { writeLine } from '../../writing/grid-text.ts';
import { DIGIT, KINDS } from '../byte-kinds.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';

const COLON = 58;
/** Digits of the longest number that a double holds exactly. */
const MAX_DIGITS = 15;

export const expected: Recogniser = {
  name: 'expected',
  minBytes: 18,
  match(context, at) {
    const { window, sink } = context;
    const end = context.puzzleEnd(at);
    const from = window.text[at];
    const geometry = sink.book.geometryOfCells(end - from);
    if (geometry === undefined || end === window.tokenEnd[at] || window.bytes[end] !== COLON) return NO;
    const notes = readExpected(context, at, end + 1, geometry);
    if (notes === undefined) return NO;
    const line = window.number(at);
    const place = { format: 'expected', geometry, spaced: false, line, lineEnd: line };
    context.enterLine(place, at, from, end, notes);
    return 1;
  },
  writer: { multiLine: false, write: writeLine },
};

/** Notes from `count` or `count:solution`; undefined for anything else, such as a label after a colon. */
function readExpected(
  context: TextContext,
  at: number,
  from: number,
  geometry: Geometry,
): RecordNotes | undefined {
  const { window, sink } = context;
  const { bytes } = window;
  const last = window.tokenEnd[at];
  let byte = from;
  while (byte < last && KINDS[bytes[byte]] & DIGIT) byte++;
  if (byte === from || byte - from > MAX_DIGITS) return undefined;
  const solutions = Number(window.string(from, byte));
  if (byte === last) return { expected: { solutions } };
  if (bytes[byte] !== COLON || last - byte - 1 !== geometry.cellCount) return undefined;
  const solution = sink.valuesIn(bytes, byte + 1, geometry);
  if (solution === undefined) return { expected: { solutions }, warnings: ['expected_unreadable'] };
  return { expected: { solutions, solution } };
}
