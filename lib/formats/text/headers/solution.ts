/**
 * Headings that say that the grid below them is the solution of the puzzle above, and the grid:
 *
 *     Solution:            Begin Solution            [Solution]            # Answer             Solution: 534678912...
 *     534678912            ...                       ...                   ...
 *     ...
 *
 * It is the expected solution of that puzzle, and never a puzzle of its own.
 */
import type { Geometry } from '../../../sudoku/geometry/geometry.ts';
import { ZERO } from '../../bytes/ascii.ts';
import { DIGIT, DOTS, KINDS, LETTER, STARS, UNDERSCORES } from '../../bytes/byte-kinds.ts';
import { BLANK_CODES } from '../../cells/blanks.ts';
import { GridBuffer, NUMBER } from '../../cells/grid-buffer.ts';
import type { RecordNotes } from '../../records/record-block.ts';
import { resemblesCells } from '../shape/likeness.ts';
import { cutRow, MAX_ROW_CELLS } from '../shape/readings.ts';
import { isFrame } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';

const WORDS =
  '(?:(?:begin|the|its|expected|full|final|correct|puzzle|sudoku)[ _-]*)*(?:solutions?|answers?|solved)';
const OF = '(?:[ _-]*(?:to|of|for))?(?:[ _-]*(?:the|puzzle|grid|sudoku|game))*[ _#-]*\\d{0,6}';
/** A heading alone, and one with the cells on its line. */
const HEADING = new RegExp(`^[^\\w.*?]*${WORDS}${OF}[^\\w.*?]*$`, 'i');
const WITH_CELLS = new RegExp(
  `^[^\\w.*?]*${WORDS}${OF}\\W*?[:=]?\\W*?(?<![\\w])([1-9a-z]{16,1296})\\W*$`,
  'i',
);
export const MAX_HEADING = 60;

/** Cells of the solution at work. */
const cells = new GridBuffer();

/** What the first word of a heading begins with, and the kinds of bytes that are not before it. */
const BEGINNINGS: ReadonlySet<number> = new Set(
  ['be', 'th', 'it', 'ex', 'fu', 'fi', 'co', 'pu', 'su', 'so', 'an'].map(
    (two) => two.charCodeAt(0) * 256 + two.charCodeAt(1),
  ),
);
const WORD = DIGIT | LETTER | UNDERSCORES | DOTS | STARS;

/** Whether the first bytes of a text have the beginning of a word for a solution: few lines do, so few become a text. */
export function namesSolution(bytes: Uint8Array, from: number, end: number): boolean {
  const last = Math.min(end - from, MAX_HEADING) + from - 2;
  let at = from;
  while (at < last && (KINDS[bytes[at]] & WORD) === 0) at++;
  if (!BEGINNINGS.has((bytes[at] | 32) * 256 + (bytes[at + 1] | 32))) return false;
  for (; at < last; at++) {
    const first = bytes[at] | 32;
    if (first === 0x73 && (bytes[at + 1] | 32) === 0x6f && (bytes[at + 2] | 32) === 0x6c) return true;
    if (first === 0x61 && (bytes[at + 1] | 32) === 0x6e && (bytes[at + 2] | 32) === 0x73) return true;
  }
  return false;
}

/** Whether a text says that a solution follows it, or has one. */
export function isSolutionHeading(text: string): boolean {
  return text.length <= MAX_HEADING ? HEADING.test(text) : WITH_CELLS.test(text);
}

/** The line after the grid of the heading in line `at`, whose cells are then in `cells`; undefined if there is none. */
function gridOf(context: TextContext, at: number): number | undefined {
  const { lines, window } = context;
  const own = WITH_CELLS.exec(lines.text(at));
  if (own === null) return gridFrom(context, at + 1);
  const from = window.text[at] + own[0].lastIndexOf(own[1]);
  cells.clear();
  cells.addBytes(window.bytes, from, from + own[1].length);
  return at + 1;
}

/** The line after the full grid on a line, or in rows, from line `first` on, which it reads into `cells`. */
function gridFrom(context: TextContext, first: number): number | undefined {
  const { lines, window, sink } = context;
  cells.clear();
  for (let line = first, rows = 0, size = 0; window.has(line); line++) {
    if (context.isBlank(line) || context.isComment(line) || isFrame(context, line)) continue;
    const end = context.puzzleEnd(line);
    if (rows === 0 && end - window.text[line] > MAX_ROW_CELLS) {
      if (sink.book.geometryOfCells(end - window.text[line]) === undefined) return undefined;
      cells.addBytes(window.bytes, window.text[line], end);
      return isFull() ? line + 1 : undefined;
    }
    const width = cutRow(lines, line, cells, size);
    size ||= width;
    if (width !== size || !sink.book.isSize(size)) return undefined;
    if (++rows === size) return isFull() ? line + 1 : undefined;
  }
  return undefined;
}

/** Whether `cells` has no blanks; zeros may be a value. */
function isFull(): boolean {
  const codes = cells.codes.subarray(0, cells.count);
  const zeros = codes.filter((code) => code === ZERO).length;
  return zeros ** 2 <= cells.count && !codes.some((code) => BLANK_CODES.has(code));
}

/** The line after the section of a solution that line `at` opens: its grid, and others that follow it directly. */
export function afterSolution(context: TextContext, at: number): number | undefined {
  let end = gridOf(context, at);
  for (let next = end; next !== undefined; next = nextGrid(context, end)) end = next;
  while (end !== undefined && isClosing(context, end)) end++;
  return end;
}

/** The line after a full grid that begins in line `at`; undefined if none does. */
function nextGrid(context: TextContext, at: number | undefined): number | undefined {
  const isNext = at !== undefined && context.window.has(at) && resemblesCells(context, at);
  return isNext ? gridFrom(context, at) : undefined;
}

/** The end of a section or of a list. */
const CLOSING = /^(?:end[ _][a-z]+|[\])};,.\s]+)$/i;

function isClosing({ window, lines }: TextContext, at: number): boolean {
  return window.has(at) && CLOSING.test(lines.text(at));
}

/** The notes of a puzzle, with the solution below a heading after line `after`, if it has one. */
export function withSolution(
  context: TextContext,
  after: number,
  geometry: Geometry,
  notes: RecordNotes | undefined,
): RecordNotes | undefined {
  const { sink } = context;
  let heading = context.nextText(after);
  while (heading !== undefined && isClosing(context, heading)) heading = context.nextText(heading + 1);
  if (notes?.expected !== undefined || heading === undefined) return notes;
  if (!isSolutionHeading(context.lines.text(heading))) return notes;
  const end = gridOf(context, heading);
  // Of several solutions it is not known which one is that of the puzzle.
  if (nextGrid(context, end) !== undefined) return notes;
  if (gridOf(context, heading) === undefined || cells.count !== geometry.cellCount) return notes;
  const solution = sink.valuesOf(
    cells,
    geometry,
    cells.codes.subarray(0, cells.count).some((code) => code >= NUMBER),
  );
  if (solution !== undefined) return { ...notes, expected: { solution } };
  return { ...notes, warnings: [...(notes?.warnings ?? []), 'expected_unreadable'] };
}
