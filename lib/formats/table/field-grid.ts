/**
 * The grid in a field of a table.
 *
 *     53..7....6..195...                   adjacent cells; as the only field with spaces at its ends, these may be blanks
 *     5 3 0 0 7 0 ...   10 3 0 ...         cells that are separated by white space
 *     53..7.... 6..195... ...              rows
 *     [5, 3, 0, ...]   [[5, 3, ...], ...   lists, as Python writes them
 */
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { CLOSE_BRACKET, COMMA, OPEN_BRACKET, SPACE } from '../bytes/ascii.ts';
import { DIGIT, KINDS, LETTER } from '../bytes/byte-kinds.ts';
import type { GridBuffer } from '../cells/grid-buffer.ts';
import { tokenCode } from '../cells/token-code.ts';
import type { Found } from '../records/found.ts';
import type { RowFields } from './row-fields.ts';

export type FieldGrid = Pick<Found, 'geometry' | 'cells'>;

/**
 * @param limit of the spaces around the field
 * @param geometryOf of a grid with so many cells; undefined if there is none
 * @param into scratch, for cells that are not adjacent
 */
export function gridIn(
  bytes: Uint8Array,
  fields: RowFields,
  index: number,
  limit: number,
  geometryOf: (cells: number) => Geometry | undefined,
  into: GridBuffer,
): FieldGrid | undefined {
  if (index >= fields.count) return undefined;
  const from = fields.from[index];
  const to = fields.to[index];
  let at = from;
  while (at < to && !isBetween(bytes[at])) at++;
  const isAdjacent = at === to;
  const cells = isAdjacent ? { bytes, from } : into;
  if (isAdjacent || addCells(bytes, from, to, into)) {
    const geometry = geometryOf(isAdjacent ? to - from : into.count);
    if (geometry !== undefined) return { geometry, cells };
  }
  const [first, end] = fields.spaced(index, limit);
  if (isAdjacent && end - first === to - from) return undefined;
  for (at = first; at < end; at++) {
    if (bytes[at] !== SPACE && (KINDS[bytes[at]] & (DIGIT | LETTER)) === 0) return undefined;
  }
  const geometry = geometryOf(end - first);
  return geometry && { geometry, cells: { bytes, from: first } };
}

/** Whether a byte is none of cells: white space, or a sign of lists. */
function isBetween(byte: number): boolean {
  return byte <= SPACE || byte === COMMA || byte === OPEN_BRACKET || byte === CLOSE_BRACKET;
}

/** Replaces `into` with the cells of a field; false if it has others. */
export function addCells(bytes: Uint8Array, from: number, to: number, into: GridBuffer): boolean {
  const tokens: number[] = [];
  for (let at = from; at < to; at++) {
    const start = at;
    while (at < to && !isBetween(bytes[at])) at++;
    if (at > start) tokens.push(start, at);
  }
  const count = tokens.length / 2;
  const width = tokens[1] - tokens[0];
  into.clear();
  // As many tokens as each has characters are rows; so is a single token.
  const isRows = width > 1 && (count === 1 || count === width);
  if (isRows && tokens.every((end, k) => k % 2 === 0 || end - tokens[k - 1] === width)) {
    for (let k = 0; k < tokens.length; k += 2) into.addBytes(bytes, tokens[k], tokens[k + 1]);
    return true;
  }
  for (let k = 0; k < tokens.length; k += 2) {
    const code = tokenCode(bytes, tokens[k], tokens[k + 1]);
    if (code < 0) return false;
    into.add(code, tokens[k]);
  }
  return true;
}
