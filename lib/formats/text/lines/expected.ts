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
import { COLON, ZERO } from '../../bytes/ascii.ts';
import { CELL, DIGIT, HASHES, KINDS, SEPARATOR, SPACE } from '../../bytes/byte-kinds.ts';
import { isSolved } from '../../records/pair.ts';
import type { RecordNotes } from '../../records/record-block.ts';
import { writeLine } from '../../writing/grid-drawing.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';
import { labelNotes } from './line.ts';

/** Digits of a number that a double holds exactly. */
const MAX_DIGITS = 15;
/** Signs between a puzzle and its solution: ` -> `, ` => `, ` | `. */
const MAX_SIGNS = 8;

export const expected: Recogniser = {
  name: 'expected',
  minBytes: 18,
  has: SEPARATOR | SPACE | HASHES,
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
    return context.enterCells('expected', geometry, at, 1, from, notes);
  },
  writer: { multiLine: false, write: writeLine },
};

/** Notes from `count` or `count:solution`; undefined for anything else, such as a label after a colon. */
function readExpected(
  { window: { bytes, tokenEnd }, sink }: TextContext,
  at: number,
  from: number,
  geometry: Geometry,
): RecordNotes | undefined {
  let solutions = 0;
  let colon = from;
  while (colon < tokenEnd[at] && KINDS[bytes[colon]] & DIGIT)
    solutions = solutions * 10 + bytes[colon++] - ZERO;
  if (colon === from || colon - from > MAX_DIGITS) return undefined;
  if (colon === tokenEnd[at]) return { expected: { solutions } };
  if (bytes[colon] !== COLON || tokenEnd[at] - colon - 1 !== geometry.cellCount) return undefined;
  const solution = sink.valuesOf({ bytes, from: colon + 1 }, geometry);
  if (solution === undefined) return { expected: { solutions }, warnings: ['expected_unreadable'] };
  return { expected: { solutions, solution } };
}

/** Notes from a full grid after the puzzle, with signs in between. */
function readSolution(
  context: TextContext,
  at: number,
  puzzleEnd: number,
  geometry: Geometry,
): RecordNotes | undefined {
  const { bytes, end: ends } = context.window;
  const last = ends[at];
  const between = context.lines.raw(puzzleEnd, Math.min(last, puzzleEnd + MAX_SIGNS)).search(/[\da-z]|$/i);
  const from = puzzleEnd + between;
  const end = from + geometry.cellCount;
  if (from === puzzleEnd || end > last || (end < last && KINDS[bytes[end]] & CELL)) return undefined;
  const solution = solutionAt(context, from, geometry);
  return solution === undefined ? undefined : { ...labelNotes(context, at, end), expected: { solution } };
}

/** The values of a full grid at an offset: no row holds a symbol twice; undefined if there is none. */
export function solutionAt(
  { window, sink }: TextContext,
  from: number,
  geometry: Geometry,
): Uint8Array | undefined {
  const { size, cellCount } = geometry;
  if (cellCount !== size * size) return undefined;
  const solution = sink.valuesOf({ bytes: window.bytes, from }, geometry);
  return solution !== undefined && isSolved(solution, size) ? solution : undefined;
}
