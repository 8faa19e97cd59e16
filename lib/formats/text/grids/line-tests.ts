/** Cheap tests of lines, most of which are no cells between separators. */
import { BACKSLASH, isBar } from '../../bytes/ascii.ts';
import { KINDS, LETTER } from '../byte-kinds.ts';
import type { LineWindow } from '../line-window.ts';
import { PARTS, SPACE, TAB } from './line-parts.ts';

/** Bytes of a line in which a separator or a bracket is looked for. */
const SAMPLE_BYTES = 64;

/** Whether line `at` may have separators other than spaces, brackets or quotes; a cheap test that most lines fail. */
export function hasParts({ bytes, start, text, end, tokens }: LineWindow, at: number): boolean {
  const last = Math.min(end[at], text[at] + SAMPLE_BYTES);
  for (let byte = text[at]; byte < last; byte++) if (PARTS[bytes[byte]] > SPACE) return true;
  if (tokens[at] > 0 && (PARTS[bytes[end[at] - 1]] > SPACE || bytes[end[at] - 1] === BACKSLASH)) return true;
  return PARTS[bytes[start[at]]] === TAB || PARTS[bytes[end[at]]] === TAB;
}

/** Bytes of a line that are checked for other signs. */
const CHECKED_BYTES = 32;

/** Whether line `at` has signs that are in no row and in no declaration; a cheap test for lines after other text. */
export function hasOtherSigns({ bytes, text, end }: LineWindow, at: number): boolean {
  const to = Math.min(end[at], text[at] + CHECKED_BYTES);
  for (let byte = text[at]; byte < to; byte++) if (OTHER[bytes[byte]]) return true;
  return false;
}

/** Whether line `at` starts with two letters, as most other text does, or is shorter than any row. */
export function startsLikeText({ bytes, start, text, end }: LineWindow, at: number): boolean {
  const from = text[at];
  if ((KINDS[bytes[from]] & KINDS[bytes[from + 1]] & LETTER) !== 0) return true;
  return end[at] - from < MIN_ROW_BYTES && PARTS[bytes[start[at]]] !== TAB && PARTS[bytes[end[at]]] !== TAB;
}

/** Bytes of the shortest row: four empty cells. */
const MIN_ROW_BYTES = 3;

/** `OTHER[byte]`: 1 for signs that are in no row and in no declaration. */
const OTHER = new Uint8Array(256);
for (const character of '#%+@\\^~') OTHER[character.charCodeAt(0)] = 1;
OTHER.fill(1, 0, 9);
OTHER.fill(1, 14, 32);
OTHER.fill(1, 127);

/** Whether line `at` is a bar or two, which is no row. */
export function isShortBar({ bytes, text, end }: LineWindow, at: number): boolean {
  return end[at] - text[at] < MIN_ROW_BYTES && isBar(bytes[text[at]]);
}
