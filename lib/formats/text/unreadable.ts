/**
 * Lines that no recogniser takes. In a file with a puzzle a line, each is a record in its place. In other files they are
 * one record, up to a place where a puzzle may start.
 *
 * They end with a blank line, unless a few characters or words without a digit follow it: a page of text between puzzles is
 * one record, not one per paragraph.
 */

import { DIGIT, KINDS, SEPARATOR } from '../bytes/byte-kinds.ts';
import type { LineWindow } from '../bytes/line-window.ts';
import { type Fault, makeFault } from '../records/fault.ts';
import { sizeOfSquare } from '../records/layout-book.ts';
import type { ParseError, RecordNotes } from '../records/record-block.ts';
import { isBlankRow } from './grids/cell-grids.ts';
import { isCellsLine } from './grids/cell-lines.ts';
import { mayStartGrid } from './grids/line-tests.ts';
import { isHeader } from './headers/header.ts';
import { isFullLine, isSplitLine } from './lines/full-line.ts';
import type { WordLines } from './lines/words.ts';
import { mayBeBlankRow } from './rows/spaced-blanks.ts';
import { judgeChars } from './shape/judge.ts';
import { resemblesCells } from './shape/likeness.ts';
import { charactersIn, MAX_ROW_CELLS } from './shape/readings.ts';
import type { TextContext } from './text-context.ts';

/** Bytes of the smallest puzzle on a line. */
const MIN_PUZZLE_BYTES = 16;

/** Bytes of a line that a message shows. */
const SHOWN_BYTES = 40;
/** Characters after which no further line is added to the text of a record. */
const MAX_TEXT = 400;

/** Lines that no recogniser takes, until their end is known; only the text of the first ones is kept. */
interface OpenLines {
  readonly error: ParseError;
  readonly notes: RecordNotes | undefined;
  /** Numbers of the first and last line. */
  readonly line: number;
  lineEnd: number;
  /** Whether the first line is not a row and not a list of cells: then such a line ends them. */
  readonly wild: boolean;
  /** Whether a blank line follows them. */
  isAfterGap: boolean;
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
      if (puzzleIn(context, at).part.length <= MAX_ROW_CELLS && resemblesCells(context, at)) {
        context.rowEndLine = context.window.number(at) + 1;
      }
      return;
    }
    report(context, at);
    const error = context.errorOf(faultOf(context, at), at);
    context.sink.survey?.onError(error);
    const line = context.window.number(at);
    this.#open = {
      error,
      notes: { ...context.named(undefined), text: context.excerpt(at, 1) },
      line,
      lineEnd: line,
      wild: !resemblesCells(context, at) || isStub(context, at),
      isAfterGap: false,
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
      const at = window.head;
      if (context.isBlank(at)) {
        if (!open.wild || mayBeBlankRow(context, at) || isBlankRow(context, at)) break;
        open.isAfterGap = true;
        continue;
      }
      if (this.#endsAt(context, at, open.wild)) break;
      if (open.isAfterGap && (context.isComment(at) || !isAside(context, at))) break;
      report(context, at);
      addText(open, context, at);
      open.lineEnd = window.number(at);
    }
    this.#open = undefined;
    context.sink.enterError(open.error, open.line, open.lineEnd, open.notes);
  }

  /** Whether a puzzle may start at line `at`. */
  #endsAt(context: TextContext, at: number, wild: boolean): boolean {
    if (isHeader(context, at)) return true;
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

/** Adds line `at` to the text of open lines. */
function addText({ notes }: OpenLines, context: TextContext, at: number): void {
  const { text = '' } = notes ?? {};
  if (notes !== undefined && text.length < MAX_TEXT) notes.text = `${text}\n${context.excerpt(at, 1)}`;
}

/** Reports an unreadable line while the head is surveyed. */
function report(context: TextContext, at: number): void {
  const { sink, window } = context;
  if (sink.survey === undefined) return;
  const size = sink.book.sizeOfCells(window.tokens[at]);
  // The lines around a puzzle of tokens may be why it is not read.
  const isPuzzle = window.tokens[at] > MAX_ROW_CELLS && resemblesCells(context, at);
  const isDamagedPuzzle =
    window.end[at] - window.text[at] >= MIN_PUZZLE_BYTES &&
    (window.kinds[at] & DIGIT) !== 0 &&
    hasLongPart(window, at) &&
    isDamaged(puzzleIn(context, at).part);
  sink.survey?.onUnreadableLine(isDamagedPuzzle, isPuzzle ? size : undefined);
}

/** What may be a puzzle, between separators, and the quotes and brackets around it. */
const LONG_PART = new RegExp(`[^\\0- ,;:]{${MIN_PUZZLE_BYTES},}`);
const AROUND = /^["'`()[\]{}]|["'`()[\]{}]$/;

/** Whether line `at` has such a part, or a long first token. */
function hasLongPart({ bytes, text, end, tokenEnd }: LineWindow, at: number): boolean {
  if (tokenEnd[at] - text[at] >= MIN_PUZZLE_BYTES) return true;
  for (let byte = text[at], from = byte; byte < end[at]; byte++) {
    if (bytes[byte] <= 32 || KINDS[bytes[byte]] & SEPARATOR) from = byte + 1;
    else if (byte + 1 - from === MIN_PUZZLE_BYTES) return true;
  }
  return false;
}

/** The part of line `at` that should be a puzzle: the first one that is long enough, or the first token. */
function puzzleIn(context: TextContext, at: number): { readonly from: number; readonly part: string } {
  const { lines, window } = context;
  const line = lines.text(at);
  const from = window.text[at];
  if (isSplitLine(context, at)) return { from, part: line };
  const found = LONG_PART.exec(line);
  if (found === null) return { from, part: lines.raw(from, window.tokenEnd[at]) };
  let [part] = found;
  let start = from + found.index;
  while (part.length > MIN_PUZZLE_BYTES && AROUND.test(part)) {
    const isFirst = AROUND.test(part[0]);
    if (isFirst) start++;
    part = isFirst ? part.slice(1) : part.slice(0, -1);
  }
  return { from: start, part };
}

/** Whether nearly all bytes of a text are cells, and some are digits. */
function isDamaged(part: string): boolean {
  const cells = part.replaceAll(/[^\w.*?#-]/g, '').length;
  return cells * 10 >= part.length * 9 && /\d/.test(part) && part.length >= 4;
}

/** Whether line `at` is too short for a puzzle, or words: not the rest of a damaged puzzle. */
function isAside(context: TextContext, at: number): boolean {
  const { text, end, tokens, kinds } = context.window;
  if (context.window.isLong(at)) return false;
  if (resemblesCells(context, at) && !isStub(context, at)) return false;
  if (end[at] - text[at] < MIN_PUZZLE_BYTES) return true;
  return tokens[at] > 1 && (kinds[at] & DIGIT) === 0;
}

/** Whether a line of another width follows a line of digits: the rest of a damaged puzzle is not a row of the next. */
function isStub(context: TextContext, at: number): boolean {
  const { text, end } = context.window;
  if (!context.isInteger(at) || !context.window.has(at + 1)) return false;
  return end[at] - text[at] !== end[at + 1] - text[at + 1];
}

function faultOf(context: TextContext, at: number): Fault {
  const { window } = context;
  const offset = window.text[at];
  const isLong = window.isLong(at);
  const shown = window.string(offset, Math.min(window.end[at], offset + SHOWN_BYTES));
  const quote = isLong || window.end[at] - offset > SHOWN_BYTES ? `${shown}...` : shown;
  if (isLong) return makeFault('too_large', offset, quote, 'a line of at most 1 MiB', { isQuote: true });
  const { from, part } = puzzleIn(context, at);
  const stray = isSplitLine(context, at)
    ? { offset: window.tokenEnd[at], found: ' ' }
    : context.strayIn(from, from + part.length);
  const counted = charactersIn(part);
  const found = `${counted} characters`;
  const size = nearestSize(context, counted);
  const isWhole = counted === size * size;
  if (isWhole && context.only !== undefined && stray === undefined) {
    const where = 'that are no puzzle in that format';
    return makeFault('bad_character', offset, found, `the format ${context.only}`, { where });
  }
  if (isDamaged(part)) {
    if (!isWhole) {
      const more = { where: `on a line of a ${size}x${size} puzzle`, advice: boxHint(counted) };
      return makeFault('bad_length', from, found, `${size * size} characters`, more);
    }
    const more = { isQuote: true, where: `in a ${size}x${size} puzzle` };
    if (stray !== undefined)
      return makeFault('bad_character', stray.offset, stray.found, 'a digit or a blank', more);
  }
  const advice = 'for example a line of 81 digits and dots, or rows of a grid';
  return makeFault('bad_character', offset, quote, 'a puzzle', { isQuote: true, advice });
}

/** A hint on how to read a puzzle of that length, if its size is not looked for. */
function boxHint(length: number): string | undefined {
  const size = sizeOfSquare(length) ?? 0;
  // The squarest box, of two rows or more.
  let rows = Math.floor(Math.sqrt(size));
  while (rows > 1 && size % rows !== 0) rows--;
  if (rows < 2) return undefined;
  const article = size === 8 || size === 18 ? 'an' : 'a';
  return `${article} ${size}x${size} puzzle has ${length}, and needs --box ${rows}x${size / rows}`;
}

/**
 * The size whose puzzle on a line is nearest to a length: that of the last puzzle, if it is within a quarter, or that of
 * most puzzles in a file with a puzzle a line.
 */
function nearestSize({ sink, lineSize }: TextContext, length: number): number {
  const last = sink.lastSize;
  if (last !== undefined && Math.abs(last * last - length) * 4 < last * last) return last;
  if (lineSize !== undefined && length <= 2 * lineSize * lineSize) return lineSize;
  const distance = (size: number) => Math.abs(size * size - length);
  return sink.book.sizes.reduce((best, size) => (distance(size) < distance(best) ? size : best), 9);
}
