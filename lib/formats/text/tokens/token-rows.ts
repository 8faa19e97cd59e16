/** Rows of cells separated by white space. */
import { isWhite } from '../../bytes/ascii.ts';
import { GridBuffer } from '../../cells/grid-buffer.ts';
import { CELL, KINDS } from '../byte-kinds.ts';
import type { LineWindow } from '../line-window.ts';
import type { RowShape } from '../rows/row-grids.ts';
import { tokenCode } from './token-code.ts';

/** Lines whose cells are kept: more than the rows of any grid. */
const SLOTS = 64;
/** Cells kept of a line; a line of more is not a row, and is split again each time. */
const MAX_CELLS = 64;

/**
 * The cells of the last lines, so that a line that several recognisers check is split once.
 *
 *     line number     7         8         9                 kept in slot number % SLOTS
 *     width           9         9         0                 cells, 0 if the line has anything else
 *     codes, offset   9 of 64   9 of 64   -                 offsets from the start of the line's text
 */
export class TokenRows {
  readonly #line = new Float64Array(SLOTS);
  readonly #width = new Int32Array(SLOTS);
  readonly #codes = new Uint16Array(SLOTS * MAX_CELLS);
  readonly #offset = new Int32Array(SLOTS * MAX_CELLS);
  /** Scratch: the cells of a line that has more than are kept. */
  readonly #many = new GridBuffer();

  /** Cells of line `at`, 0 if it has anything else. */
  width(window: LineWindow, at: number): number {
    const tokens = window.tokens[at];
    if (tokens > MAX_CELLS) {
      this.#many.clear();
      return addTokens(this.#many, window, at) ? tokens : 0;
    }
    return this.#width[this.#slotOf(window, at)];
  }

  /**
   * Appends the cells of line `at` to `into`.
   *
   * @returns false if one of its tokens is not a cell; then some of its cells may have been appended
   */
  addTo(into: GridBuffer, window: LineWindow, at: number): boolean {
    if (window.tokens[at] > MAX_CELLS) return addTokens(into, window, at);
    const slot = this.#slotOf(window, at);
    const text = window.text[at];
    const from = slot * MAX_CELLS;
    for (let cell = from; cell < from + this.#width[slot]; cell++) {
      into.add(this.#codes[cell], text + this.#offset[cell]);
    }
    return this.#width[slot] > 0;
  }

  /** The slot of line `at`, which is split unless it is kept. */
  #slotOf(window: LineWindow, at: number): number {
    const number = window.number(at);
    const slot = number % SLOTS;
    if (this.#line[slot] === number) return slot;
    this.#line[slot] = number;
    const { bytes, text, end } = window;
    const last = end[at];
    const start = text[at];
    let cell = slot * MAX_CELLS;
    this.#width[slot] = 0;
    for (let byte = start; byte < last; ) {
      const from = byte++;
      let code: number = bytes[from];
      if (byte < last && !isWhite(bytes[byte])) {
        do byte++;
        while (byte < last && !isWhite(bytes[byte]));
        code = tokenCode(bytes, from, byte);
        if (code < 0) return slot;
      } else if ((KINDS[code] & CELL) === 0) return slot;
      this.#codes[cell] = code;
      this.#offset[cell++] = from - start;
      while (byte < last && isWhite(bytes[byte])) byte++;
    }
    this.#width[slot] = window.tokens[at];
    return slot;
  }
}

/** The shape of a row of cells separated by white space. */
export function tokenShape(rows: TokenRows): RowShape {
  return {
    format: 'tokens',
    spaced: true,
    unit: 'numbers',
    width: ({ window }, at) => rows.width(window, at),
    cells(context, at) {
      rows.addTo(context.grid, context.window, at);
    },
    count: ({ window }, at) => window.tokens[at],
    stray({ window }, at) {
      const { bytes, text, end } = window;
      let from = text[at];
      let to = from;
      while (to < end[at]) {
        to = from;
        while (to < end[at] && !isWhite(bytes[to])) to++;
        if (tokenCode(bytes, from, to) < 0) break;
        from = to;
        while (from < end[at] && isWhite(bytes[from])) from++;
      }
      return { offset: from, found: window.string(from, to) };
    },
  };
}

function addTokens(into: GridBuffer, { bytes, text, end }: LineWindow, at: number): boolean {
  const last = end[at];
  for (let byte = text[at]; byte < last; ) {
    const from = byte;
    while (byte < last && !isWhite(bytes[byte])) byte++;
    const code = tokenCode(bytes, from, byte);
    if (code < 0) return false;
    into.add(code, from);
    while (byte < last && isWhite(bytes[byte])) byte++;
  }
  return true;
}
