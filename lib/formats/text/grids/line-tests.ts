/** Cheap tests of lines, most of which are no cells between separators. */
import { BACKSLASH, isBar } from '../../bytes/ascii.ts';
import { KINDS, kindsIn, LETTER, ODD, PARTS, TABULATOR } from '../byte-kinds.ts';
import type { LineWindow } from '../line-window.ts';

/** Bytes of a line in which a separator or a bracket is looked for, and a sign that is in no row. */
const SAMPLE_BYTES = 64;
const CHECKED_BYTES = 32;
/** Bytes of the shortest row: four empty cells. */
const MIN_ROW_BYTES = 3;

/** Whether line `at` may have separators other than spaces, brackets or quotes; a cheap test that most lines fail. */
export function hasParts(window: LineWindow, at: number): boolean {
  const { bytes, text, end, tokens } = window;
  if (kindsIn(bytes, text[at], Math.min(end[at], text[at] + SAMPLE_BYTES), PARTS) & PARTS) return true;
  const last = bytes[end[at] - 1];
  if (tokens[at] > 0 && (KINDS[last] & PARTS || last === BACKSLASH)) return true;
  return hasOuterTab(window, at);
}

/** Whether a tab is before or after the text of line `at`. */
function hasOuterTab({ bytes, start, end }: LineWindow, at: number): boolean {
  return ((KINDS[bytes[start[at]]] | KINDS[bytes[end[at]]]) & TABULATOR) !== 0;
}

/** Whether line `at` has signs that are in no row and in no declaration; a cheap test for lines after other text. */
export function hasOtherSigns({ bytes, text, end }: LineWindow, at: number): boolean {
  return (kindsIn(bytes, text[at], Math.min(end[at], text[at] + CHECKED_BYTES), ODD) & ODD) !== 0;
}

/** Whether line `at` starts with two letters, as most other text does, or is shorter than any row. */
export function startsLikeText(window: LineWindow, at: number): boolean {
  const { bytes, text, end } = window;
  const from = text[at];
  if ((KINDS[bytes[from]] & KINDS[bytes[from + 1]] & LETTER) !== 0) return true;
  return end[at] - from < MIN_ROW_BYTES && !hasOuterTab(window, at);
}

/** Whether line `at` is a bar or two, which is no row. */
export function isShortBar({ bytes, text, end }: LineWindow, at: number): boolean {
  return end[at] - text[at] < MIN_ROW_BYTES && isBar(bytes[text[at]]);
}
