/** Damage: where the next record may start, after brackets that do not close. */
import { CLOSE_BRACKET, COLON, OPEN_BRACE, OPEN_BRACKET, QUOTE, SPACE } from '../bytes/ascii.ts';
import { textEnd } from '../bytes/json-scan.ts';
import { MAX_ROW_LENGTH } from '../objects/grid.ts';
import type { Fault } from '../records/fault.ts';
import type { JsonWindow } from './json-window.ts';

/** Less than the smallest grid, so that two broken starts are one: four rows of four strings, with brackets, have 29 bytes. */
export const MIN_GRID_BYTES = 24;

/** By byte: 1 if in damage no record starts with it, and it says nothing about what follows it. */
const DEBRIS = new Uint8Array(256).fill(1, SPACE);
for (const byte of [QUOTE, OPEN_BRACKET, OPEN_BRACE, COLON]) DEBRIS[byte] = 0;

/** In damage: the offset after what is at `at`, and after all that cannot start a record either, such as a short text. */
export function debrisEnd({ bytes, length }: JsonWindow, at: number, inList: boolean): number {
  let end = at + 1;
  if (bytes[at] === COLON) return end;
  for (; end < length; end++) {
    if (DEBRIS[bytes[end]] === 1 || (bytes[end] === QUOTE && isShort(bytes, end, length))) continue;
    // An empty list in a list is skipped as well.
    if (!inList || bytes[end] !== OPEN_BRACKET || end + 1 >= length || bytes[end + 1] !== CLOSE_BRACKET)
      break;
    end++;
  }
  return end;
}

/** Whether the text in quotes at `at` is no longer than a row. */
function isShort(bytes: Uint8Array, at: number, length: number): boolean {
  const last = Math.min(length, at + MAX_ROW_LENGTH + 2);
  const end = textEnd(bytes, at + 1, last);
  return end < last && bytes[end] === QUOTE;
}

/** In damage: of brackets in a row from `at` on the last one that may open a grid, with one bracket in it. */
export function innerBracket({ bytes, length }: JsonWindow, at: number): number {
  let last = at;
  while (last + 2 < length && bytes[last + 1] === OPEN_BRACKET && bytes[last + 2] === OPEN_BRACKET) last++;
  return last;
}

/** Whether a fault of a whole record may be that of its brackets: rules and regions are read from whole records. */
export function isDamage(fault: Fault | undefined): boolean {
  return fault !== undefined && fault.code !== 'unsupported_variant' && fault.code !== 'bad_regions';
}
