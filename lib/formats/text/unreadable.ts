/**
 * Lines that no recogniser takes. In a file with a puzzle a line, each is a record in its place. In other files they are
 * one record, up to a place where a puzzle may start.
 *
 * They end with a blank line. If the next lines are not a puzzle either, a few characters or words without a digit, they
 * belong to the same record: a page of text between puzzles is one record, not one per paragraph.
 */

import { type Fault, makeFault } from '../records/fault.ts';
import { sizeOfSquare } from '../records/layout-book.ts';
import type { ParseError, RecordNotes } from '../records/record-block.ts';
import { CELL, DIGIT, KINDS, kindsIn, SEPARATOR } from './byte-kinds.ts';
import { isCellsLine } from './grids/cell-lines.ts';
import { mayStartGrid } from './grids/field-rows.ts';
import { isHeader } from './headers/header.ts';
import { isFullLine, isSplitLine } from './lines/full-line.ts';
import type { WordLines } from './lines/words.ts';
import { judgeChars } from './shape/judge.ts';
import { resemblesCells } from './shape/likeness.ts';
import { charactersIn, MAX_ROW_CELLS } from './shape/readings.ts';
import type { TextContext } from './text-context.ts';

/** Bytes of the smallest puzzle on a line. */
const MIN_PUZZLE_BYTES = 16;

/** Bytes of a line that a message shows. */
const SHOWN_BYTES = 40;

/** Lines that no recogniser takes, until their end is known; their text is not kept. */
interface OpenLines {
  readonly error: ParseError;
  readonly notes: RecordNotes | undefined;
  /** Numbers of the first and last line. */
  readonly line: number;
  lineEnd: number;
  /** Whether the first line is not a row and not a list of cells: then such a line ends them. */
  readonly wild: boolean;
}

export class UnreadableLines {
  readonly #words: readonly WordLines[];
  #open: OpenLines | undefined;

  /** @param words that start a puzzle */
  constructor(words: readonly WordLines[]) {
    this.#words = words;
  }

  /** Whether the lines that follow may belong to the lines begun last. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Starts with line `at`. */
  begin(context: TextContext, at: number): void {
    if (context.lineSize !== undefined) {
      context.enterError(at, 1, faultOf(context, at));
      const { from, to } = puzzleRange(context, at);
      if (to - from <= MAX_ROW_CELLS && resemblesCells(context, at)) {
        context.rowEndLine = context.window.number(at) + 1;
      }
      return;
    }
    const aside = isAside(context, at);
    const wild = !resemblesCells(context, at) || isStub(context, at);
    report(context, at);
    const held = aside ? context.sink.takeDeferred() : undefined;
    const line = context.window.number(at);
    if (held !== undefined) {
      this.#open = { ...held, lineEnd: line, wild: true };
      return;
    }
    const error = context.errorOf(faultOf(context, at), at);
    context.sink.reportPending(error);
    this.#open = {
      error,
      notes: context.named(undefined),
      line,
      lineEnd: line,
      wild,
    };
  }

  /**
   * Takes the next lines: up to a blank line, a header, a line as long as a puzzle, or the first row or list of cells
   * after a line that is neither. Then it enters the record.
   */
  follow(context: TextContext): void {
    const { window } = context;
    const open = this.#open;
    if (open === undefined) return;
    for (; window.has(window.head); window.consume(1)) {
      if (this.#endsAt(context, window.head, open.wild)) break;
      report(context, window.head);
      open.lineEnd++;
    }
    this.#open = undefined;
    if (open.wild) context.sink.defer(open);
    else context.sink.enterError(open.error, open.line, open.lineEnd, open.notes);
  }

  /** Whether a puzzle may start at line `at`. */
  #endsAt(context: TextContext, at: number, wild: boolean): boolean {
    if (context.isBlank(at) || isHeader(context, at)) return true;
    const { text, end, tokenEnd } = context.window;
    // Most lines of junk are too short for any other check.
    if (end[at] - text[at] >= MIN_PUZZLE_BYTES) {
      if (isFullLine(context, at) || this.#words.some((word) => word.startsAt(context, at))) return true;
      if (isCellsLine(context, at)) return true;
      if (tokenEnd[at] - text[at] >= MIN_PUZZLE_BYTES && this.#isSmallPuzzle(context, at)) return true;
    }
    return wild && (resemblesCells(context, at) || mayStartGrid(context, at));
  }

  /** Whether line `at` is a whole 4x4 or 6x6, not a row of a 16x16 or 36x36. */
  #isSmallPuzzle(context: TextContext, at: number): boolean {
    const { window, sink } = context;
    if (window.tokens[at] !== 1) return false;
    const length = window.tokenEnd[at] - window.text[at];
    if (sink.book.sizeOfCells(length) === undefined || !sink.book.isLineOrRow(length)) return false;
    return judgeChars(context, at) === 'lines';
  }
}

/** Reports an unreadable line while the head is surveyed. */
function report(context: TextContext, at: number): void {
  const { sink, window } = context;
  if (!sink.isSurveying) return;
  const size = sink.book.sizeOfCells(window.tokens[at]);
  // The lines around a puzzle of tokens may be why it is not read.
  const isPuzzle = window.tokens[at] > MAX_ROW_CELLS && resemblesCells(context, at);
  const range = puzzleRange(context, at);
  const isLong = range.to - range.from >= MIN_PUZZLE_BYTES;
  sink.onUnreadableLine(isLong && isDamaged(context, range), isPuzzle ? size : undefined);
}

/** The part of line `at` that should be a puzzle. */
interface PuzzleRange {
  readonly from: number;
  readonly to: number;
}

/** The first range of bytes that is long enough for a puzzle, between separators; else the first token of line `at`. */
function puzzleRange(context: TextContext, at: number): PuzzleRange {
  const { bytes, text, end, tokenEnd } = context.window;
  if (isSplitLine(context, at)) return { from: text[at], to: end[at] };
  for (let from = text[at]; from < end[at]; ) {
    let to = from;
    while (to < end[at] && bytes[to] > 32 && (KINDS[bytes[to]] & SEPARATOR) === 0) to++;
    if (to - from >= MIN_PUZZLE_BYTES) return withoutQuotes(bytes, from, to);
    from = to + 1;
  }
  return { from: text[at], to: tokenEnd[at] };
}

/** A range without the quotes and brackets at its ends. */
function withoutQuotes(bytes: Uint8Array, from: number, to: number): PuzzleRange {
  let [first, last] = [from, to];
  while (last - first > MIN_PUZZLE_BYTES && AROUND.has(bytes[first])) first++;
  while (last - first > MIN_PUZZLE_BYTES && AROUND.has(bytes[last - 1])) last--;
  return { from: first, to: last };
}

/** Quotes and brackets. */
const AROUND: ReadonlySet<number> = new Set([...'"\'`()[]{}'].map((sign) => sign.charCodeAt(0)));

/** Whether nearly all bytes of a range are cells, and some are digits. */
function isDamaged({ window: { bytes } }: TextContext, { from, to }: PuzzleRange): boolean {
  let cells = 0;
  let digits = 0;
  for (let byte = from; byte < to; byte++) {
    if (KINDS[bytes[byte]] & CELL) cells++;
    if (KINDS[bytes[byte]] & DIGIT) digits++;
  }
  return cells * 10 >= (to - from) * 9 && digits > 0 && to - from >= 4;
}

/** Whether line `at` is too short for a puzzle, or words: not the rest of a damaged puzzle. */
function isAside(context: TextContext, at: number): boolean {
  const { bytes, text, end, tokens } = context.window;
  if (context.nextId !== undefined || context.window.isLong(at)) return false;
  if (resemblesCells(context, at) && !isStub(context, at)) return false;
  if (end[at] - text[at] < MIN_PUZZLE_BYTES) return true;
  return tokens[at] > 1 && (kindsIn(bytes, text[at], end[at], DIGIT) & DIGIT) === 0;
}

/** Whether a line of another width follows a line of digits: the rest of a damaged puzzle is not a row of the next. */
function isStub(context: TextContext, at: number): boolean {
  const { window } = context;
  if (!context.isInteger(at) || !window.has(at + 1)) return false;
  return window.end[at] - window.text[at] !== window.end[at + 1] - window.text[at + 1];
}

function faultOf(context: TextContext, at: number): Fault {
  const { window } = context;
  const offset = window.text[at];
  if (window.isLong(at)) {
    const found = `${window.string(offset, offset + SHOWN_BYTES)}...`;
    return makeFault('too_large', offset, found, 'a line of at most 1 MiB', { isQuote: true });
  }
  const range = puzzleRange(context, at);
  const stray = isSplitLine(context, at)
    ? { offset: window.tokenEnd[at], found: ' ' }
    : context.strayIn(range.from, range.to);
  const counted = charactersIn(window.bytes, range.from, range.to);
  const size = nearestSize(context, counted);
  const isWhole = counted === size * size;
  if (isWhole && context.only !== undefined && stray === undefined) {
    const where = 'that are no puzzle in that format';
    const expected = `the format ${context.only}`;
    return makeFault('bad_character', offset, `${counted} characters`, expected, { where });
  }
  if (isDamaged(context, range) && !(isWhole && stray === undefined)) {
    if (isWhole && stray !== undefined) {
      const more = { isQuote: true, where: `in a ${size}x${size} puzzle` };
      return makeFault('bad_character', stray.offset, stray.found, 'a digit or a blank', more);
    }
    const where = `on a line of a ${size}x${size} puzzle`;
    const more = { where, advice: boxHint(counted) };
    return makeFault('bad_length', range.from, `${counted} characters`, `${size * size} characters`, more);
  }
  const shown = window.string(offset, Math.min(window.end[at], offset + SHOWN_BYTES));
  const found = window.end[at] - offset > SHOWN_BYTES ? `${shown}...` : shown;
  const advice = 'for example a line of 81 digits and dots, or rows of a grid';
  return makeFault('bad_character', offset, found, 'a puzzle', { isQuote: true, advice });
}

/** A hint on how to read a puzzle of that length, if its size is not looked for. */
function boxHint(length: number): string | undefined {
  const size = sizeOfSquare(length) ?? 0;
  const box = boxOf(size);
  if (box === undefined) return undefined;
  const article = size === 8 || size === 18 ? 'an' : 'a';
  return `${article} ${size}x${size} puzzle has ${length}, and needs --box ${box}`;
}

/** The squarest box of a size, rows x columns; undefined if it has none of two rows or more. */
function boxOf(size: number): string | undefined {
  for (let rows = Math.floor(Math.sqrt(size)); rows > 1; rows--) {
    if (size % rows === 0) return `${rows}x${size / rows}`;
  }
  return undefined;
}

/**
 * The size whose puzzle on a line is nearest to a length: that of the last puzzle, if it is within a quarter, or that of
 * most puzzles in a file with a puzzle a line.
 */
function nearestSize(context: TextContext, length: number): number {
  const last = context.sink.lastSize;
  if (last !== undefined && Math.abs(last * last - length) * 4 < last * last) return last;
  const { lineSize } = context;
  if (lineSize !== undefined && length <= 2 * lineSize * lineSize) return lineSize;
  let best = 9;
  for (const size of context.sink.book.sizes) {
    if (Math.abs(size * size - length) < Math.abs(best * best - length)) best = size;
  }
  return best;
}
