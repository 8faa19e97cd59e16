/**
 * Lines of 16 (or 36) characters: a whole 4x4 (6x6) each, or rows of a 16x16 (36x36)?
 *
 * Judged over the whole run of equally long lines, up to a blank line or anything else:
 *
 *     two symbols beyond 4 (6), or more                  rows
 *     the run is 16 (36) lines, or a multiple of it      rows, unless some line holds a symbol twice: no row does
 *     otherwise                                          whole puzzles
 *
 * A run longer than a reader holds is judged by what it holds: thousands of rows without a symbol beyond 4 are
 * no rows of a 16x16.
 */

import { isHeader } from '../headers/header.ts';
import { symbolValue } from '../rows/same-shape.ts';
import type { TextContext } from '../text-context.ts';

/** How the run that line `at` belongs to is read; undefined where more lines are needed to tell. */
export function judgeRun(context: TextContext, at: number): 'lines' | 'rows' | undefined {
  if (context.only !== undefined) return context.only === 'rows' ? 'rows' : 'lines';
  const { window } = context;
  const width = window.tokenEnd[at] - window.text[at];
  const known = context.run;
  if (known !== undefined && known.width === width && known.nextLine === window.number(at)) return known.kind;
  const size = Math.sqrt(width);
  let lines = 0;
  let repeats = 0;
  let beyond = 0;
  for (let line = at; ; line++) {
    if (!window.has(line)) {
      if (!window.closed) return undefined;
      if (!window.ended) return 'lines';
      break;
    }
    if (context.isBlank(line) || isHeader(context, line)) break;
    if (context.isComment(line)) continue;
    if (window.tokens[line] !== 1 || window.tokenEnd[line] - window.text[line] !== width) break;
    const look = lookAt(context, line, size);
    // A single one may be a slip, if the run is no whole number of grids.
    beyond += look.beyond;
    if (beyond > 1) return 'rows';
    if (look.repeats) repeats++;
    lines++;
  }
  return lines % width === 0 && (beyond > 0 || repeats === 0) ? 'rows' : 'lines';
}

/** Keeps the judgement for the lines that follow directly. */
export function continueRun(
  context: TextContext,
  kind: 'lines' | 'rows',
  width: number,
  nextLine: number,
): void {
  context.run = { kind, width, nextLine };
}

function lookAt(context: TextContext, at: number, size: number): { beyond: number; repeats: boolean } {
  const { bytes, text, tokenEnd } = context.window;
  let seen = 0;
  let repeats = false;
  let beyond = 0;
  for (let byte = text[at]; byte < tokenEnd[at]; byte++) {
    const value = symbolValue(bytes[byte]);
    if (value > size) beyond++;
    else if (value > 0 && seen & (1 << value)) repeats = true;
    seen |= 1 << value;
  }
  return { beyond, repeats };
}
