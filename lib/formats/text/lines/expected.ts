/**
 * A puzzle on one line with its expected answer: the number of solutions, the solution, or both.
 *
 *     5...83.17...1..4..3.4..56.8....3...9.9.8245....6....7...9....5...729..861.36.72.4:1:652483917978162435...
 *     .......8...6.8.1..7....3..4.47..5...5..34............53....4..7......9...1.9...6.:633
 *     5...83.17...1..4..3.4..56.8....3...9.9.8245....6....7...9....5...729..861.36.72.4 652483917978162435...
 *
 * The first two are lines of tdoku's test files. The expected answer is a note of the record, and checked after solving.
 */
import type { Geometry } from '../../../sudoku/geometry/geometry.ts';
import type { RecordNotes } from '../../records/record-block.ts';
import { writeLine } from '../../writing/grid-text.ts';
import { DIGIT, KINDS, SEPARATOR, SPACE } from '../byte-kinds.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';
import { labelNotes } from './line.ts';

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
    if (geometry === undefined || end === window.end[at]) return NO;
    const counted = end < window.tokenEnd[at] && window.bytes[end] === COLON;
    const notes =
      (counted ? readExpected(context, at, end + 1, geometry) : undefined) ??
      readSolution(context, at, end, geometry);
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

/** Notes from a full grid after the puzzle, with separators in between; no row holds a symbol twice. */
function readSolution(
  context: TextContext,
  at: number,
  puzzleEnd: number,
  geometry: Geometry,
): RecordNotes | undefined {
  const { window, sink } = context;
  const { bytes, end: ends } = window;
  const { size, cellCount } = geometry;
  const last = ends[at];
  let from = puzzleEnd;
  while (from < last && isBetween(bytes[from])) from++;
  const end = from + cellCount;
  if (from === puzzleEnd || end > last || (end < last && !isBetween(bytes[end]))) return undefined;
  if (cellCount !== size * size) return undefined;
  const solution = sink.valuesIn(bytes, from, geometry);
  if (solution === undefined || solution.includes(0)) return undefined;
  for (let row = 0; row < cellCount; row += size) {
    if (new Set(solution.subarray(row, row + size)).size < size) return undefined;
  }
  return { ...labelNotes(context, at, end), expected: { solution } };
}

function isBetween(byte: number): boolean {
  return (KINDS[byte] & (SEPARATOR | SPACE)) !== 0;
}
