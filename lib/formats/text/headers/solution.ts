/**
 * Headings that say that the grid below them is the solution of the puzzle above, and the grid:
 *
 *     Solution:            Begin Solution            [Solution]            # Answer             Solution: 534678912...
 *     534678912            ...                       ...                   ...
 *     ...
 *
 * It is the expected solution of that puzzle, and never a puzzle of its own, unless the file has no other. So is a full grid
 * below a line with anything else (`---`, `=>`, `After:`), or after a label on its line, that has all givens of the puzzle
 * above.
 */
import type { Geometry } from '../../../sudoku/geometry/geometry.ts';
import { ZERO } from '../../bytes/ascii.ts';
import { DIGIT, DOTS, KINDS, LETTER, STARS, UNDERSCORES } from '../../bytes/byte-kinds.ts';
import { BLANK_CODES } from '../../cells/blanks.ts';
import { GridBuffer, NUMBER } from '../../cells/grid-buffer.ts';
import { type Cells, codeAt } from '../../records/found.ts';
import { solves } from '../../records/pair.ts';
import type { RecordNotes } from '../../records/record-block.ts';
import { openingOfLine } from '../grids/line-tests.ts';
import type { FieldReading } from '../shape/fields.ts';
import type { Line } from '../shape/line.ts';
import { addFields, cutRow, FIELD_READINGS, MAX_ROW_CELLS } from '../shape/readings.ts';
import { isFrame, resemblesCells } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';
import { hasBeginning, RESULT_WORD } from './word-beginnings.ts';

const WORDS =
  '(?:(?:begin|the|its|expected|full|final|correct|puzzle|sudoku)[ _-]*)*(?:solutions?|answers?|solved)';
const OF = '(?:[ _-]*(?:to|of|for))?(?:[ _-]*(?:the|puzzle|grid|sudoku|game))*[ _#-]*\\d{0,6}';
/** A heading alone, and one with the cells on its line. */
const HEADING = new RegExp(`^[^\\w.*?]*${WORDS}${OF}[^\\w.*?]*$`, 'i');
/** Headings of other grids as well: they are those of a solution if a full grid follows, and a puzzle precedes it. */
const RESULT =
  /^[^\w.*?]*(?:(?:the|its|expected|full|final|correct|actual|puzzle|sudoku|grid)[ _-]*)*(?:outputs?|results?|completed?|finished|filled)(?:[ _-]*(?:puzzle|grid|sudoku|board|in))*[ _#-]*\d{0,6}\W*?(?:(?<!\w)[1-9a-z]{16,1296}\W*)?$/i;
const WITH_CELLS = new RegExp(
  `^[^\\w.*?]*${WORDS}${OF}\\W*?[:=]?\\W*?(?<![\\w])([1-9a-z]{16,1296})\\W*$`,
  'i',
);
const CELLS_AT_END = /(?<!\w)([1-9a-z]{16,1296})\W*$/i;
export const MAX_HEADING = 60;
const WORD = DIGIT | LETTER | UNDERSCORES | DOTS | STARS;

/** Cells of the solution at work. */
const cells = new GridBuffer();

/** The first letters of the words that may begin a heading: few lines begin so, and few become a text. */
const INITIALS = Uint8Array.from({ length: 256 }, (_, byte) =>
  'btiefcpsagor'.includes(String.fromCharCode(byte | 32)) ? 1 : 0,
);
/** `sol`, `ans` */
const [SOL, ANS] = [0x736f6c, 0x616e73];

/** The first byte of the words in the bytes `from` to `end` (exclusive); negative if they begin like no heading. */
function firstWord(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && (KINDS[bytes[at]] & WORD) === 0) at++;
  return at < end && INITIALS[bytes[at]] === 1 ? at : -1;
}

/** Whether the first bytes of a text may name a solution. */
export function namesSolution(bytes: Uint8Array, from: number, end: number): boolean {
  const last = Math.min(end, from + MAX_HEADING) - 2;
  const first = firstWord(bytes, from, last);
  if (first < 0) return false;
  for (let at = first, letters = 0; at < last + 2; at++) {
    letters = ((letters << 8) | bytes[at] | 32) & 0xffffff;
    if (letters === SOL || letters === ANS) return true;
  }
  return false;
}

/** Whether a text says that a solution follows it, or has one. */
export function isSolutionHeading(text: string): boolean {
  return (text.length <= MAX_HEADING && HEADING.test(text)) || WITH_CELLS.test(text);
}

/** Whether a line is a heading with a solution below it. */
export function isSolutionLine(line: Line): boolean {
  const { context, bytes, from, end } = line;
  // The text is made of few lines.
  if (namesSolution(bytes, from, end)) return isSolutionHeading(line.text);
  return context.sink.lastSize !== undefined && isResultLine(line);
}

/** Whether a line is a heading of `RESULT`, with a full grid below it. */
function isResultLine(line: Line): boolean {
  return namesResult(line) && RESULT.test(line.text) && gridOf(line) !== undefined;
}

/** Whether a line may be such a heading, by its bytes. */
function namesResult(line: Line): boolean {
  const { bytes, from, end } = line;
  if (line.length > MAX_RESULT || !line.has(LETTER) || line.has(DOTS)) return false;
  return firstWord(bytes, from, end) >= 0 && hasBeginning(bytes, from, end, RESULT_WORD);
}

/** Bytes of the longest such line, with a 36x36 on it. */
const MAX_RESULT = 1400;

/** The line after the grid of a heading, whose cells are then in `cells`; undefined if there is none. */
function gridOf(line: Line): number | undefined {
  const { context, text, from, bytes, at } = line;
  const fields = namedFields(line);
  if (fields !== undefined) {
    cells.clear();
    addFields(line, line.fields, fields, cells);
    return isFull() ? at + 1 : undefined;
  }
  const own = CELLS_AT_END.exec(text)?.[1];
  if (own === undefined) return gridFrom(context.lineAt(at + 1));
  const first = from + text.lastIndexOf(own);
  cells.clear();
  cells.addBytes(bytes, first, first + own.length);
  return at + 1;
}

/** The line after the full grid on a line, or in rows, from line `first` on, which it reads into `cells`. */
function gridFrom(first: Line | undefined): number | undefined {
  cells.clear();
  let [rows, size] = [0, 0];
  for (let line = first; line !== undefined; line = line.next) {
    if (line.isBlank || line.isComment || isFrame(line)) continue;
    if (rows === 0 && openingOfLine(line) !== undefined) continue;
    const { book, bytes, from, puzzleEnd, at } = line;
    if (rows === 0 && puzzleEnd - from > MAX_ROW_CELLS) {
      if (book.geometryOfCells(puzzleEnd - from) === undefined) return undefined;
      cells.addBytes(bytes, from, puzzleEnd);
      return isFull() ? at + 1 : undefined;
    }
    const width = cutRow(line, cells, size);
    size ||= width;
    if (width !== size || !book.isSize(size)) return undefined;
    if (++rows === size) return isFull() ? at + 1 : undefined;
  }
  return undefined;
}

/** The reading in which the fields of a line after a name are a whole grid: `solution = [[5, 3, 4, ...` */
function namedFields({ fields, book }: Line): FieldReading | undefined {
  const isGrid = (count: number) => count > MAX_ROW_CELLS && book.sizeOfCells(count) !== undefined;
  return FIELD_READINGS.find(({ name }) => fields.name !== undefined && isGrid(fields.cells[name]))?.name;
}

/** Whether `cells` has no blanks; zeros may be a value. */
function isFull(): boolean {
  const codes = cells.codes.subarray(0, cells.count);
  const zeros = codes.filter((code) => code === ZERO).length;
  return zeros ** 2 <= cells.count && !codes.some((code) => BLANK_CODES.has(code));
}

/** The line after the section of a solution that a line opens: its grid, and others that follow it directly. */
export function afterSolution(heading: Line): number | undefined {
  const { context } = heading;
  let end = gridOf(heading);
  for (let next = end; next !== undefined; next = nextGrid(context, end)) end = next;
  while (end !== undefined && isClosing(context.lineAt(end))) end++;
  return end;
}

/** The line after a full grid that begins in line `at`; undefined if none does. */
function nextGrid(context: TextContext, at: number | undefined): number | undefined {
  const line = at === undefined ? undefined : context.lineAt(at);
  return line !== undefined && resemblesCells(line) ? gridFrom(line) : undefined;
}

/** The end of a section or of a list. */
const CLOSING = /^(?:end[ _][a-z]+|[\])}"'`;,.\s]+)$/i;

function isClosing(line: Line | undefined): boolean {
  return line !== undefined && CLOSING.test(line.text);
}

/** The notes of a puzzle, with the solution below a heading after line `after`, if it has one. */
export function withSolution(
  context: TextContext,
  after: number,
  geometry: Geometry,
  puzzle: Cells,
  notes: RecordNotes | undefined,
): RecordNotes | undefined {
  let heading = context.nextText(after);
  while (heading !== undefined && isClosing(heading)) heading = context.nextText(heading.at + 1);
  if (notes?.expected !== undefined || heading === undefined) return notes;
  if (!isSolutionHeading(heading.text) && !isResultLine(heading)) {
    const isLabelled = hasLabel(heading);
    const isOther = !isLabelled && heading.length > MAX_HEADING;
    const end = isLabelled ? gridOf(heading) : isOther ? undefined : gridFrom(heading.next);
    if (end === undefined || !completes(puzzle, geometry.cellCount)) return notes;
    context.solutionEnd = context.window.number(end);
    context.sink.survey?.onSolution();
    return withExpected(context, geometry, notes);
  }
  // Of several solutions it is not known which one is that of the puzzle.
  if (nextGrid(context, gridOf(heading)) !== undefined) return notes;
  if (gridOf(heading) === undefined || cells.count !== geometry.cellCount) return notes;
  return withExpected(context, geometry, notes);
}

/** Whether a line ends with cells after a label, or with the last ones of a list: other lines with cells are puzzles. */
function hasLabel(line: Line): boolean {
  if (namedFields(line) !== undefined) return true;
  const { text } = line;
  const own = CELLS_AT_END.exec(text);
  if (own === null || own.index === 0) return false;
  return /[a-z]/i.test(text.slice(0, own.index)) || /[\])}]/.test(text.slice(own.index + own[1].length));
}

/** Whether the full grid in `cells` has all givens of a puzzle. */
function completes(puzzle: Cells, count: number): boolean {
  const codes = Array.from({ length: count }, (_, cell) => codeAt(puzzle, cell));
  return cells.count === count && solves(cells.codes.subarray(0, count), codes);
}

/** The notes of a puzzle with the solution in `cells`. */
function withExpected(
  context: TextContext,
  geometry: Geometry,
  notes: RecordNotes | undefined,
): RecordNotes | undefined {
  const isSpaced = cells.codes.subarray(0, cells.count).some((code) => code >= NUMBER);
  const solution = context.sink.valuesOf(cells, geometry, isSpaced);
  if (solution !== undefined) return { ...notes, expected: { solution } };
  return { ...notes, warnings: [...(notes?.warnings ?? []), 'expected_unreadable'] };
}
