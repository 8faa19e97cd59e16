/**
 * A line of the text, looked at once, however many recognisers ask about it. Offsets are those of the window: they hold
 * until more bytes are fed, so a line is not kept longer than a recogniser runs.
 *
 *     "  5|3|..  "
 *      ^start      ^rawEnd      white space included, without the line's end
 *        ^from   ^end           the text
 *
 *     width(chars) 0, width(boxes) 4      cells in each reading, see `readings.ts`; 0 if it cannot be read so
 *     fields       5 3 . .                what separators, brackets and quotes leave, see `fields.ts`
 */
import { HASH } from '../../bytes/ascii.ts';
import {
  CELL,
  COMMENT_SIGNS,
  DIGIT,
  HASHES,
  KINDS,
  kindsIn,
  QUOTE,
  SEPARATOR,
  SPACES,
  symbolValue,
  TABULATOR,
} from '../../bytes/byte-kinds.ts';
import { characterAt, charactersOf } from '../../bytes/byte-text.ts';
import { type CellCode, GridBuffer, MINUS_ONE, NUMBER } from '../../cells/grid-buffer.ts';
import type { TextContext } from '../text-context.ts';
import { type Fields, fieldsOf } from './fields.ts';
import { rowOfLongText } from './long-text.ts';
import type { Reading } from './readings.ts';

/** Bytes of the longest line of which more than its puzzle is looked at: a 36x36 takes half of that. */
export const MAX_TEXT = 8192;

/** Digits of a lone integer. */
const MAX_DIGITS = 9;
/** Cells of the smallest puzzle after which a `#` starts a comment without a space before it. */
const MIN_HASH_CELLS = 81;

/** Scratch. */
const scratch = new GridBuffer();

/** A width that is not known yet. */
const UNKNOWN = -1;

/** What was found out about a line; most are only looked at. */
class Known {
  /** Cells between bars or gaps, see `readings.ts`. */
  boxes: number | undefined = undefined;
  fields: Fields | undefined = undefined;
  /** Whether its tokens are no cells, see `readings.ts`. */
  areWords: boolean | undefined = undefined;
  /** By reading, if cells must be cut to count them. */
  readonly widths = [UNKNOWN, UNKNOWN];
}

export class Line {
  readonly context: TextContext;
  /** Its index in the window, and its number in the file, from 1. */
  readonly at: number;
  readonly number: number;
  readonly start: number;
  /** The text, without white space around it; `from` is `end` if there is none. */
  readonly from: number;
  readonly end: number;
  /** The kinds of all bytes of the text, see `byte-kinds.ts`. */
  readonly kinds: number;
  /** Number of tokens between white space. */
  readonly tokens: number;
  /** The end of the first token. */
  readonly tokenEnd: number;
  /** The name of a text of program code that begins on it, see `long-text.ts`. */
  readonly name: string | undefined;
  /** What the function of that name found. */
  isHeader: boolean | undefined;
  #isComment: boolean | undefined;
  #text: string | undefined;
  #puzzleEnd: number | undefined;
  #known: Known | undefined;

  constructor(context: TextContext, at: number, number: number) {
    const { bytes, start, text, end, tokens, tokenEnd } = context.window;
    this.context = context;
    this.at = at;
    this.number = number;
    this.start = start[at];
    this.from = text[at];
    this.end = end[at];
    this.kinds = kindsIn(bytes, text[at], end[at]);
    this.tokens = tokens[at];
    this.tokenEnd = tokenEnd[at];
    this.name = undefined;
    const row = this.kinds & QUOTE ? rowOfLongText(bytes, this.from, this.end) : undefined;
    if (row !== undefined) {
      const words = [...rawText(bytes, row.from, row.end).matchAll(/\S+/g)];
      this.from = row.from + words[0].index;
      this.end = row.end;
      this.kinds = kindsIn(bytes, this.from, this.end);
      this.tokens = words.length;
      this.tokenEnd = this.from + words[0][0].length;
      this.name = row.name;
    }
    this.isHeader = undefined;
    this.#isComment = undefined;
    this.#text = undefined;
    this.#puzzleEnd = undefined;
    this.#known = undefined;
  }

  /** What was found out about it. */
  get known(): Known {
    this.#known ??= new Known();
    return this.#known;
  }

  /** Bytes of the text. */
  get length(): number {
    return this.end - this.from;
  }

  get bytes(): Uint8Array {
    return this.context.window.bytes;
  }

  get book() {
    return this.context.sink.book;
  }

  /** The next line; undefined at the end of the file. */
  get next(): Line | undefined {
    return this.context.lineAt(this.at + 1);
  }

  get previous(): Line {
    return this.context.line(this.at - 1);
  }

  get isBlank(): boolean {
    return this.tokens === 0;
  }

  /** Whether it was too long to be kept whole. */
  get isLong(): boolean {
    return this.context.window.isLong(this.at);
  }

  /** Whether it starts with `#`, `;`, or a sign of program code. */
  get isComment(): boolean {
    const { context, from, end } = this;
    if ((KINDS[this.bytes[from]] & COMMENT_SIGNS) === 0) return false;
    this.#isComment ??= context.isCommentText(from, end, this.isLong);
    return this.#isComment;
  }

  /** After the last character, white space included. */
  get rawEnd(): number {
    return this.context.window.rawEnd(this.at);
  }

  /** Bytes, white space around the text included. */
  get fullLength(): number {
    return this.rawEnd - this.start;
  }

  /** The text, one character for each byte; empty if it is too long. */
  get text(): string {
    this.#text ??= this.raw(this.from, this.end);
    return this.#text;
  }

  /** The same with the white space around it. */
  get full(): string {
    return this.raw(this.start, this.rawEnd);
  }

  /** The characters between two offsets, one for each byte; empty if there are too many. */
  raw(from: number, to: number): string {
    return rawText(this.bytes, from, to);
  }

  /** Whether it has bytes of some kinds alone, and is not too long. */
  only(kinds: number): boolean {
    return (this.kinds & ~kinds) === 0 && this.length <= MAX_TEXT;
  }

  /** Whether it has a byte of one of these kinds, and is not too long. */
  has(kinds: number): boolean {
    return (this.kinds & kinds) !== 0 && this.length <= MAX_TEXT;
  }

  /** Whether so many bytes in a row are of these kinds: few lines have a run as long as a puzzle, which few of their bytes show. */
  hasRun(kinds: number, length: number): boolean {
    const { bytes, end } = this;
    for (let first = this.from; first + length <= end; ) {
      let at = first + length;
      while (at > first && KINDS[bytes[at - 1]] & kinds) at--;
      if (at === first) return true;
      first = at;
    }
    return false;
  }

  /** Whether it is a lone integer of at most nine digits. */
  get isInteger(): boolean {
    return this.kinds === DIGIT && this.length <= MAX_DIGITS;
  }

  /** Offset after the puzzle that it starts with: the first separator, or the end of the first token. */
  get puzzleEnd(): number {
    this.#puzzleEnd ??= this.#findPuzzleEnd();
    return this.#puzzleEnd;
  }

  #findPuzzleEnd(): number {
    const { bytes, from, tokenEnd, kinds, book } = this;
    let end = (kinds & SEPARATOR) === 0 ? tokenEnd : from;
    while (end < tokenEnd && (KINDS[bytes[end]] & SEPARATOR) === 0) end++;
    // A `#` directly after a puzzle starts a comment: `53..7....#easy`.
    const hash = kinds & HASHES ? bytes.indexOf(HASH, from) : -1;
    const isPuzzle = hash - from >= MIN_HASH_CELLS && book.sizeOfCells(hash - from) !== undefined;
    if (isPuzzle && hash < end && book.sizeOfCells(end - from) === undefined) end = hash;
    return end;
  }

  /** The first character between two offsets that no grid has. */
  strayIn(from: number, to: number): { offset: number; found: string } | undefined {
    let offset = from;
    while (offset < to && KINDS[this.bytes[offset]] & (CELL | SPACES | TABULATOR)) offset++;
    return offset === to ? undefined : { offset, found: this.characterAt(offset) };
  }

  /** The first character that no grid has; its first one if there is none. */
  get stray(): { offset: number; found: string } {
    const { from, end } = this;
    return this.strayIn(from, end) ?? { offset: from, found: this.characterAt(from) };
  }

  /** The whole UTF-8 character of the byte at `offset`. */
  characterAt(offset: number): string {
    return characterAt(this.bytes, offset, this.context.window.length);
  }

  /** The text between two offsets. */
  string(from: number, to: number): string {
    return this.context.window.string(from, to);
  }

  /** Cells in a reading; 0 if it cannot be read so. */
  width(reading: Reading): number {
    if (reading.measure !== undefined) return reading.measure(this);
    const { widths } = this.known;
    const { index = 0 } = reading;
    if (widths[index] === UNKNOWN) {
      scratch.clear();
      widths[index] = reading.cut(this, scratch);
    }
    return widths[index];
  }

  /** The fields, see `fields.ts`. */
  get fields(): Fields {
    const { known } = this;
    known.fields ??= fieldsOf(this, this.from, this.end);
    return known.fields;
  }

  /** How many symbols are beyond a size, twice, and one more if another symbol is there twice. */
  symbols(reading: Reading, size: number): number {
    scratch.clear();
    return symbolsIn(scratch.codes, reading.cut(this, scratch), size);
  }
}

/** The characters between two offsets of bytes, one for each byte; empty if there are too many. */
export function rawText(bytes: Uint8Array, from: number, to: number): string {
  return to - from > MAX_TEXT ? '' : charactersOf(bytes, from, to);
}

function symbolsIn(codes: ArrayLike<CellCode>, count: number, size: number): number {
  let [seen, beyond, repeats] = [0, 0, 0];
  for (let cell = 0; cell < count; cell++) {
    const code = codes[cell];
    if (code === MINUS_ONE) continue;
    const value = code > NUMBER ? code - NUMBER : symbolValue(code);
    if (value > size) beyond++;
    else if (value > 0 && seen & (1 << value)) repeats = 1;
    seen |= 1 << value;
  }
  return 2 * beyond + repeats;
}
