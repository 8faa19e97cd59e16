/**
 * Lines of 16 (or 36) cells with separators: a whole 4x4 (6x6) each, or rows of a 16x16 (36x36)?
 *
 *     a symbol beyond 4 (6), or a ruler among the lines      rows
 *     fewer than 16 (36) such lines                          whole puzzles
 *     a line with a symbol twice                             whole puzzles: no row has one
 *     otherwise                                              both are possible
 */
import { NUMBER } from '../../cells/grid-buffer.ts';
import { symbolValue } from '../byte-kinds.ts';
import { isHeader } from '../headers/header.ts';
import type { TextContext } from '../text-context.ts';
import type { FieldLines } from './field-lines.ts';
import { addCells, rowWidth } from './field-shape.ts';
import { isFrame } from './frames.ts';
import type { Reading } from './line-fields.ts';

/** How the run of line `at`, which has `width` cells, is read; undefined if more lines are needed to decide. */
export function judgeRun(
  context: TextContext,
  at: number,
  width: number,
  lines: FieldLines,
  reading: Reading,
): 'rows' | 'lines' | 'both' | undefined {
  const { window, cells } = context;
  if (context.only !== undefined) return context.only === 'cells-line' ? 'lines' : 'rows';
  const size = Math.sqrt(width);
  let repeats = false;
  let count = 0;
  for (let line = at; count < width; line++) {
    if (!window.has(line)) {
      if (!window.closed) return undefined;
      return 'lines';
    }
    if (context.isBlank(line) || isHeader(context, line)) return 'lines';
    if (context.isComment(line)) continue;
    if (isFrame(context, line)) return 'rows';
    if (rowWidth(context, line, lines, reading) !== width) return 'lines';
    count++;
    cells.clear();
    addCells(context, line, lines.of(context, line), reading, cells);
    let seen = 0;
    for (let cell = 0; cell < cells.count; cell++) {
      const code = cells.codes[cell];
      const value = code > NUMBER ? code - NUMBER : symbolValue(code);
      if (value > size) return 'rows';
      if (value > 0 && seen & (1 << value)) repeats = true;
      seen |= 1 << value;
    }
  }
  return repeats ? 'lines' : 'both';
}
