/**
 * Rows: n lines of n characters, as the judges of POJ 3076, SPOJ SUDOKU and AcWing 169 write a 16x16.
 *
 *     53..7....
 *     6..195...
 *     ...
 *
 * Grids follow each other with or without a blank line.
 */
import { BAR, PLUS } from '../../bytes/ascii.ts';
import { CELL, KINDS, SPACE } from '../../bytes/byte-kinds.ts';
import { writeRows } from '../../writing/grid-drawing.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { judgeChars } from '../shape/judge.ts';
import { chars } from '../shape/readings.ts';
import { isRuler } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';
import { matchGrid } from './assembler.ts';
import type { RowShape } from './row-shape.ts';

/** Consecutive damaged lines after which the next whole one is looked for. */
const MAX_DAMAGED = 40;

const shape: RowShape = { format: 'rows', reading: chars };

export const rows: Recogniser = {
  name: 'rows',
  only: ~SPACE,
  writer: { multiLine: true, write: writeRows },
  match(context, at) {
    const { window } = context;
    if (window.tokens[at] !== 1 || !mayBeRow(context, at)) return NO;
    const width = window.tokenEnd[at] - window.text[at];
    // A ruler, of a width that no row has, is not a damaged row of blanks.
    if (!context.sink.book.isSize(width) && isRuler(context, at)) return NO;
    if (context.sink.book.isLineOrRow(width)) {
      if (judgeChars(context, at) === 'lines') return NO;
    } else if (isAmongLines(context, at)) return NO;
    const first = window.number(at);
    const taken = matchGrid(context, at, shape);
    if (taken > 0) context.run = { kind: 'rows', width, nextLine: first + taken };
    return taken;
  },
};

/**
 * Whether line `at`, whose width no small puzzle has, is a damaged puzzle among small puzzles on one line each, and
 * so not a row of a larger one.
 *
 *     1..4..2..3..4.          14 characters, and one
 *     .1
 *     ..4..2..3..4..1.        16: judged with the lines like it that follow
 *     .1..3..4..2..1..
 */
function isAmongLines(context: TextContext, at: number): boolean {
  const { window, sink } = context;
  const { lines } = context;
  for (let line = Math.max(lines.afterRun(MAX_DAMAGED, at), at + 1); line <= at + MAX_DAMAGED; line++) {
    if (!window.has(line) || context.isBlank(line)) return false;
    const other = window.tokenEnd[line] - window.text[line];
    if (window.tokens[line] === 1 && sink.book.isLineOrRow(other)) {
      return judgeChars(context, line) === 'lines';
    }
    lines.noteRun(MAX_DAMAGED, at, line + 1);
  }
  return false;
}

/** Whether a line is a row, or nearly one: at least half of it cells, nothing drawn. */
function mayBeRow(context: TextContext, at: number): boolean {
  const { text, end, bytes, kinds } = context.window;
  if ((kinds[at] & ~CELL) === 0) return true;
  let strange = 0;
  for (let byte = text[at]; byte < end[at]; byte++) {
    if (bytes[byte] === BAR || bytes[byte] === PLUS) return false;
    if ((KINDS[bytes[byte]] & CELL) === 0) strange++;
  }
  return strange * 2 < end[at] - text[at];
}
