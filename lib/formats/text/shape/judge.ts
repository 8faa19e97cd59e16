/**
 * Decides whether lines of 16 (36) cells are each a whole 4x4 (6x6), or rows of a 16x16 (36x36). The decision applies to
 * the whole run of equally long lines:
 *
 *     a few symbols beyond 4 (6), or a ruler among the lines      rows
 *     a number of lines that is none of whole grids               whole puzzles
 *     a symbol beyond 4 (6)                                       rows
 *     a line with a symbol twice                                  whole puzzles: no row has one
 *     otherwise                                                   rows of characters; of fields, both are possible
 *
 * A run longer than the window is judged by the lines in the window: thousands of rows without a symbol beyond 4 are
 * not rows of a 16x16.
 */
import { isHeader } from '../headers/header.ts';
import type { RunKind, TextContext } from '../text-context.ts';
import type { Reading } from './line-shapes.ts';
import { chars } from './readings.ts';
import { isFrame } from './rulers.ts';

/** Symbols beyond the small size that are no typing errors: among characters, and among fields. */
const MIN_BEYOND = 2;
const MIN_FIELDS_BEYOND = 3;

/** How the run of line `at`, which has characters alone, is read; a run that was judged is not judged line by line. */
export function judgeChars(context: TextContext, at: number): RunKind {
  const { window, run } = context;
  const width = window.tokenEnd[at] - window.text[at];
  const isKnown = context.only === undefined && run?.width === width && run.nextLine === window.number(at);
  return isKnown ? run.kind : judgeRun(context, at, width, chars);
}

/** How the run of line `at`, which has `width` cells, is read. */
export function judgeRun(context: TextContext, at: number, width: number, reading: Reading): RunKind {
  const { window, only, lines: shapes } = context;
  const isChars = reading === chars;
  if (only !== undefined) return (isChars ? only === 'rows' : only !== 'cells-line') ? 'rows' : 'lines';
  let [lines, beyond, repeats] = [0, 0, false];
  for (let line = at; isChars || lines < width; line++) {
    if (!window.has(line)) {
      if (!window.ended) return 'lines';
      break;
    }
    if (context.isBlank(line) || isHeader(context, line)) break;
    if (context.isComment(line)) continue;
    if (!isChars && isFrame(context, line)) return 'rows';
    // A character that is no cell may be a typing error.
    const length = window.tokens[line] === 1 ? window.tokenEnd[line] - window.text[line] : 0;
    if ((isChars ? length : shapes.width(line, reading)) !== width) break;
    const symbols = shapes.symbols(line, reading, Math.sqrt(width));
    beyond += symbols >> 1;
    if (beyond >= (isChars ? MIN_BEYOND : MIN_FIELDS_BEYOND)) return 'rows';
    repeats ||= (symbols & 1) === 1;
    lines++;
  }
  // A single symbol beyond may be a typing error, if the run is not a whole number of grids.
  if (lines === 0 || lines % width !== 0 || (repeats && !(isChars && beyond > 0))) return 'lines';
  return isChars || beyond > 0 ? 'rows' : 'both';
}
