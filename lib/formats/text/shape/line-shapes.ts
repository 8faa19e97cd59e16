/**
 * What is known of the last lines, so that a line about which several recognisers ask is looked at once.
 *
 *     text      5|3|..     one character for each byte: expressions say what kind of line it is
 *     widths    0 0 4 4    cells in each reading, see `readings.ts`; 0 if it cannot be read so
 *     fields    5 3 . .    what separators, brackets and quotes leave, see `fields.ts`
 */

import { symbolValue } from '../../bytes/byte-kinds.ts';
import type { LineWindow } from '../../bytes/line-window.ts';
import { type CellCode, GridBuffer, MINUS_ONE, NUMBER } from '../../cells/grid-buffer.ts';
import type { LayoutBook } from '../../records/layout-book.ts';
import { type Fields, fieldsOf } from './fields.ts';

/** Lines that are kept: more than the rows of any grid. */
const SLOTS = 64;
/** Bytes of the longest line of which more than its puzzle is looked at: a 36x36 takes half of that. */
export const MAX_TEXT = 8192;

/** Readings in `readings.ts`, and that of overlapping grids. */
const READINGS = 6;

/** What is known of a line, by reading, with so many sizes to look for: the file may name one between two lines. */
interface KnownLine {
  number: number;
  sizes: number;
  /** Negative if they are not known. */
  readonly widths: Int32Array;
  readonly symbols: Int32Array;
  text: string | undefined;
  fields: Fields | undefined;
}

/** How the cells of a line are written: a row of the table in `readings.ts`. */
export interface Reading {
  /** Of the widths that are kept. */
  readonly index: number;
  /** The word for the cells of a row, in messages. */
  readonly unit: string;
  /** White space separates the cells. */
  readonly spaced: boolean;
  /** Number of cells of line `at`, 0 if it cannot be read so; by default that of `cut`. */
  measure?(lines: LineShapes, at: number): number;
  /** Appends the cells of line `at`. @returns their number, 0 if it cannot be read so: then some may be appended */
  cut(lines: LineShapes, at: number, into: GridBuffer): number;
  /** Cells counted in any line, for messages; its width by default. */
  count?(lines: LineShapes, at: number): number;
  /** Where the first token is that is not a cell, if cells have several characters. */
  stray?(lines: LineShapes, at: number): readonly [from: number, to: number];
}

export class LineShapes {
  readonly window: LineWindow;
  readonly book: LayoutBook;
  /** By slot. */
  readonly #known = Array.from(
    { length: SLOTS },
    (): KnownLine => ({
      number: 0,
      sizes: 0,
      widths: new Int32Array(READINGS),
      symbols: new Int32Array(READINGS),
      text: undefined,
      fields: undefined,
    }),
  );
  /** Runs of lines, by number, of which something is known: each is read once, not once for each line before it. */
  readonly #runs = new Map<unknown, { first: number; until: number; sizes: number }>();
  /** Scratch. */
  readonly #cells = new GridBuffer();

  constructor(window: LineWindow, book: LayoutBook) {
    this.window = window;
    this.book = book;
  }

  /** Whether line `at` has bytes of some kinds alone, and is not too long. */
  only(at: number, kinds: number): boolean {
    const { window } = this;
    return (window.kinds[at] & ~kinds) === 0 && window.end[at] - window.text[at] <= MAX_TEXT;
  }

  /** Whether line `at` has a byte of one of these kinds, and is not too long. */
  has(at: number, kinds: number): boolean {
    const { window } = this;
    return (window.kinds[at] & kinds) !== 0 && window.end[at] - window.text[at] <= MAX_TEXT;
  }

  /** The text of line `at`, one character for each byte; empty if it is too long. */
  text(at: number): string {
    const line = this.#lineOf(at);
    line.text ??= this.raw(this.window.text[at], this.window.end[at]);
    return line.text;
  }

  /** The characters between two offsets, one for each byte; empty if there are too many. */
  raw(from: number, to: number): string {
    if (to - from > MAX_TEXT) return '';
    const part = this.window.bytes.subarray(from, to);
    return String.fromCharCode.apply(undefined, part as unknown as number[]);
  }

  /** Cells of line `at` in a reading; 0 if it cannot be read so. */
  width(at: number, reading: Reading): number {
    const { widths } = this.#lineOf(at);
    const known = widths[reading.index];
    if (known >= 0) return known;
    this.#cells.clear();
    const width = reading.measure?.(this, at) ?? reading.cut(this, at, this.#cells);
    widths[reading.index] = width;
    return width;
  }

  /** The fields of line `at`. */
  fields(at: number): Fields {
    const line = this.#lineOf(at);
    line.fields ??= this.fieldsIn(at, this.window.text[at], this.window.end[at]);
    return line.fields;
  }

  /** The fields of the bytes `from` to `to` (exclusive) of line `at`: its text, or a part of it. */
  fieldsIn(at: number, from: number, to: number): Fields {
    return fieldsOf(this, at, from, to);
  }

  /** How many symbols of line `at` are beyond a size, twice, and one more if another symbol is there twice. */
  symbols(at: number, reading: Reading, size: number): number {
    const { symbols } = this.#lineOf(at);
    const known = symbols[reading.index];
    if (known >= 0) return known;
    this.#cells.clear();
    const count = reading.cut(this, at, this.#cells);
    const found = symbolsIn(this.#cells.codes, count, size);
    symbols[reading.index] = found;
    return found;
  }

  /** The line after the run of which something is noted, and in which line `at` is; `at` if it is in none. */
  afterRun(about: unknown, at: number): number {
    const number = this.window.number(at);
    const run = this.#runs.get(about);
    const isIn = run?.sizes === this.book.sizes.length && run.first <= number && number < run.until;
    return isIn ? at + run.until - number : at;
  }

  /** Notes something about line `at` and those up to line `end` (exclusive); a run that they continue grows. */
  noteRun(about: unknown, at: number, end: number): void {
    const { window, book } = this;
    const first = this.afterRun(about, at) > at ? this.#runs.get(about)!.first : window.number(at);
    this.#runs.set(about, { first, until: window.number(end), sizes: book.sizes.length });
  }

  /** What is known of line `at`: nothing if there is another size to look for since then. */
  #lineOf(at: number): KnownLine {
    const number = this.window.number(at);
    const sizes = this.book.sizes.length;
    const line = this.#known[number % SLOTS];
    if (line.number === number && line.sizes === sizes) return line;
    line.number = number;
    line.sizes = sizes;
    line.widths.fill(-1);
    line.symbols.fill(-1);
    line.text = undefined;
    line.fields = undefined;
    return line;
  }
}

function symbolsIn(codes: ArrayLike<CellCode>, count: number, size: number): number {
  let seen = 0;
  let beyond = 0;
  let repeats = 0;
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
