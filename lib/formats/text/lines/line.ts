/**
 * A puzzle on one line, followed by its label, if any.
 *
 *     53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 easy, 1.2
 *
 * The puzzle ends with the line, or at white space, a comma, a semicolon or a colon.
 */

import { CELL, KINDS, kindsIn, SEPARATOR } from '../../bytes/byte-kinds.ts';
import { textIn } from '../../bytes/byte-text.ts';
import type { RecordNotes } from '../../records/record-block.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { judgeChars } from '../shape/judge.ts';
import type { Line } from '../shape/line.ts';
import { isDrawnRuler } from '../shape/rulers.ts';
import { isGrouped, isSplitLine } from './full-line.ts';

export const line: Recogniser = {
  name: 'line',
  minBytes: 16,
  match(line) {
    const { context, bytes, from, puzzleEnd, book } = line;
    const length = puzzleEnd - from;
    const geometry = book.geometryOfCells(length);
    if (geometry === undefined || isSeparated(line, puzzleEnd, geometry.size)) return NO;
    const bare = puzzleEnd === line.end;
    // A space in a damaged puzzle does not make its front a smaller one with a label.
    if (!bare && isSplitLine(line) && geometry.size !== context.lineSize) return NO;
    if (isDrawnRuler(line) || isQuoted(line)) return NO;
    const mayBeRow = book.isLineOrRow(length);
    // The first row of a larger puzzle in groups is not a small one with a label.
    if (!bare && mayBeRow && isGrouped(line, length)) return NO;
    if (bare && mayBeRow) {
      const kind = judgeChars(line);
      if (kind === 'rows') return NO;
      context.run = { kind, width: length, nextLine: line.number + 1 };
    }
    const notes = bare ? undefined : someNotes(labelIn(bytes, puzzleEnd, line.end));
    context.enter({ format: 'line', geometry }, line, 1, notes, { bytes, from });
    return 1;
  },
};

/** `"53..7...."` */
function isQuoted({ bytes, from, puzzleEnd }: Line): boolean {
  const sign = String.fromCharCode(bytes[from]);
  return (sign === '"' || sign === "'") && bytes[from] === bytes[puzzleEnd - 1];
}

/** Numbers of one or two digits with one sign between them. */
const SEPARATED = /^[\w.*?#-]{1,2}(?:([^\w.*?#-])[\w.*?#-]{1,2}(?:\1[\w.*?#-]{1,2})*)?\1?$/;

/** Whether one sign separates numbers up to `end`: the line is a row of a grid larger than `size`, such as `15/0/10/5/...`. */
export function isSeparated(line: Line, end: number, size: number): boolean {
  const { bytes, from } = line;
  // Most puzzles have three cells side by side.
  if ((kindsIn(bytes, from, from + 3) & ~CELL) === 0) return false;
  const text = line.raw(from, end);
  const sign = SEPARATED.exec(text)?.[1];
  return sign !== undefined && text.split(sign).filter(Boolean).length > size;
}

/** Notes of a puzzle, unless there are none. */
export function someNotes(
  id: string | undefined,
  { warnings, solution }: { warnings?: string[] | undefined; solution?: Uint8Array | undefined } = {},
): RecordNotes | undefined {
  if (id === undefined && warnings === undefined && solution === undefined) return undefined;
  const notes: RecordNotes = {};
  if (id !== undefined) notes.id = id;
  if (warnings !== undefined) notes.warnings = warnings;
  if (solution !== undefined) notes.expected = { solution };
  return notes;
}

/** The label in the bytes `from` to `to`, without what separates it; undefined if there is none. */
export function labelIn(bytes: Uint8Array, from: number, to: number): string | undefined {
  let start = from;
  let end = to;
  while (end > start && bytes[end - 1] <= 32) end--;
  while (start < end && isBeforeLabel(bytes[start])) start++;
  return start === end ? undefined : textIn(bytes, start, end);
}

function isBeforeLabel(byte: number): boolean {
  return byte <= 32 || byte === 35 || (KINDS[byte] & SEPARATOR) !== 0;
}
