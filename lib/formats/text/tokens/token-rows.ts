/**
 * The cells of lines that were looked at last, so that a line which several formats ask about, or one several times, is
 * taken apart once.
 *
 *     line number     7         8         9                 kept in slot number % SLOTS
 *     width           9         9         0                 cells, 0 where something else is among them
 *     codes, offset   9 of 64   9 of 64   -                 offsets from the line's text on
 */
import type { GridBuffer } from '../../cells/grid-buffer.ts';
import { MAX_NUMBER, MINUS_ONE, NUMBER } from '../../cells/grid-buffer.ts';
import type { LineWindow } from '../line-window.ts';
import { CELL, DIGIT, KINDS, SPACE } from '../text-context.ts';

/** Lines kept: more than the rows of any grid. */
const SLOTS = 64;
/** Cells kept of a line; one of more cells is no row, and taken apart anew each time. */
const MOST_CELLS = 64;

export class TokenRows {
  readonly #line = new Float64Array(SLOTS);
  readonly #width = new Int32Array(SLOTS);
  readonly #codes = new Uint16Array(SLOTS * MOST_CELLS);
  readonly #offset = new Int32Array(SLOTS * MOST_CELLS);

  /** Cells of line `at`, 0 where something else is among them. */
  width(window: LineWindow, at: number): number {
    const tokens = window.tokens[at];
    if (tokens > MOST_CELLS) return onlyCells(window, at) ? tokens : 0;
    return this.#width[this.#slotOf(window, at)];
  }

  /**
   * Appends the cells of line `at` to `into`.
   *
   * @returns false where one of its tokens is no cell; then some of them may have been appended
   */
  addTo(into: GridBuffer, window: LineWindow, at: number): boolean {
    if (window.tokens[at] > MOST_CELLS) return addTokens(into, window, at);
    const slot = this.#slotOf(window, at);
    const text = window.text[at];
    const from = slot * MOST_CELLS;
    for (let cell = from; cell < from + this.#width[slot]; cell++) {
      into.add(this.#codes[cell], text + this.#offset[cell]);
    }
    return this.#width[slot] > 0;
  }

  /** Where line `at` is kept, now at the latest. */
  #slotOf(window: LineWindow, at: number): number {
    const number = window.number(at);
    const slot = number % SLOTS;
    if (this.#line[slot] === number) return slot;
    this.#line[slot] = number;
    const { bytes, text, end } = window;
    const last = end[at];
    const start = text[at];
    let cell = slot * MOST_CELLS;
    this.#width[slot] = 0;
    for (let byte = start; byte < last; ) {
      const from = byte++;
      let code: number = bytes[from];
      if (byte < last && !isSpace(bytes[byte])) {
        do byte++;
        while (byte < last && !isSpace(bytes[byte]));
        code = tokenCode(bytes, from, byte);
        if (code < 0) return slot;
      } else if ((KINDS[code] & CELL) === 0) return slot;
      this.#codes[cell] = code;
      this.#offset[cell++] = from - start;
      while (byte < last && isSpace(bytes[byte])) byte++;
    }
    this.#width[slot] = window.tokens[at];
    return slot;
  }
}

function addTokens(into: GridBuffer, { bytes, text, end }: LineWindow, at: number): boolean {
  const last = end[at];
  for (let byte = text[at]; byte < last; ) {
    const from = byte;
    while (byte < last && !isSpace(bytes[byte])) byte++;
    const code = tokenCode(bytes, from, byte);
    if (code < 0) return false;
    into.add(code, from);
    while (byte < last && isSpace(bytes[byte])) byte++;
  }
  return true;
}

function onlyCells({ bytes, text, end }: LineWindow, at: number): boolean {
  const last = end[at];
  for (let byte = text[at]; byte < last; ) {
    const from = byte;
    while (byte < last && !isSpace(bytes[byte])) byte++;
    if (tokenCode(bytes, from, byte) < 0) return false;
    while (byte < last && isSpace(bytes[byte])) byte++;
  }
  return true;
}

/** Whether a byte parts tokens on a line. */
export function isSpace(byte: number): boolean {
  return (KINDS[byte] & SPACE) !== 0;
}

/** The cell that a token stands for: one character of a grid, a number, or -1; negative where it is none. */
export function tokenCode(bytes: Uint8Array, from: number, to: number): number {
  if (to - from === 1) return (KINDS[bytes[from]] & CELL) === 0 ? -1 : bytes[from];
  if (to - from === 2 && bytes[from] === 45 && bytes[from + 1] === 49) return MINUS_ONE;
  let number = 0;
  for (let byte = from; byte < to; byte++) {
    if ((KINDS[bytes[byte]] & DIGIT) === 0) return -1;
    number = number * 10 + bytes[byte] - 48;
    if (number > MAX_NUMBER) return -1;
  }
  return to > from ? NUMBER + number : -1;
}
