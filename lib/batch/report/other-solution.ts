/**
 * Searches a puzzle with several solutions for one that differs from the first: results have only that one.
 *
 * The digits of the search are numbers of symbols, in any order, so the record alone is enough.
 */
import { withCandidates } from '../../sudoku/candidates.ts';
import { createAnswers, type Engine, Stop } from '../../sudoku/engine.ts';
import { createEngine } from '../../sudoku/engines.ts';
import type { JobRecord } from '../results/job-record.ts';
import { recordGrid, symbolsIn } from './drawn-grid.ts';

/** Nodes of one search, and of all searches of a page. */
const MAX_NODES = 20_000;
const MAX_PAGE_NODES = 200_000;

export class OtherSolutions {
  #nodes = 0;
  #engine: Engine | undefined;

  /** @returns a solution in the symbols of the record; undefined if it has no other one, or if it takes too long to find */
  of(record: JobRecord): string | undefined {
    const { status, solution, puzzle = '', variant = '' } = record;
    if (status !== 'multiple' || typeof solution !== 'string' || this.#nodes >= MAX_PAGE_NODES)
      return undefined;
    const grid = recordGrid(record);
    const first = grid && symbolsIn(solution, grid.geometry.cellCount);
    if (first === undefined) return undefined;
    const { givens, geometry: plain } = grid!;
    const { size, cellCount } = plain;
    const isSukaku = variant.endsWith('sukaku');
    // The candidates of a cell have their places in its part of the puzzle.
    const symbols = isSukaku ? candidateSymbols(puzzle, size) : [...new Set(first)];
    if (symbols.length !== size) return undefined;
    const geometry = isSukaku ? withCandidates(plain, candidatesOf(puzzle, size, cellCount)) : plain;
    const cells = Uint8Array.from(givens, (symbol) => symbols.indexOf(symbol) + 1);
    this.#engine ??= createEngine('dlx');
    const answers = createAnswers(1, cellCount);
    const limits = { maxSolutions: 3, maxNodes: MAX_NODES, sliceNodes: Infinity, pauseAtSolution: true };
    this.#engine.solve({ geometry, cells }, 0, 1, limits, answers);
    for (;;) {
      const found = Array.from(answers.cells, (digit) => symbols[digit - 1] ?? '');
      const isOther =
        answers.stop[0] === Stop.solution && found.some((symbol, cell) => symbol !== first[cell]);
      if (isOther || answers.stop[0] !== Stop.solution) {
        this.#nodes += answers.nodes[0]!;
        return isOther ? found.join(solution.includes(' ') ? ' ' : '') : undefined;
      }
      this.#engine.resume(limits, answers);
    }
  }
}

function candidateSymbols(puzzle: string, size: number): string[] {
  const symbols = Array.from({ length: size }, () => '');
  [...puzzle].forEach((symbol, at) => {
    if (symbol !== '.') symbols[at % size] = symbol;
  });
  return symbols;
}

function candidatesOf(puzzle: string, size: number, cellCount: number): Int32Array {
  const candidates = new Int32Array(cellCount);
  [...puzzle].forEach((symbol, at) => {
    if (symbol !== '.') candidates[Math.floor(at / size)]! |= 1 << (at % size);
  });
  return candidates;
}
