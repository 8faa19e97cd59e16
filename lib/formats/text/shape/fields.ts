/**
 * The fields of a line: what separators, brackets and quotes leave.
 *
 *     [5, 3, 0, 0, 7],      a name, brackets, quotes and the end of a statement are dropped
 *     5;3;;;7;;;;           an empty field is a blank
 *     | 5 | 3 |   |         bars around a row are a frame, not empty fields
 *     5 3 . | . 7 .         fields of several cells: as many in each
 *     530|070|000           fields of adjacent cells: as many in each
 *
 * The separators are those of the line itself: `, ; | ! /` if it has any of them, else tabs if there are no brackets,
 * else white space.
 */
import { BACKSLASH, isBar, LETTER_N } from '../../bytes/ascii.ts';
import { MINUS_ONE, NUMBER } from '../../cells/grid-buffer.ts';
import type { LayoutBook } from '../../records/layout-book.ts';
import { CELL, CLOSE, commonKind, KINDS, LETTER, OPEN, PARTS, QUOTE, SPACE } from '../byte-kinds.ts';
import type { LineWindow } from '../line-window.ts';
import { tokenCode } from './cells.ts';
import { type LineSpan, spanOf } from './span.ts';

/** Cells of the largest puzzle, and some too many. */
const MAX_TOKENS = 1300;

/** Code of a blank. */
export const BLANK = 32;
/** Codes of tokens that are no single cell: adjacent cells, and other text. */
const ADJACENT = -1;
const STRAY = -2;

/** Words for a blank in program code, in lower case. */
const BLANK_WORD = /^(?:none|null|nil|nan?|undefined|empty|blank|nothing)$/i;
const MAX_BLANK_WORD = 9;
/** Cells of the smallest row between bars whose first and last cells may be blanks outside the bars. */
const MIN_UNFRAMED = 9;

/** How the tokens of a line are read: each one a cell, or each one several adjacent cells. */
export type FieldReading = 'single' | 'adjacent';

const NO_SPAN: LineSpan = {
  from: 0,
  to: 0,
  end: 0,
  separator: 0,
  structured: false,
  continues: false,
  opensText: false,
  outerBars: false,
  rowInQuotes: false,
  name: undefined,
  hasOpening: false,
};

export class LineFields {
  /** Where the cells are in the line, and what surrounds them. */
  span = NO_SPAN;
  /** A token for each cell, each group of adjacent cells, and each empty field. */
  tokens = 0;
  /** Offsets of a token from the start of its line. */
  from: number[] = [];
  to: number[] = [];
  /** The same with the white space of its field, if it is the only token of the field. */
  left: number[] = [];
  right: number[] = [];
  /** Cell code; negative if the token is no single cell. */
  code: number[] = [];
  /** The separator after the token; 0 if there is none other than spaces. */
  after: number[] = [];
  /** Brackets that are opened before the first token, and those that are closed after the last one. */
  opens = 0;
  closes = 0;
  /** Fields of any line; those of a frame are not counted. */
  count = 0;
  /** Index of the first token that is neither a cell nor adjacent cells; -1 if there is none. */
  stray = -1;
  /** Number of cells of each reading; 0 if the line cannot be read so. */
  readonly cells = { single: 0, adjacent: 0 };
  /** Index of the first token with cells, if each one is a cell. */
  #first = 0;

  /** Fields at the ends of the line that are empty: they may be a frame. */
  #leadingEmpty = false;
  #trailingEmpty = false;

  /** Splits the bytes `text` to `last` (exclusive) of line `at`: its text, or a part of it. */
  split(window: LineWindow, at: number, text: number, last: number, book: LayoutBook): void {
    const { bytes, start: starts } = window;
    const start = starts[at];
    const found = window.isLong(at) ? undefined : spanOf(window, at, text, last, book);
    const span = found ?? NO_SPAN;
    const { separator } = span;
    const [from, to] = [start + span.from, start + span.to];
    this.span = span;
    this.tokens = this.count = this.opens = this.closes = 0;
    this.cells.single = this.cells.adjacent = 0;
    this.stray = -1;
    this.#leadingEmpty = this.#trailingEmpty = false;
    if (found === undefined) return;
    /** Tokens before the open field, and its start; -1 after a closing bracket. */
    let first = 0;
    let field = from;
    let fields = 0;
    let closes = 0;
    /** Tokens in each field; 0 if not all fields have as many. */
    let perField = 0;
    const endField = (end: number, after: number) => {
      if (this.tokens === first) this.#add(field - start, field - start, BLANK);
      const count = this.tokens - first;
      if (count === 1) {
        this.left[first] = field - start;
        this.right[first] = end - start;
      }
      this.after[this.tokens - 1] = after;
      perField = fields === 0 || perField === count ? count : 0;
      fields++;
      first = this.tokens;
    };
    for (let byte = from; byte < to && this.tokens < MAX_TOKENS; ) {
      const kind = KINDS[bytes[byte]];
      if (span.outerBars && isBar(bytes[byte]) && fields === 0 && this.tokens === 0) field = ++byte;
      else if (kind & separator) {
        if (field >= 0 && this.tokens === first) this.#leadingEmpty ||= fields === 0 && this.opens === 0;
        if (field >= 0) endField(byte, bytes[byte]);
        else this.after[this.tokens - 1] = bytes[byte];
        field = ++byte;
        closes = 0;
      } else if (kind & SPACE) byte++;
      else if (kind & OPEN) {
        // A bracket directly after a cell is a call, or other code.
        if (field >= 0 && this.tokens > first) this.#add(byte - start, byte + 1 - start, STRAY);
        else if (this.tokens === 0) this.opens++;
        field = ++byte;
      } else if (kind & CLOSE) {
        // A separator before the bracket ends the list, not an empty field.
        if (field >= 0 && this.tokens > first) endField(byte, 0);
        field = -1;
        closes++;
        byte++;
      } else if (kind & QUOTE && span.rowInQuotes) byte++;
      else {
        const token = byte;
        if (field < 0) field = byte;
        if (kind & QUOTE) byte = this.#addQuoted(bytes, start, byte, to);
        else {
          while (++byte < to && (KINDS[bytes[byte]] & (PARTS | SPACE)) === 0);
          this.#add(token - start, byte - start, codeOf(bytes, token, byte));
        }
        closes = 0;
        if (separator === 0) {
          field = token;
          endField(byte, 0);
          field = byte;
        }
      }
    }
    const closed = span.outerBars && this.tokens === first && isBar(this.after[Math.max(0, first - 1)]);
    if (separator !== 0 && field >= 0 && !closed) {
      this.#trailingEmpty = this.tokens === first;
      endField(to, 0);
    }
    this.closes = closes;
    this.#finish(bytes, start, book, perField);
  }

  /** Index of the first token with cells, and after the last one. */
  range(reading: FieldReading): readonly [first: number, end: number] {
    return reading === 'single' ? [this.#first, this.#first + this.count] : [0, this.tokens];
  }

  /** Index of the first token that is no single cell; -1 if there is none. */
  get wide(): number {
    return this.code.findIndex((code, token) => token < this.tokens && code < 0);
  }

  /** Index of the only token of `size` that does not have `size` cells; undefined if the line is not of such groups. */
  wrongGroup(size: number): number | undefined {
    if (this.tokens !== size) return undefined;
    let wrong: number | undefined;
    for (let token = 0; token < size; token++) {
      if (this.to[token] - this.from[token] === size) continue;
      if (wrong !== undefined) return undefined;
      wrong = token;
    }
    return wrong;
  }

  /** Whether the line may be a row of blanks, or only separate grids: all fields are empty, without bars. */
  get maySeparate(): boolean {
    return this.isEmpty && !isBar(this.after[0]);
  }

  /** Whether all fields are empty. */
  get isEmpty(): boolean {
    for (let token = 0; token < this.tokens; token++) if (this.to[token] > this.from[token]) return false;
    return this.tokens > 1;
  }

  /** How many empty fields at the ends of the line are a frame, or come from a separator that ends the line. */
  #edges(book: LayoutBook): 0 | 1 | 2 {
    const { tokens } = this;
    const both = this.#leadingEmpty && this.#trailingEmpty && tokens > 2;
    const framed = both && isBar(this.after[0]) && isBar(this.after[tokens - 2]);
    // A small grid between bars is more often one of a few boxes.
    if (framed && (sizeOf(book, tokens - 2) > 0 || tokens < MIN_UNFRAMED)) return 2;
    if (sizeOf(book, tokens) > 0) return 0;
    if ((this.#leadingEmpty || this.#trailingEmpty) && sizeOf(book, tokens - 1) > 0) return 1;
    return framed || (both && sizeOf(book, tokens - 2) > 0) ? 2 : 0;
  }

  #addQuoted(bytes: Uint8Array, start: number, quote: number, to: number): number {
    const close = bytes.indexOf(bytes[quote], quote + 1);
    if (close < 0 || close >= to) {
      this.#add(quote - start, quote + 1 - start, STRAY);
      return to;
    }
    const from = quote + 1;
    // A line break in a text of program code.
    const last = bytes[close - 2] === BACKSLASH && bytes[close - 1] === LETTER_N ? close - 2 : close;
    const end = Math.max(from, last);
    this.#add(from - start, end - start, close === from ? BLANK : codeOf(bytes, from, end, true));
    return close + 1;
  }

  #add(from: number, to: number, code: number): void {
    const token = this.tokens++;
    this.from[token] = this.left[token] = from;
    this.to[token] = this.right[token] = to;
    this.code[token] = code;
    this.after[token] = 0;
  }

  /** Derives from the tokens how they can be read. */
  #finish(bytes: Uint8Array, start: number, book: LayoutBook, tokensInField: number): void {
    const { code, from, to, tokens, cells } = this;
    let perField = tokensInField;
    /** Largest number of several digits, and largest letter, if all cells are letters. */
    let [largest, letter, letters] = [0, 0, true];
    /** Length of each token, if all of them may be adjacent cells of one length; else 0. */
    let length = tokens > 0 ? to[0] - from[0] : 0;
    for (let token = 0; token < tokens; token++) {
      if (code[token] === STRAY && this.stray < 0) this.stray = token;
      if (code[token] === ADJACENT) perField = 0;
      if (code[token] > NUMBER && code[token] !== MINUS_ONE)
        largest = Math.max(largest, code[token] - NUMBER);
      if (to[token] - from[token] !== length) length = 0;
      if (from[token] === to[token]) letters = false;
      for (let at = start + from[token]; letters && at < start + to[token]; at++) {
        if ((KINDS[bytes[at]] & LETTER) === 0) letters = false;
        letter = Math.max(letter, (bytes[at] | 32) - 96);
      }
    }
    const edges = this.#edges(book);
    this.count = tokens - edges;
    this.#first = edges === 2 || (edges === 1 && this.#leadingEmpty) ? 1 : 0;
    // Numbers that are too large for the fields may be adjacent digits.
    if (length > 1 && largest > sizeOf(book, this.count)) perField = 0;
    if (this.stray >= 0) return;
    cells.single = perField > 0 ? this.count : 0;
    // Letters alone are words, unless none is beyond the size.
    const words = letters && letter > sizeOf(book, tokens * length);
    cells.adjacent = length > 1 && !words ? tokens * length : 0;
  }
}

/** The size of grids with rows of that many cells, or with that many cells in all; 0 if there is none. */
function sizeOf(book: LayoutBook, cells: number): number {
  return book.isSize(cells) ? cells : (book.sizeOfCells(cells) ?? 0);
}

/** @param quoted whether spaces are cells */
function codeOf(bytes: Uint8Array, from: number, to: number, quoted = false): number {
  if (to - from === 1) return bytes[from];
  const code = tokenCode(bytes, from, to);
  if (code >= 0) return code;
  const kind = commonKind(bytes, from, to);
  const isShortWord = kind & LETTER && to - from <= MAX_BLANK_WORD;
  if (isShortWord && BLANK_WORD.test(String.fromCharCode(...bytes.subarray(from, to)))) return BLANK;
  if (kind & CELL) return ADJACENT;
  for (let at = from; at < to; at++) {
    if ((KINDS[bytes[at]] & CELL) === 0 && !(quoted && bytes[at] === BLANK)) return STRAY;
  }
  return ADJACENT;
}
