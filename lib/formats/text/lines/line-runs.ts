/**
 * Decides whether lines of 16 (36) characters are each a whole 4x4 (6x6), or rows of a 16x16 (36x36).
 *
 * The decision applies to the whole run of equally long lines:
 *
 *     two symbols beyond 4 (6), or more                  rows
 *     the run is 16 (36) lines, or a multiple of it      rows, unless a line holds a symbol twice: no row does
 *     otherwise                                          whole puzzles
 *
 * A run longer than the window is judged by the lines in the window: thousands of rows without a symbol beyond 4 are
 * not rows of a 16x16.
 */
import { symbolValue } from '../byte-kinds.ts';
import { isHeader } from '../headers/header.ts';
import type { TextContext } from '../text-context.ts';

export type RunKind = 'lines' | 'rows';

/** The run that the next line continues; plain data. */
export interface RunState {
  readonly kind: RunKind;
  readonly width: number;
}

export class LineRuns {
  /** The last run that was judged, and the number of the line after its lines that were read. */
  #run: { kind: RunKind; width: number; nextLine: number } | undefined;

  /** How the run of line `at` is read. */
  judge(context: TextContext, at: number): RunKind {
    if (context.only !== undefined) return context.only === 'rows' ? 'rows' : 'lines';
    const { window } = context;
    const width = window.tokenEnd[at] - window.text[at];
    const run = this.#run;
    if (run !== undefined && run.width === width && run.nextLine === window.number(at)) return run.kind;
    return judgeLines(context, at, width);
  }

  /** Remembers how a run is read, for line `nextLine`. */
  set(kind: RunKind, width: number, nextLine: number): void {
    this.#run = { kind, width, nextLine };
  }

  /** Whether line `line` continues a run of whole puzzles. */
  areLines(line: number): boolean {
    return this.#run?.kind === 'lines' && this.#run.nextLine === line;
  }

  /** Continues the run by lines that were read. */
  extend(lines: number): void {
    if (this.#run !== undefined) this.#run.nextLine += lines;
  }

  state(line: number): RunState | undefined {
    const run = this.#run;
    return run?.nextLine === line ? { kind: run.kind, width: run.width } : undefined;
  }

  restore({ kind, width }: RunState, line: number): void {
    this.set(kind, width, line);
  }
}

function judgeLines(context: TextContext, at: number, width: number): RunKind {
  const { window } = context;
  const size = Math.sqrt(width);
  let lines = 0;
  let repeats = 0;
  let beyond = 0;
  for (let line = at; ; line++) {
    if (!window.has(line)) {
      if (!window.ended) return 'lines';
      break;
    }
    if (context.isBlank(line) || isHeader(context, line)) break;
    if (context.isComment(line)) continue;
    if (window.tokens[line] !== 1 || window.tokenEnd[line] - window.text[line] !== width) break;
    const symbols = symbolsOf(context, line, size);
    // A single symbol beyond may be a typing error, if the run is not a whole number of grids.
    beyond += symbols.beyond;
    if (beyond > 1) return 'rows';
    if (symbols.repeats) repeats++;
    lines++;
  }
  return lines % width === 0 && (beyond > 0 || repeats === 0) ? 'rows' : 'lines';
}

/** The number of symbols of line `at` beyond `size`, and whether another symbol repeats. */
function symbolsOf(context: TextContext, at: number, size: number): { beyond: number; repeats: boolean } {
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
