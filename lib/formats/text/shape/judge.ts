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
import type { RunKind } from '../text-context.ts';
import type { Line } from './line.ts';
import { chars, type Reading } from './readings.ts';
import { isFrame } from './rulers.ts';

/** Symbols beyond the small size that are no typing errors: among characters, and among fields. */
const MIN_BEYOND = 2;
const MIN_FIELDS_BEYOND = 3;

/** How the run of a line, which has characters alone, is read; a run that was judged is not judged line by line. */
export function judgeChars(line: Line): RunKind {
  const { run, only } = line.context;
  const width = line.tokenEnd - line.from;
  const isKnown = only === undefined && run?.width === width && run.nextLine === line.number;
  return isKnown ? run.kind : judgeRun(line, width, chars);
}

/** How the run of a line, which has `width` cells, is read. */
export function judgeRun(first: Line, width: number, reading: Reading): RunKind {
  const { window, only } = first.context;
  const isChars = reading === chars;
  if (only !== undefined) return (isChars ? only === 'rows' : only !== 'cells-line') ? 'rows' : 'lines';
  let [lines, beyond, repeats] = [0, 0, false];
  for (let line: Line | undefined = first; isChars || lines < width; line = line.next) {
    if (line === undefined) {
      if (!window.ended) return 'lines';
      break;
    }
    if (line.isBlank || isHeader(line)) break;
    if (line.isComment) continue;
    if (!isChars && isFrame(line)) return 'rows';
    // A character that is no cell may be a typing error.
    const length = line.tokens === 1 ? line.tokenEnd - line.from : 0;
    if ((isChars ? length : line.width(reading)) !== width) break;
    const symbols = line.symbols(reading, Math.sqrt(width));
    beyond += symbols >> 1;
    if (beyond >= (isChars ? MIN_BEYOND : MIN_FIELDS_BEYOND)) return 'rows';
    repeats ||= (symbols & 1) === 1;
    lines++;
  }
  // A single symbol beyond may be a typing error, if the run is not a whole number of grids.
  if (lines === 0 || lines % width !== 0 || (repeats && !(isChars && beyond > 0))) return 'lines';
  return isChars || beyond > 0 ? 'rows' : 'both';
}
