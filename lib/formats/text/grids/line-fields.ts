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
import { CELL, KINDS, LETTER } from '../byte-kinds.ts';
import { tokenCode } from '../tokens/token-code.ts';
import { CLOSE, OPEN, PARTS, QUOTE, SPACE, TAB } from './line-parts.ts';
import type { LineSpan } from './line-span.ts';

/** Cells of the largest puzzle, and some too many. */
const MAX_TOKENS = 1300;

/** Code of a blank. */
export const BLANK = 32;
/** Codes of tokens that are no single cell: adjacent cells, and other text. */
const ADJACENT = -1;
const STRAY = -2;

/** Words for a blank in program code, in lower case. */
const BLANK_WORDS = new Set(['none', 'null', 'nil', 'na', 'nan', 'undefined', 'empty', 'blank', 'nothing']);
const MAX_BLANK_WORD = 9;
/** Cells of the smallest row between bars whose first and last cells may be blanks outside the bars. */
const MIN_UNFRAMED = 9;

/** How the tokens of a line are read: each one a cell, or each one several adjacent cells. */
export type Reading = 'single' | 'adjacent';

export class LineFields {
  /** A token for each cell, each group of adjacent cells, and each empty field. */
  tokens = 0;
  /** Offsets of a token from the start of its line. */
  from = new Int32Array(64);
  to = new Int32Array(64);
  /** The same with the white space of its field, if it is the only token of the field. */
  left = new Int32Array(64);
  right = new Int32Array(64);
  /** Cell code; negative if the token is no single cell. */
  code = new Int32Array(64);
  /** The separator after the token; 0 if there is none other than spaces. */
  after = new Uint8Array(64);
  /** Offset from the start of the line after the name before the cells, if any. */
  textFrom = 0;
  /** Offset before a comment after the cells, if any. */
  textTo = 0;
  name: string | undefined;
  /** The line ends with a sign that continues it. */
  continues = false;
  /** The line opens a text of several lines. */
  opensText = false;
  /** Text before the cells was dropped: a name, or a call. */
  hasOpening = false;
  /** The line has separators other than spaces, brackets or quotes. */
  structured = false;
  /** Brackets that are opened before the first token, and those that are closed after the last one. */
  opens = 0;
  closes = 0;

  /** Fields at the ends of the line that are empty: they may be a frame. */
  #leadingEmpty = false;
  #trailingEmpty = false;
  /** Tokens in each field; 0 if not all fields have as many. */
  #perField = 0;
  /** Length of each token, if all of them may be adjacent cells of one length; else 0. */
  #length = 0;
  /** Index of the first token that is not a cell; -1 if there is none. */
  #stray = -1;
  /** Largest number of several digits, or letter, if all cells are letters. */
  #largest = 0;
  #letters = false;

  /** Splits a line, or a part of it. */
  split(bytes: Uint8Array, start: number, span: LineSpan, book: LayoutBook): void {
    const { from, to, separator } = span;
    this.tokens = 0;
    this.opens = this.closes = 0;
    this.#leadingEmpty = this.#trailingEmpty = false;
    this.textFrom = from - start;
    this.textTo = span.end - start;
    this.name = span.name;
    this.hasOpening = span.hasOpening;
    this.continues = span.continues;
    this.opensText = span.opensText;
    this.structured = span.structured;
    /** Tokens before the open field, and its start; -1 after a closing bracket. */
    let first = 0;
    let field = from;
    let fields = 0;
    let closes = 0;
    this.#perField = 0;
    const endField = (end: number, after: number) => {
      if (this.tokens === first) this.#add(start, field, field, BLANK);
      const count = this.tokens - first;
      if (count === 1) {
        this.left[first] = field - start;
        this.right[first] = end - start;
      }
      this.after[this.tokens - 1] = after;
      this.#perField = fields === 0 || this.#perField === count ? count : 0;
      fields++;
      first = this.tokens;
    };
    for (let at = from; at < to && this.tokens < MAX_TOKENS; ) {
      const part = PARTS[bytes[at]];
      if (span.outerBars && isBar(bytes[at]) && fields === 0 && this.tokens === 0) field = ++at;
      else if (part === separator && part !== SPACE) {
        if (field >= 0 && this.tokens === first) this.#leadingEmpty ||= fields === 0 && this.opens === 0;
        if (field >= 0) endField(at, bytes[at]);
        else this.after[this.tokens - 1] = bytes[at];
        field = ++at;
        closes = 0;
      } else if (part === SPACE || part === TAB) at++;
      else if (part === OPEN) {
        // A bracket directly after a cell is a call, or other code.
        if (field >= 0 && this.tokens > first) this.#add(start, at, at + 1, STRAY);
        else if (this.tokens === 0) this.opens++;
        field = ++at;
      } else if (part === CLOSE) {
        // A separator before the bracket ends the list, not an empty field.
        if (field >= 0 && this.tokens > first) endField(at, 0);
        field = -1;
        closes++;
        at++;
      } else if (part === QUOTE && span.rowInQuotes) at++;
      else {
        const token = at;
        if (field < 0) field = at;
        if (part === QUOTE) at = this.#addQuoted(bytes, start, at, to);
        else {
          while (++at < to && PARTS[bytes[at]] === 0);
          this.#add(start, token, at, codeOf(bytes, token, at));
        }
        closes = 0;
        if (separator === SPACE) {
          field = token;
          endField(at, 0);
          field = at;
        }
      }
    }
    const closed = span.outerBars && this.tokens === first && isBar(this.after[Math.max(0, first - 1)]);
    if (separator !== SPACE && field >= 0 && !closed) {
      this.#trailingEmpty = this.tokens === first;
      endField(to, 0);
    }
    this.closes = closes;
    this.#finish(bytes, start, book);
  }

  /** Forgets the line: it has no fields. */
  clear(): void {
    this.tokens = 0;
    this.opens = this.closes = 0;
    this.structured = false;
    this.name = undefined;
    this.hasOpening = this.continues = this.opensText = false;
  }

  /** Number of cells of a reading; 0 if the line cannot be read so. */
  cells(reading: Reading, book: LayoutBook): number {
    if (this.tokens === 0 || this.#stray >= 0) return 0;
    const cells = reading === 'single' ? this.count(book) : this.tokens * this.#length;
    if (reading === 'single') return this.#perField > 0 ? cells : 0;
    // Letters alone are words, unless none is beyond the size.
    const words = this.#letters && this.#largest > sizeOf(book, cells);
    return this.#length > 1 && !words ? cells : 0;
  }

  /** Fields of any line; those of a frame are not counted. */
  count(book: LayoutBook): number {
    return this.tokens - this.#edges(book);
  }

  /** Index of the first token with cells, and after the last one. */
  range(reading: Reading, book: LayoutBook): readonly [first: number, end: number] {
    const edges = reading === 'single' ? this.#edges(book) : 0;
    if (edges === 0) return [0, this.tokens];
    const first = edges === 2 || this.#leadingEmpty ? 1 : 0;
    return [first, first + this.tokens - edges];
  }

  /** Index of the first token that is neither a cell nor adjacent cells; -1 if there is none. */
  get stray(): number {
    return this.#stray;
  }

  /** Index of the first token that is no single cell; -1 if there is none. */
  get wide(): number {
    for (let token = 0; token < this.tokens; token++) if (this.code[token] < 0) return token;
    return -1;
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
      this.#add(start, quote, quote + 1, STRAY);
      return to;
    }
    const from = quote + 1;
    // A line break in a text of program code.
    const last = bytes[close - 2] === BACKSLASH && bytes[close - 1] === LETTER_N ? close - 2 : close;
    const end = Math.max(from, last);
    this.#add(start, from, end, close === from ? BLANK : codeOf(bytes, from, end, true));
    return close + 1;
  }

  #add(start: number, from: number, to: number, code: number): void {
    if (this.tokens === this.from.length) this.#grow();
    const token = this.tokens++;
    this.from[token] = this.left[token] = from - start;
    this.to[token] = this.right[token] = to - start;
    this.code[token] = code;
    this.after[token] = 0;
  }

  /** Derives from the tokens how they can be read. */
  #finish(bytes: Uint8Array, start: number, book: LayoutBook): void {
    const { code, from, to, tokens } = this;
    this.#stray = -1;
    this.#largest = 0;
    this.#letters = true;
    this.#length = tokens > 0 ? to[0] - from[0] : 0;
    let letter = 0;
    for (let token = 0; token < tokens; token++) {
      if (code[token] === STRAY && this.#stray < 0) this.#stray = token;
      if (code[token] === ADJACENT) this.#perField = 0;
      if (code[token] > NUMBER && code[token] !== MINUS_ONE)
        this.#largest = Math.max(this.#largest, code[token] - NUMBER);
      if (to[token] - from[token] !== this.#length) this.#length = 0;
      if (from[token] === to[token]) this.#letters = false;
      for (let at = start + from[token]; this.#letters && at < start + to[token]; at++) {
        if ((KINDS[bytes[at]] & LETTER) === 0) this.#letters = false;
        letter = Math.max(letter, (bytes[at] | 32) - 96);
      }
    }
    // Numbers that are too large for the fields may be adjacent digits.
    if (this.#length > 1 && this.#largest > sizeOf(book, this.count(book))) {
      this.#perField = 0;
      this.#largest = 0;
    }
    if (this.#letters) this.#largest = letter;
  }

  #grow(): void {
    const length = this.from.length * 4;
    const larger = (array: Int32Array<ArrayBuffer>) => {
      const grown = new Int32Array(length);
      grown.set(array);
      return grown;
    };
    this.from = larger(this.from);
    this.to = larger(this.to);
    this.left = larger(this.left);
    this.right = larger(this.right);
    this.code = larger(this.code);
    const after = new Uint8Array(length);
    after.set(this.after);
    this.after = after;
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
  if (to - from <= MAX_BLANK_WORD && isBlankWord(bytes, from, to)) return BLANK;
  for (let at = from; at < to; at++) {
    if ((KINDS[bytes[at]] & CELL) === 0 && !(quoted && bytes[at] === BLANK)) return STRAY;
  }
  return ADJACENT;
}

function isBlankWord(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((KINDS[bytes[at]] & LETTER) === 0) return false;
  return BLANK_WORDS.has(String.fromCharCode(...bytes.subarray(from, to)).toLowerCase());
}
