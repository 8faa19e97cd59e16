/**
 * Rows: n lines of n characters, as the judges of POJ 3076, SPOJ SUDOKU and AcWing 169 write a 16x16.
 *
 *     53..7....
 *     6..195...
 *     ...
 *
 * A blank line stands between two grids, or none.
 */
import { writeRows } from '../../writing/grid-text.ts';
import { isRuler } from '../drawings/boxed.ts';
import { continueRun, judgeRun } from '../lines/line-runs.ts';
import { MORE, NO, type TextFormat } from '../recogniser.ts';
import { CELL, KINDS, type TextContext } from '../text-context.ts';
import { matchRows, type RowShape } from './row-grids.ts';

const shape: RowShape = {
  format: 'rows',
  spaced: false,
  unit: 'characters',
  width(context, at) {
    const { tokens, text, end, bytes } = context.window;
    if (tokens[at] !== 1 || end[at] - text[at] > 40) return 0;
    for (let byte = text[at]; byte < end[at]; byte++) if ((KINDS[bytes[byte]] & CELL) === 0) return 0;
    return end[at] - text[at];
  },
  cells(context, at) {
    const { window } = context;
    context.grid.addBytes(window.bytes, window.text[at], window.end[at]);
  },
  count(context, at) {
    return context.characters(at);
  },
};

/**
 * Whether a line, of a width that no small puzzle has, is a damaged one of small puzzles that follow on lines of their own,
 * and so no row of a larger one; undefined where more lines are needed to tell.
 *
 *     1..4..2..3..4.          14 characters, and one
 *     .1
 *     ..4..2..3..4..1.        16: judged with all that follow like it
 *     .1..3..4..2..1..
 */
function standsAmongLines(context: TextContext, at: number): boolean | undefined {
  const { window, sink } = context;
  for (let line = at + 1; line <= at + MOST_DAMAGED; line++) {
    if (!window.has(line)) return window.closed ? false : undefined;
    if (window.tokens[line] !== 1) return false;
    const other = window.tokenEnd[line] - window.text[line];
    if (sink.book.isLineOrRow(other)) {
      const kind = judgeRun(context, line);
      return kind === undefined ? undefined : kind === 'lines';
    }
  }
  return false;
}

/** Damaged lines in a row behind which the next whole one is looked for. */
const MOST_DAMAGED = 4;

/** Whether a line is a row, or nearly one: most of it cells, nothing drawn. */
function mayBeRow(context: TextContext, at: number): boolean {
  const { text, end, bytes } = context.window;
  let strange = 0;
  for (let byte = text[at]; byte < end[at]; byte++) {
    if (bytes[byte] === BAR || bytes[byte] === PLUS) return false;
    if ((KINDS[bytes[byte]] & CELL) === 0) strange++;
  }
  return strange * 2 < end[at] - text[at];
}

const BAR = 124;
const PLUS = 43;

export const rows: TextFormat = {
  name: 'rows',
  match(context, at) {
    const { window } = context;
    if (window.tokens[at] !== 1 || !mayBeRow(context, at)) return NO;
    const width = window.tokenEnd[at] - window.text[at];
    // A line that only draws, of a width that no row has, is no damaged row of blanks.
    if (!context.sink.book.isSize(width) && isRuler(context, at)) return NO;
    if (context.sink.book.isLineOrRow(width)) {
      const kind = judgeRun(context, at);
      if (kind === undefined) return MORE;
      if (kind === 'lines') return NO;
    } else {
      const small = standsAmongLines(context, at);
      if (small === undefined) return MORE;
      if (small) return NO;
    }
    const first = window.number(at);
    const taken = matchRows(context, at, shape);
    if (taken > 0) continueRun(context, 'rows', width, first + taken);
    return taken;
  },
  writer: { multiLine: true, write: writeRows },
};
