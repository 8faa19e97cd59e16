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
import { writeRows } from '../../writing/grid-text.ts';
import { CELL, KINDS } from '../byte-kinds.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { LineRuns } from '../shape/judge.ts';
import { chars } from '../shape/readings.ts';
import { isRuler } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';
import { RowGrids } from './row-grids.ts';
import type { SameShape } from './same-shape.ts';

/** Consecutive damaged lines after which the next whole one is looked for. */
const MAX_DAMAGED = 40;

export class Rows implements Recogniser {
  readonly name = 'rows';
  readonly writer = { multiLine: true, write: writeRows };
  readonly #runs: LineRuns;
  readonly #grids: RowGrids;
  /** Lines by number, none of them blank or as long as a small puzzle, apart from the first; `until` is after the last. */
  #damaged: { first: number; until: number } | undefined;

  constructor(runs: LineRuns, sameShape: SameShape) {
    this.#runs = runs;
    this.#grids = new RowGrids({ format: 'rows', reading: chars }, sameShape);
  }

  match(context: TextContext, at: number): number {
    const { window } = context;
    if (window.tokens[at] !== 1 || !mayBeRow(context, at)) return NO;
    const width = window.tokenEnd[at] - window.text[at];
    // A ruler, of a width that no row has, is not a damaged row of blanks.
    if (!context.sink.book.isSize(width) && isRuler(context, at)) return NO;
    if (context.sink.book.isLineOrRow(width)) {
      if (this.#runs.judge(context, at) === 'lines') return NO;
    } else if (this.#isAmongLines(context, at)) return NO;
    const first = window.number(at);
    const taken = this.#grids.match(context, at);
    if (taken > 0) this.#runs.set('rows', width, first + taken);
    return taken;
  }

  /**
   * Whether line `at`, whose width no small puzzle has, is a damaged puzzle among small puzzles on one line each, and
   * so not a row of a larger one.
   *
   *     1..4..2..3..4.          14 characters, and one
   *     .1
   *     ..4..2..3..4..1.        16: judged with the lines like it that follow
   *     .1..3..4..2..1..
   */
  #isAmongLines(context: TextContext, at: number): boolean {
    const { window, sink } = context;
    const number = window.number(at);
    const known = this.#damaged;
    const isKnown = known !== undefined && known.first <= number && number < known.until;
    for (let line = isKnown ? at + known.until - number : at + 1; line <= at + MAX_DAMAGED; line++) {
      if (!window.has(line) || context.isBlank(line)) return false;
      const other = window.tokenEnd[line] - window.text[line];
      if (window.tokens[line] === 1 && sink.book.isLineOrRow(other)) {
        return this.#runs.judge(context, line) === 'lines';
      }
      this.#damaged = { first: isKnown ? known.first : number, until: window.number(line) + 1 };
    }
    return false;
  }
}

/** Whether a line is a row, or nearly one: at least half of it cells, nothing drawn. */
function mayBeRow(context: TextContext, at: number): boolean {
  const { text, end, bytes } = context.window;
  let strange = 0;
  for (let byte = text[at]; byte < end[at]; byte++) {
    if (bytes[byte] === BAR || bytes[byte] === PLUS) return false;
    if ((KINDS[bytes[byte]] & CELL) === 0) strange++;
  }
  return strange * 2 < end[at] - text[at];
}
