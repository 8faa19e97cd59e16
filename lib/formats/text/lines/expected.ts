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
import { NO, type Recogniser } from '../recogniser.ts';
import type { Line } from '../shape/line.ts';
import { labelIn, someNotes } from './line.ts';

/** Digits of a number that a double holds exactly. */
const MAX_DIGITS = 15;
/** Signs between a puzzle and its solution: ` -> `, ` => `, ` | `. */
const MAX_SIGNS = 8;

export const expected: Recogniser = {
  name: 'expected',
  minBytes: 18,
  has: SEPARATOR | SPACE | HASHES,
  match(line) {
    const { context, bytes, from, puzzleEnd, book } = line;
    const geometry = book.geometryOfCells(puzzleEnd - from);
    if (geometry === undefined || puzzleEnd === line.end) return NO;
    const notes = readExpected(line, geometry) ?? readSolution(line, geometry);
    if (notes === undefined) return NO;
    context.enter({ format: 'expected', geometry }, line, 1, notes, { bytes, from });
    return 1;
  },
};

/** Notes from `count` or `count:solution`; undefined for anything else, such as a label after a colon. */
function readExpected(line: Line, geometry: Geometry): RecordNotes | undefined {
  const { context, bytes, puzzleEnd, tokenEnd } = line;
  if (bytes[puzzleEnd] !== COLON) return undefined;
  let [solutions, at] = [0, puzzleEnd + 1];
  for (; at < tokenEnd && KINDS[bytes[at]] & DIGIT; at++) solutions = solutions * 10 + bytes[at] - ZERO;
  const digits = at - puzzleEnd - 1;
  if (digits === 0 || digits > MAX_DIGITS) return undefined;
  if (at >= tokenEnd) return { expected: { solutions } };
  if (bytes[at] !== COLON || tokenEnd - at - 1 !== geometry.cellCount) return undefined;
  const solution = context.sink.valuesOf({ bytes, from: at + 1 }, geometry);
  if (solution === undefined) return { expected: { solutions }, warnings: ['expected_unreadable'] };
  return { expected: { solutions, solution } };
}

/** Notes from a full grid after the puzzle, with signs in between. */
function readSolution(line: Line, geometry: Geometry): RecordNotes | undefined {
  const { bytes, puzzleEnd, end: last } = line;
  const between = line.raw(puzzleEnd, Math.min(last, puzzleEnd + MAX_SIGNS)).search(/[\da-z]|$/i);
  const from = puzzleEnd + between;
  const end = from + geometry.cellCount;
  if (between === 0 || end > last || (end < last && KINDS[bytes[end]] & CELL)) return undefined;
  const solution = solutionAt(line, from, geometry);
  return solution === undefined ? undefined : someNotes(labelIn(bytes, end, last), { solution });
}

/** The values of a full grid at an offset: no row holds a symbol twice; undefined if there is none. */
export function solutionAt({ bytes, context }: Line, from: number, geometry: Geometry) {
  const { size, cellCount } = geometry;
  if (cellCount !== size * size) return undefined;
  const solution = context.sink.valuesOf({ bytes, from }, geometry);
  return solution !== undefined && isSolved(solution, size) ? solution : undefined;
}
