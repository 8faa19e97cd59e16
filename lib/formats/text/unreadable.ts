/**
 * Lines that no recogniser takes. In a file with a puzzle a line, each is a record in its place. In other files they are
 * one record, up to a place where a puzzle may start.
 *
 * They end with a blank line, unless a few characters or words without a digit follow it: a page of text between puzzles is
 * one record, not one per paragraph.
 */

import {
  BARS,
  BLANKS,
  CELL,
  CONTROL,
  DIGIT,
  KINDS,
  kindsIn,
  SEPARATOR,
  SPACE,
  WRAPS,
} from '../bytes/byte-kinds.ts';
import type { LineWindow } from '../bytes/line-window.ts';
import { type Fault, makeFault } from '../records/fault.ts';
import { sizeOfSquare } from '../records/layout-book.ts';
import { boxed } from './drawings/boxed.ts';
import { isBlankRow } from './grids/cell-grids.ts';
import { isCellsLine } from './grids/cell-lines.ts';
import { isWords, mayStartGrid } from './grids/line-tests.ts';
import { isHeader, mayBeHeader } from './headers/header.ts';
import { isFullLine, isSplitLine } from './lines/full-line.ts';
import type { WordLines } from './lines/words.ts';
import { NO } from './recogniser.ts';
import { mayBeBlankRow } from './rows/spaced-blanks.ts';
import { judgeChars } from './shape/judge.ts';
import type { Line } from './shape/line.ts';
import { boxes, charactersIn, MAX_ROW_CELLS } from './shape/readings.ts';
import { isRuler, resemblesCells } from './shape/rulers.ts';
import type { HeldError, TextContext } from './text-context.ts';

/** Bytes of the smallest puzzle on a line. */
const MIN_PUZZLE_BYTES = 16;

/** Bytes of a line that a message shows. */
const SHOWN_BYTES = 40;
/** Characters after which no further line is added to the text of a record. */
const MAX_TEXT = 400;

/** Lines that no recogniser takes, until their end is known; only the text of the first ones is kept. */
interface OpenLines extends HeldError {
  lineEnd: number;
  /** Whether the first line is not a row and not a list of cells: then such a line ends them. */
  readonly wild: boolean;
}

export class UnreadableLines {
  readonly #words: readonly WordLines[];
  #open: OpenLines | undefined;
  /** Whether a blank line follows them. */
  #isAfterGap = false;

  /** @param words that start a puzzle */
  constructor(words: readonly WordLines[]) {
    this.#words = words;
  }

  /** Whether the lines that follow may belong to the lines begun last. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Starts with a line. */
  begin(line: Line): void {
    const { context, number } = line;
    const part = puzzleIn(line);
    const fault = faultOf(line, part);
    if (context.lineSize !== undefined) {
      context.enterError(line, 1, fault);
      if (part.to - part.from <= MAX_ROW_CELLS && resemblesCells(line)) context.rowEndLine = number + 1;
      return;
    }
    report(line);
    const error = context.errorOf(fault, line);
    context.sink.survey?.onError(error);
    const notes = { ...context.named(undefined), text: context.excerpt(line, 1) };
    const wild = !resemblesCells(line) || isStub(line);
    this.#open = { error, notes, line: number, lineEnd: number, wild };
    this.#isAfterGap = false;
  }

  /**
   * Takes the next lines: up to a blank line, a header, a line as long as a puzzle, or the first row or list of cells
   * after a line that is neither. Then it enters the record.
   *
   * @param recognise takes the puzzle or the header on a line, if there is one
   */
  follow(context: TextContext, recognise: (line: Line) => number): void {
    const { window } = context;
    const open = this.#open;
    if (open === undefined) return;
    context.held = open;
    let taken = NO;
    for (; window.has(window.head); window.consume(1)) {
      if (this.#isPlain(context, open)) {
        context.sink.survey?.onUnreadableLine(false, undefined);
        open.lineEnd = window.number(window.head);
        continue;
      }
      const line = context.line(window.head);
      if (line.isBlank) {
        if (!open.wild || mayBeBlankRow(line) || isBlankRow(line)) break;
        this.#isAfterGap = true;
        continue;
      }
      const isOther = this.#isAfterGap && (line.isComment || !isAside(line));
      const ends = this.#endsAt(line, open.wild);
      if (isOther || (ends && !this.#isAfterGap && !isStub(line))) break;
      // A lone number, or a few characters below a gap, belong to them as well, if they are nothing else.
      if (ends) taken = recognise(line);
      if (taken !== NO) break;
      report(line);
      const { notes } = open;
      const { text = '' } = notes;
      if (text.length < MAX_TEXT) notes.text = `${text}\n${context.excerpt(line, 1)}`;
      open.lineEnd = line.number;
    }
    this.#open = undefined;
    context.enterHeld();
    if (taken !== NO) window.consume(taken);
  }

  /** Whether the next line is one of those, as most are: no header, no puzzle, not to be shown, and the start of no grid. */
  #isPlain({ window }: TextContext, { notes, wild }: OpenLines): boolean {
    if ((notes.text?.length ?? 0) < MAX_TEXT) return false;
    const { bytes, head } = window;
    const from = window.text[head];
    const end = window.end[head];
    const length = end - from;
    if (length === 0 || length > MAX_PLAIN_BYTES) return false;
    const isShort = length < MIN_PUZZLE_BYTES;
    const areWords = isWords(bytes, from, end);
    if (!areWords && !isShort) return false;
    const kinds = kindsIn(bytes, from, end);
    // A bar or two start no grid.
    const isOther = isShort && (!wild || (length < 3 && kinds === BARS));
    const isPlain = isOther || (areWords && isProse(window, head, kinds, isShort));
    return isPlain && !mayBeHeader(bytes, from, end, kinds);
  }

  /** Whether a puzzle may start at a line. */
  #endsAt(line: Line, wild: boolean): boolean {
    if (isHeader(line)) return true;
    // Most lines of junk are too short for any other check.
    if (line.length >= MIN_PUZZLE_BYTES) {
      if (isFullLine(line) || this.#words.some((word) => word.startsAt(line)) || isCellsLine(line))
        return true;
      if (isSmallPuzzle(line)) return true;
    }
    return wild && (resemblesCells(line) || mayStartGrid(line) || isTopOfBoxes(line));
  }
}

/** Whether a line is drawn above a whole grid in boxes. */
function isTopOfBoxes(line: Line): boolean {
  const { book, context } = line;
  let row = isRuler(line) && (context.only ?? boxed.name) === boxed.name ? line.next : undefined;
  const size = row?.width(boxes) ?? 0;
  let rows = 0;
  for (; row !== undefined && rows < size && book.isSize(size); row = row.next) {
    if (row.width(boxes) === size) rows++;
    else if (!isRuler(row)) break;
  }
  return size > 0 && rows === size;
}

/** Whether a line of words has no digits, and its first one is too short for a puzzle, a link or an id of a bank. */
function isProse({ text, end, tokenEnd, tokens }: LineWindow, at: number, kinds: number, isShort: boolean) {
  if (kinds & DIGIT) return false;
  const isLoose = tokens[at] > 1 && end[at] - text[at] > tokens[at] * 4;
  if (kinds & BLANKS && !isLoose) return false;
  return isShort || (tokens[at] > 1 && tokenEnd[at] - text[at] < MAX_WORD_BYTES);
}

/** Bytes of the longest line that is looked at in that way: in a longer one, a puzzle may follow its label. */
const MAX_PLAIN_BYTES = 80;
const MAX_WORD_BYTES = 12;

/** Whether a line is a whole 4x4 or 6x6, not a row of a 16x16 or 36x36. */
function isSmallPuzzle(line: Line): boolean {
  const { book, length } = line;
  const mayBe = line.tokens === 1 && book.sizeOfCells(length) !== undefined && book.isLineOrRow(length);
  return mayBe && !isRuler(line) && judgeChars(line) === 'lines';
}

/** Reports an unreadable line while the head is surveyed. */
function report(line: Line): void {
  const { survey, book } = line.context.sink;
  if (survey === undefined) return;
  // The lines around a puzzle of tokens may be why it is not read.
  const isPuzzle = line.tokens > MAX_ROW_CELLS && resemblesCells(line);
  const mayBeDamaged = (line.kinds & DIGIT) !== 0 && line.hasRun(PARTS, MIN_PUZZLE_BYTES);
  const isDamagedPuzzle = mayBeDamaged && isDamaged(line, puzzleIn(line));
  survey.onUnreadableLine(isDamagedPuzzle, isPuzzle ? book.sizeOfCells(line.tokens) : undefined);
}

/** What may be a puzzle, between separators, and the quotes and brackets around it. */
const PARTS = ~(SEPARATOR | SPACE | CONTROL);

/** Offsets of a part of a line. */
interface Part {
  readonly from: number;
  readonly to: number;
}

/** The part of a line that should be a puzzle: the first one that is long enough, or the first token. */
function puzzleIn(line: Line): Part {
  const { bytes, from: first, end, tokenEnd } = line;
  if (isSplitLine(line)) return { from: first, to: end };
  for (let from = first; from < end; from++) {
    let to = from;
    while (to < end && KINDS[bytes[to]] & PARTS) to++;
    if (to - from >= MIN_PUZZLE_BYTES) return unwrapped(bytes, from, to);
    from = to;
  }
  return { from: first, to: tokenEnd };
}

/** A part without the quotes and brackets at its ends. */
function unwrapped(bytes: Uint8Array, first: number, last: number): Part {
  let [from, to] = [first, last];
  while (to - from > MIN_PUZZLE_BYTES && KINDS[bytes[from]] & WRAPS) from++;
  while (to - from > MIN_PUZZLE_BYTES && KINDS[bytes[to - 1]] & WRAPS) to--;
  return { from, to };
}

/** Whether nearly all bytes of a part are cells, and some are digits. */
function isDamaged({ bytes }: Line, { from, to }: Part): boolean {
  let [cells, kinds] = [0, 0];
  for (let at = from; at < to; at++) {
    const kind = KINDS[bytes[at]];
    if (kind & CELL) cells++;
    kinds |= kind;
  }
  return cells * 10 >= (to - from) * 9 && (kinds & DIGIT) !== 0 && to - from >= MIN_DAMAGED_BYTES;
}

const MIN_DAMAGED_BYTES = 4;

/** Whether a line is too short for a puzzle, or words: not the rest of a damaged puzzle. */
function isAside(line: Line): boolean {
  if (line.isLong || (resemblesCells(line) && !isStub(line))) return false;
  return line.length < MIN_PUZZLE_BYTES || (line.tokens > 1 && (line.kinds & DIGIT) === 0);
}

/** Whether a line of another width follows a line of digits: the rest of a damaged puzzle is not a row of the next. */
function isStub(line: Line): boolean {
  const next = line.isInteger ? line.next : undefined;
  return next !== undefined && line.length !== next.length;
}

function faultOf(line: Line, part: Part): Fault {
  const { context, from: offset, end, isLong, tokenEnd } = line;
  const shown = line.string(offset, Math.min(end, offset + SHOWN_BYTES));
  const quote = isLong || line.length > SHOWN_BYTES ? `${shown}...` : shown;
  if (isLong) return makeFault('too_large', offset, quote, 'a line of at most 1 MiB', { isQuote: true });
  const { from, to } = part;
  const stray = isSplitLine(line) ? { offset: tokenEnd, found: ' ' } : line.strayIn(from, to);
  const counted = charactersIn(line.bytes, from, to);
  const found = `${counted} characters`;
  const size = nearestSize(context, counted);
  const isWhole = counted === size * size;
  if (isWhole && context.only !== undefined && stray === undefined) {
    const where = 'that are no puzzle in that format';
    return makeFault('bad_character', offset, found, `the format ${context.only}`, { where });
  }
  if (isDamaged(line, part) && !isWhole) {
    const more = { where: `on a line of a ${size}x${size} puzzle`, advice: boxHint(counted) };
    return makeFault('bad_length', from, found, `${size * size} characters`, more);
  }
  if (isDamaged(line, part) && stray !== undefined) {
    const more = { isQuote: true, where: `in a ${size}x${size} puzzle` };
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
