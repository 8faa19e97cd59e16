/**
 * A puzzle on one line with what is known about its answer: how many solutions it has, and the solution if it is one.
 *
 *     5...83.17...1..4..3.4..56.8....3...9.9.8245....6....7...9....5...729..861.36.72.4:1:652483917978162435...
 *     .......8...6.8.1..7....3..4.47..5...5..34............53....4..7......9...1.9...6.:633
 *
 * The way of tdoku's test files. What is expected is handed on with the record, and checked after solving.
 */
import type { Geometry } from '../../../sudoku/geometry/geometry.ts';
import type { RecordNotes } from '../../records/record-block.ts';
import { writeLine } from '../../writing/grid-text.ts';
import { NO, type TextFormat } from '../recogniser.ts';
import { DIGIT, KINDS, type TextContext } from '../text-context.ts';
import { puzzleEnd } from './line.ts';

const COLON = 58;
/** Longest number that a double holds exactly. */
const MOST_DIGITS = 15;

export const expected: TextFormat = {
  name: 'expected',
  leastBytes: 18,
  match(context, at) {
    const { window, sink } = context;
    const end = puzzleEnd(context, at);
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

/** `count` or `count:solution`; undefined where the text is something else, a label with a colon before it. */
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
  if (byte === from || byte - from > MOST_DIGITS) return undefined;
  const solutions = Number(window.string(from, byte));
  if (byte === last) return { expected: { solutions } };
  if (bytes[byte] !== COLON || last - byte - 1 !== geometry.cellCount) return undefined;
  const solution = sink.valuesIn(bytes, byte + 1, geometry);
  if (solution === undefined) return { expected: { solutions }, warnings: ['expected_unreadable'] };
  return { expected: { solutions, solution } };
}
