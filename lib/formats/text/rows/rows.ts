/**
 * Rows: n lines of n characters, as the judges of POJ 3076, SPOJ SUDOKU and AcWing 169 write a 16x16.
 *
 *     53..7....
 *     6..195...
 *     ...
 *
 * Grids follow each other with or without a blank line.
 */
import { CELL, DASHES, SPACE } from '../../bytes/byte-kinds.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { judgeChars } from '../shape/judge.ts';
import type { Line } from '../shape/line.ts';
import { chars, MAX_ROW_CELLS } from '../shape/readings.ts';
import { isFrame, isOneCell, isRuler } from '../shape/rulers.ts';
import { matchGrid, matchWholeGrid } from './assembler.ts';
import { rowShape } from './row-shape.ts';

/** Consecutive damaged lines after which the next whole one is looked for. */
const MAX_DAMAGED = 40;

/** Dashes below the rows of a grid, as many as it has cells in a row, end it if the rows themselves have none. */
const shape = rowShape({
  format: 'rows',
  reading: chars,
  ends: (line, rows, size) => rows === size && line.kinds === DASHES && !line.previous.has(DASHES),
});

/** A longer line is no damaged row, but may be a puzzle. */
const MAX_BYTES = 2 * MAX_ROW_CELLS;

export const rows: Recogniser = {
  name: 'rows',
  maxBytes: MAX_BYTES,
  only: ~SPACE,
  match(line) {
    const { context, book, number, length } = line;
    if (line.tokens !== 1 || !mayBeRow(line)) return NO;
    // A ruler is not a damaged row of blanks.
    if (isRuler(line)) return NO;
    if (isRulerOfCells(line)) return 1;
    if (book.isLineOrRow(length) && judgeChars(line) === 'lines') return NO;
    const isWhole = !book.isLineOrRow(length) && isAmongLines(line);
    const taken = isWhole ? matchWholeGrid(line, shape) : matchGrid(line, shape);
    if (taken > 0) context.run = { kind: 'rows', width: length, nextLine: number + taken };
    return taken;
  },
};

/** Whether a line of dashes directly below a grid has all rows of another one below it, and none of either has a dash. */
function isRulerOfCells(line: Line): boolean {
  const { kinds, context, number, length } = line;
  if (kinds !== DASHES || context.gridEndLine !== number || line.previous.has(DASHES)) return false;
  let row = line.next;
  for (let rows = 0; rows < length; rows++, row = row.next) {
    if (row === undefined || row.length !== length || row.has(DASHES) || row.width(chars) === 0) return false;
  }
  return true;
}

/**
 * Whether a line, whose width no small puzzle has, is a damaged puzzle among small puzzles on one line each, and
 * so not a row of a larger one, unless that is whole.
 *
 *     1..4..2..3..4.          14 characters, and one
 *     .1
 *     ..4..2..3..4..1.        16: judged with the lines like it that follow
 *     .1..3..4..2..1..
 */
function isAmongLines({ context, at, book }: Line): boolean {
  for (let next = Math.max(context.afterRun(MAX_DAMAGED, at), at + 1); next <= at + MAX_DAMAGED; next++) {
    const line = context.lineAt(next);
    if (line === undefined || line.isBlank) return false;
    const isOther =
      line.tokens !== 1 ||
      !book.isLineOrRow(line.length) ||
      line.isComment ||
      isOneCell(line) ||
      isFrame(line);
    if (!isOther) return judgeChars(line) === 'lines';
    context.noteRun(MAX_DAMAGED, at, next + 1);
  }
  return false;
}

/** Whether a line is a row, or nearly one: at least half of it cells, nothing drawn. */
function mayBeRow(line: Line): boolean {
  if ((line.kinds & ~CELL) === 0) return true;
  const { text } = line;
  return !/[|+]/.test(text) && text.replaceAll(/[\w.*?#-]/g, '').length * 2 < text.length;
}
