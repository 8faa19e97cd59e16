/**
 * Searches a puzzle with several solutions for one that differs from the first: results have only that one.
 *
 * The digits of the search are numbers of symbols, in any order, so the record alone is enough.
 */
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
    const { status, solution, variant = '' } = record;
    if (status !== 'multiple' || typeof solution !== 'string' || this.#nodes >= MAX_PAGE_NODES)
      return undefined;
    const grid = recordGrid(record);
    const first = grid && symbolsIn(solution, grid.geometry.cellCount);
    if (first === undefined) return undefined;
    const { givens, geometry } = grid!;
    const { size, cellCount } = geometry;
    const symbols = [...new Set(first)];
    // The candidates of a sukaku are not in its grid.
    if (symbols.length !== size || variant.endsWith('sukaku')) return undefined;
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
