/**
 * Lines that no format knows: one record for the whole stretch, and reading goes on where a puzzle may start.
 *
 * A stretch ends with a blank line. What then follows and is no puzzle either, a few characters or words without a
 * digit, belongs to it: a page of text between puzzles is one record, not one for each paragraph.
 */
import { squareRoot } from '../records/layout-book.ts';
import type { ParseError, RecordNotes } from '../records/record-block.ts';
import { isHeader } from './headers/header.ts';
import { judgeRun } from './lines/line-runs.ts';
import { isFullLine } from './rows/row-grids.ts';
import { CELL, DIGIT, KINDS, LETTER, type TextContext, type TextFault } from './text-context.ts';

/** Characters of the smallest puzzle on a line. */
const LEAST_PUZZLE = 16;

/** What a message shows of a line. */
const SHOWN_CHARACTERS = 40;

/** Lines that no format knows, in the order of the file; none of them is kept. */
export interface Stretch {
  readonly error: ParseError;
  readonly notes: RecordNotes | undefined;
  /** First and last line, from 1. */
  readonly line: number;
  lineEnd: number;
  /** The first line is no row and no list of cells: then such a line ends the stretch. */
  readonly wild: boolean;
}

/** Opens a stretch with line `at`. */
export function beginStretch(context: TextContext, at: number): void {
  const held = isAside(context, at) ? context.sink.takeHeld() : undefined;
  const line = context.window.number(at);
  if (held !== undefined) {
    context.stretch = { ...held, lineEnd: line, wild: true };
    return;
  }
  const error = context.errorOf(faultOf(context, at));
  context.sink.foresee(error);
  context.stretch = {
    error,
    notes: context.named(undefined),
    line,
    lineEnd: line,
    wild: !resemblesCells(context, at) || isStub(context, at),
  };
}

/**
 * Takes further lines of the open stretch: up to a blank line, a header, a line as long as a puzzle, or the first
 * row or list of cells behind a line that is neither. Then it becomes one record.
 *
 * @returns false where more bytes are needed to go on
 */
export function followStretch(context: TextContext): boolean {
  const { window, stretch } = context;
  if (stretch === undefined) return true;
  for (; window.has(window.head); window.consume(1)) {
    const ends = endsStretch(context, window.head, stretch.wild);
    if (ends === undefined) return false;
    if (ends) break;
    stretch.lineEnd++;
  }
  if (!window.has(window.head) && !window.closed) return false;
  context.stretch = undefined;
  if (stretch.wild) context.sink.hold(stretch);
  else context.sink.error(stretch.error, stretch.line, stretch.lineEnd, stretch.notes);
  return true;
}

/** Whether line `at`, which no format knows, is too little for a puzzle, or words: not what is left of one. */
function isAside(context: TextContext, at: number): boolean {
  const { bytes, text, end, tokens } = context.window;
  if (context.nextId !== undefined || context.window.isLong(at)) return false;
  if (resemblesCells(context, at) && !isStub(context, at)) return false;
  if (end[at] - text[at] < LEAST_PUZZLE) return true;
  for (let byte = text[at]; byte < end[at]; byte++) if (KINDS[bytes[byte]] & DIGIT) return false;
  return tokens[at] > 1;
}

/** Whether a line of digits is followed by a line of another width: what is left of a puzzle is no row of the next. */
function isStub(context: TextContext, at: number): boolean {
  const { window } = context;
  if (!context.isInteger(at) || !window.has(at + 1)) return false;
  return window.end[at] - window.text[at] !== window.end[at + 1] - window.text[at + 1];
}

/** Whether a puzzle may start at line `at`; undefined where more lines are needed to tell. */
function endsStretch(context: TextContext, at: number, wild: boolean): boolean | undefined {
  if (context.isBlank(at) || isHeader(context, at)) return true;
  const { text, end, tokenEnd } = context.window;
  // Most lines of junk are too short to be looked at.
  if (end[at] - text[at] >= LEAST_PUZZLE) {
    if (isFullLine(context, at)) return true;
    const small = tokenEnd[at] - text[at] >= LEAST_PUZZLE && isSmallPuzzle(context, at);
    if (small !== false) return small;
  }
  return wild && resemblesCells(context, at);
}

/**
 * Whether a line is a whole 4x4 or 6x6, and no row of a 16x16 or 36x36; undefined where more lines are needed to tell.
 */
function isSmallPuzzle(context: TextContext, at: number): boolean | undefined {
  const { window, sink } = context;
  if (window.tokens[at] !== 1) return false;
  const length = window.tokenEnd[at] - window.text[at];
  if (sink.book.sizeOfCells(length) === undefined || !sink.book.isLineOrRow(length)) return false;
  const kind = judgeRun(context, at);
  return kind === undefined ? undefined : kind === 'lines';
}

/** Whether a line may be a row or a list of cells: one token of cells with a digit or a blank in it, or short tokens. */
export function resemblesCells(context: TextContext, at: number): boolean {
  const { bytes, text, end, tokens } = context.window;
  if (isProse(end[at] - text[at], tokens[at])) return false;
  let other = false;
  for (let byte = text[at]; byte < end[at]; byte++) {
    const kind = KINDS[bytes[byte]];
    if (bytes[byte] > 32 && (kind & CELL) === 0) return false;
    if (kind & CELL && !(kind & LETTER)) other = true;
  }
  return other;
}

/** Whether a line of so many bytes and tokens is prose: tokens longer than cells, more than one of them. */
function isProse(length: number, tokens: number): boolean {
  return tokens > 1 && length > tokens * 4;
}

function faultOf(context: TextContext, at: number): TextFault {
  const { window } = context;
  const { bytes, text } = window;
  const offset = text[at];
  if (window.isLong(at)) {
    return {
      code: 'too_large',
      line: at,
      offset,
      found: `${window.string(offset, offset + SHOWN_CHARACTERS)}...`,
      expected: 'a line of at most 1 MiB',
      problem: 'found a line of more than 1 MiB: no puzzle is that long',
    };
  }
  const length = window.tokenEnd[at] - offset;
  let cells = 0;
  let digits = 0;
  for (let byte = offset; byte < window.tokenEnd[at]; byte++) {
    if (KINDS[bytes[byte]] & CELL) cells++;
    if (KINDS[bytes[byte]] & DIGIT) digits++;
  }
  if (cells * 10 >= length * 9 && digits > 0 && length >= 4) {
    const characters = context.characters(at);
    const counted = window.tokens[at] === 1 ? characters : length;
    const size = nearestSize(context, counted);
    if (counted === size * size && context.only !== undefined && cells === length) {
      const expected = `the format ${context.only}`;
      const found = `${counted} characters`;
      const problem = `found ${counted} characters, which are no puzzle in ${expected}, the one that was asked for`;
      return { code: 'bad_character', line: at, offset, found, expected, problem };
    }
    if (counted === size * size) {
      const stray = context.strayCharacter(at);
      return {
        code: 'bad_character',
        line: at,
        ...stray,
        expected: 'a digit or a blank',
        problem: `found "${stray.found}" in a ${size}x${size} puzzle: expected a digit or a blank`,
      };
    }
    return {
      code: 'bad_length',
      line: at,
      offset,
      found: `${counted} characters`,
      expected: `${size * size} characters`,
      problem: `found ${counted} characters: a ${size}x${size} puzzle on a line has ${size * size}${boxHint(counted)}`,
    };
  }
  const shown = window.string(offset, Math.min(window.end[at], offset + SHOWN_CHARACTERS));
  const found = window.end[at] - offset > SHOWN_CHARACTERS ? `${shown}...` : shown;
  return {
    code: 'bad_character',
    line: at,
    offset,
    found,
    expected: 'a puzzle',
    problem: `found "${found}": expected a puzzle, such as a line of 81 digits and dots, or rows of a grid`,
  };
}

/** Where a length is that of a puzzle of a size that is not looked for: how it is read all the same. */
function boxHint(length: number): string {
  const size = squareRoot(length);
  const box = size === undefined ? undefined : boxOf(size);
  if (size === undefined || box === undefined) return '';
  const article = size === 8 || size === 18 ? 'an' : 'a';
  return `; ${article} ${size}x${size} one has ${length}, and is read with --box ${box}`;
}

/** The box of a size, rows x columns, with the sides that differ least; undefined where it has none of two rows and more. */
function boxOf(size: number): string | undefined {
  for (let rows = Math.floor(Math.sqrt(size)); rows > 1; rows--) {
    if (size % rows === 0) return `${rows}x${size / rows}`;
  }
  return undefined;
}

/** The size whose puzzle on a line is nearest to a length: the last one read, if it is near enough. */
function nearestSize(context: TextContext, length: number): number {
  const last = context.sink.lastSize;
  if (last !== undefined && Math.abs(last * last - length) * 4 < last * last) return last;
  let best = 9;
  for (const size of context.sink.book.sizes) {
    if (Math.abs(size * size - length) < Math.abs(best * best - length)) best = size;
  }
  return best;
}
