/**
 * Lines of 16 (or 36) cells with separators: a whole 4x4 (6x6) each, or rows of a 16x16 (36x36)?
 *
 *     a few symbols beyond 4 (6), or a ruler among the lines      rows
 *     fewer than 16 (36) such lines                               whole puzzles
 *     a line with a symbol twice                                  whole puzzles: no row has one
 *     a symbol beyond 4 (6)                                       rows
 *     otherwise                                                   both are possible
 */
import { MINUS_ONE, NUMBER } from '../../cells/grid-buffer.ts';
import { symbolValue } from '../byte-kinds.ts';
import { isHeader } from '../headers/header.ts';
import type { TextContext } from '../text-context.ts';
import type { FieldLines } from './field-lines.ts';
import { addCells, rowWidth } from './field-shape.ts';
import { isFrame } from './frames.ts';
import type { Reading } from './line-fields.ts';

/** Symbols beyond the small size that are no typing errors. */
const MIN_BEYOND = 3;
/** Lines whose symbols are kept: more than a run has that decides. */
const SLOTS = 64;

export type RunKind = 'rows' | 'lines' | 'both';

export class CellRuns {
  readonly #lines: FieldLines;
  /** By line number: symbols beyond the small size, and whether another one repeats. A line is asked about often. */
  readonly #numbers = new Float64Array(SLOTS);
  readonly #beyond = new Int32Array(SLOTS);
  readonly #repeats = new Uint8Array(SLOTS);

  constructor(lines: FieldLines) {
    this.#lines = lines;
  }

  /** How the run of line `at`, which has `width` cells, is read. */
  judge(context: TextContext, at: number, width: number, reading: Reading): RunKind {
    if (context.only !== undefined) return context.only === 'cells-line' ? 'lines' : 'rows';
    const { window } = context;
    let repeats = false;
    let beyond = 0;
    for (let line = at, count = 0; count < width; line++) {
      if (!window.has(line) || context.isBlank(line) || isHeader(context, line)) return 'lines';
      if (context.isComment(line)) continue;
      if (isFrame(context, line)) return 'rows';
      if (rowWidth(context, line, this.#lines, reading) !== width) return 'lines';
      count++;
      const slot = this.#slotOf(context, line, width, reading);
      beyond += this.#beyond[slot];
      if (beyond >= MIN_BEYOND) return 'rows';
      if (this.#repeats[slot] === 1) repeats = true;
    }
    if (repeats) return 'lines';
    return beyond > 0 ? 'rows' : 'both';
  }

  #slotOf(context: TextContext, at: number, width: number, reading: Reading): number {
    const number = context.window.number(at);
    const slot = number % SLOTS;
    if (this.#numbers[slot] === number) return slot;
    this.#numbers[slot] = number;
    this.#beyond[slot] = this.#repeats[slot] = 0;
    const { cells } = context;
    const size = Math.sqrt(width);
    cells.clear();
    addCells(context, at, this.#lines.of(context, at), reading, cells);
    let seen = 0;
    for (let cell = 0; cell < cells.count; cell++) {
      const code = cells.codes[cell];
      if (code === MINUS_ONE) continue;
      const value = code > NUMBER ? code - NUMBER : symbolValue(code);
      if (value > size) this.#beyond[slot]++;
      else if (value > 0 && seen & (1 << value)) this.#repeats[slot] = 1;
      seen |= 1 << value;
    }
    return slot;
  }
}
