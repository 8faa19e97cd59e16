/** Rows of grids in any notation: adjacent characters, tokens, groups, bars or separators between them, brackets around them. */
import { COMMA, DASH, HASH, PLUS, SEMICOLON, SLASH } from '../../bytes/ascii.ts';
import type { GridBuffer } from '../../cells/grid-buffer.ts';
import { CELL, KINDS } from '../byte-kinds.ts';
import { semicolonCells } from '../semicolon-rows.ts';
import { tokenCode } from '../shape/cells.ts';

/** Sizes of grids with a region map. */
export const MIN_MAP_SIZE = 4;
export const MAX_MAP_SIZE = 36;

/** Whether a line is a comment or draws. */
export function isIdleLine(bytes: Uint8Array, from: number, to: number): boolean {
  const first = bytes[from];
  if (first === SEMICOLON) return semicolonCells(bytes, from, to) === 0;
  if (first === HASH || (first === SLASH && bytes[from + 1] === SLASH)) return true;
  let drawn = false;
  for (let byte = from; byte < to; byte++) {
    if ((KINDS[bytes[byte]] & CELL) !== 0 && bytes[byte] !== DASH) return false;
    if (bytes[byte] === PLUS) drawn = true;
  }
  return drawn;
}

/**
 * Appends the cells of a row from `start` to `stop`: one for each character, or for each of several tokens.
 *
 * @returns their number; 0 if the line is no row, and then some may be appended
 */
export function addRowCells(bytes: Uint8Array, start: number, stop: number, into: GridBuffer): number {
  const before = into.count;
  let whole = start;
  while (whole < stop && (KINDS[bytes[whole]] & CELL) !== 0) whole++;
  if (whole === stop && stop - start <= MAX_MAP_SIZE + 1) {
    // The common case: adjacent characters alone.
    into.addBytes(bytes, start, stop);
    return stop - start;
  }
  let tokens = 0;
  let widest = 0;
  let separators = 0;
  for (let byte = start; byte < stop; byte++) {
    if (isSeparator(bytes[byte])) separators++;
    if (isBetween(bytes[byte])) continue;
    const from = byte;
    while (byte < stop && !isBetween(bytes[byte])) byte++;
    tokens++;
    widest = Math.max(widest, byte - from);
    if (widest > MAX_MAP_SIZE + 1) return 0;
  }
  // Groups of equally many characters, such as boxes, are wider than numbers.
  const spaced = Math.max(tokens, separators) >= MIN_MAP_SIZE && widest <= 2;
  // Between two separators without a cell is a blank.
  const hasFields = spaced && separators >= tokens - 1;
  let isEmpty = true;
  let empty = false;
  for (let byte = start; byte < stop; byte++) {
    if (hasFields && isSeparator(bytes[byte])) {
      if (isEmpty) into.add(BLANK, byte);
      empty ||= isEmpty;
      isEmpty = true;
    }
    if (isBetween(bytes[byte])) continue;
    isEmpty = false;
    const from = byte;
    while (byte < stop && !isBetween(bytes[byte])) byte++;
    if (byte < stop && isSeparator(bytes[byte])) isEmpty = true;
    if (spaced) {
      const code = tokenCode(bytes, from, byte);
      if (code < 0) return 0;
      into.add(code, from);
    } else {
      for (let k = from; k < byte; k++) if ((KINDS[bytes[k]] & CELL) === 0) return 0;
      into.addBytes(bytes, from, byte);
    }
  }
  // A separator at the end may only end the row, unless other cells are empty.
  if (empty && isSeparator(bytes[stop - 1])) into.add(BLANK, stop - 1);
  return into.count - before;
}

const BLANK = 46;

function isSeparator(byte: number): boolean {
  return byte === COMMA || byte === SEMICOLON;
}

function isBetween(byte: number): boolean {
  return BETWEEN[byte] === 1;
}

/** By byte: 1 for white space, bars, separators, brackets and quotes. */
const BETWEEN = new Uint8Array(256).fill(1, 0, 33);
for (const sign of '|!,;[]{}()"\'`') BETWEEN[sign.charCodeAt(0)] = 1;
