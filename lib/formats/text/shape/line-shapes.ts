/**
 * What is known of the last lines, so that a line about which several recognisers ask is cut once.
 *
 *     line number    7         8         9          kept in slot number % SLOTS
 *     widths         9 0 9 .   9 0 9 .   0 0 0 .    cells in each reading, see `readings.ts`; 0 if it cannot be read so
 *     fields         5|3|...   ...                  what separators, brackets and quotes leave, see `fields.ts`
 */
import { GridBuffer } from '../../cells/grid-buffer.ts';
import type { LayoutBook } from '../../records/layout-book.ts';
import type { LineWindow } from '../line-window.ts';
import { LineFields } from './fields.ts';

/** Lines that are kept: more than the rows of any grid. */
const SLOTS = 64;
/** More than there are readings. */
const MAX_READINGS = 16;

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

interface Slot {
  number: number;
  /** The file may name a size between two lines. */
  sizes: number;
  readonly widths: Int32Array;
  readonly fields: LineFields;
  hasFields: boolean;
  symbols: Map<Reading, Symbols>;
}

/** The symbols of a line that may be a small puzzle. */
export interface Symbols {
  /** Number of symbols beyond the size of the small puzzle. */
  readonly beyond: number;
  /** Another symbol occurs twice. */
  readonly repeats: boolean;
}

export class LineShapes {
  readonly window: LineWindow;
  readonly book: LayoutBook;
  readonly #slots: Slot[] = [];
  /** Runs of lines, by number, of which something is known: each is read once, not once for each line before it. */
  readonly #runs = new Map<unknown, { first: number; until: number; sizes: number }>();
  /** Scratch. */
  readonly #cells = new GridBuffer();

  constructor(window: LineWindow, book: LayoutBook) {
    this.window = window;
    this.book = book;
  }

  /** Cells of line `at` in a reading; 0 if it cannot be read so. */
  width(at: number, reading: Reading): number {
    const { widths } = this.#slotOf(at);
    const { index } = reading;
    if (widths[index] < 0) {
      this.#cells.clear();
      widths[index] = reading.measure?.(this, at) ?? reading.cut(this, at, this.#cells);
    }
    return widths[index];
  }

  /** The fields of line `at`; valid until as many other lines are split. */
  fields(at: number): LineFields {
    const slot = this.#slotOf(at);
    if (!slot.hasFields) {
      const { text, end } = this.window;
      slot.fields.split(this.window, at, text[at], end[at], this.book);
      slot.hasFields = true;
    }
    return slot.fields;
  }

  /**
   * The symbols of line `at`, which may be a small puzzle.
   *
   * @param count counts them, with a buffer for the cells
   */
  symbols(at: number, reading: Reading, count: (cells: GridBuffer) => Symbols): Symbols {
    const slot = this.#slotOf(at);
    let symbols = slot.symbols.get(reading);
    if (symbols === undefined) {
      this.#cells.clear();
      symbols = count(this.#cells);
      slot.symbols.set(reading, symbols);
    }
    return symbols;
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

  #slotOf(at: number): Slot {
    const number = this.window.number(at);
    const index = number % SLOTS;
    let slot = this.#slots[index];
    if (slot === undefined) {
      const widths = new Int32Array(MAX_READINGS);
      slot = { number: 0, sizes: 0, widths, fields: new LineFields(), hasFields: false, symbols: new Map() };
      this.#slots[index] = slot;
    }
    const { length } = this.book.sizes;
    if (slot.number !== number || slot.sizes !== length) {
      slot.number = number;
      slot.sizes = length;
      slot.widths.fill(-1);
      slot.hasFields = false;
      slot.symbols.clear();
    }
    return slot;
  }
}
