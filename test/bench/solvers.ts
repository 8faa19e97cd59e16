/**
 * The solvers that the benchmark compares: the project's engines, its general exact-cover core, and the npm package
 * `dancing-links`, the reference of all ratios.
 *
 * Engines get whole blocks of puzzles as bytes and write their answers as bytes; the other two are called for each
 * puzzle, as their interfaces require.
 */
import { DancingLinks as PackageDancingLinks } from 'dancing-links';
import type { BenchCase } from '../../lib/cli/bench/bench-case.ts';
import { BENCH_NODES, type BenchSolver, engineSolver, SOLUTION_LIMIT } from '../../lib/cli/bench/measure.ts';
import { DancingLinks, SearchStop } from '../../lib/exact-cover/dancing-links.ts';
import { type Answers, ENGINE_NAMES, Stop } from '../../lib/sudoku/engine.ts';
import { type SudokuCover, sudokuCover } from '../../lib/sudoku/sudoku-cover.ts';
import manifest from '../../package.json' with { type: 'json' };

/** The solver that all ratios refer to. */
export const REFERENCE = 'dancing-links';

/** The solvers that run without `--engine`. */
export const SOLVER_NAMES: readonly string[] = [...ENGINE_NAMES, 'exact-cover', REFERENCE];

/** @throws RangeError for any other name */
export function createSolver(name: string): BenchSolver {
  const engineName = ENGINE_NAMES.find((engine) => engine === name);
  if (engineName !== undefined) {
    return engineSolver(engineName, engineName === 'backtrack' ? BENCH_NODES : Number.POSITIVE_INFINITY);
  }
  if (name === 'exact-cover') return new ExactCoverSolver();
  if (name === REFERENCE) return new PackageSolver();
  const known = SOLVER_NAMES.join(', ');
  throw new RangeError(`there is no engine ${name}: expected one of ${known}`);
}

/** The general core on the sudoku's matrix; its only input is the options that the givens select. */
class ExactCoverSolver implements BenchSolver {
  readonly name = 'exact-cover';
  readonly version = manifest.version;
  readonly maxNodes = Number.POSITIVE_INFINITY;
  #cover: SudokuCover | undefined;
  #links: DancingLinks | undefined;

  refuses(): undefined {
    return undefined;
  }

  solve(puzzles: BenchCase, answers: Answers): undefined {
    const { geometry, count, cells } = puzzles;
    if (this.#cover?.geometry !== geometry) {
      this.#cover = sudokuCover(geometry);
      this.#links = new DancingLinks(this.#cover.problem);
    }
    const cover = this.#cover;
    const links = this.#links as DancingLinks;
    const limits = {
      maxSolutions: SOLUTION_LIMIT,
      maxNodes: Number.POSITIVE_INFINITY,
      sliceNodes: Number.POSITIVE_INFINITY,
      pauseAtSolution: false,
    };
    const { cellOf, digitOf } = cover;
    const { cells: solved } = answers;
    const givens = new Int32Array(geometry.cellCount);
    for (let i = 0; i < count; i++) {
      const at = i * geometry.cellCount;
      links.reset(givens.subarray(0, selectGivens(cover, cells, at, givens)));
      const stop = links.run(limits);
      answers.solutions[i] = links.solutions;
      // If there are two solutions, the latest one.
      if (answers.solutions[i] > 0) {
        const { selected } = links;
        for (let k = 0; k < selected.length; k++) {
          solved[at + cellOf[selected[k]]] = digitOf[selected[k]];
        }
      }
      answers.stop[i] = stop === SearchStop.exhausted ? Stop.exhausted : Stop.solutionLimit;
    }
  }
}

/** Writes the options that the givens select; returns their number. */
function selectGivens(
  { geometry: { cellCount, size }, optionOf }: SudokuCover,
  cells: Uint8Array,
  at: number,
  selected: Int32Array,
): number {
  let count = 0;
  for (let cell = 0; cell < cellCount; cell++) {
    const digit = cells[at + cell];
    if (digit === 0) continue;
    const option = optionOf[cell * size + digit - 1];
    if (option >= 0) selected[count++] = option;
  }
  return count;
}

/**
 * The npm package in its fastest use: sparse rows, built once, and for each puzzle only the rows of the givens and
 * those that no given excludes. Also measured: columns renumbered without those that the givens cover (1.03 times as
 * fast on 17-clue, 0.98 on hard), `addRow` (no difference), its templates (slower, because they keep all rows).
 */
class PackageSolver implements BenchSolver {
  readonly name = REFERENCE;
  readonly version = manifest.devDependencies[REFERENCE];
  readonly maxNodes = Number.POSITIVE_INFINITY;
  readonly #package = new PackageDancingLinks<number>();
  #cover: SudokuCover | undefined;
  #rows: { readonly data: number; readonly columnIndices: number[] }[] = [];

  refuses(): undefined {
    return undefined;
  }

  solve(puzzles: BenchCase, answers: Answers): undefined {
    const { geometry, count, cells } = puzzles;
    if (this.#cover?.geometry !== geometry) {
      this.#cover = sudokuCover(geometry);
      const { optionStart, items } = this.#cover.problem;
      this.#rows = Array.from(this.#cover.cellOf, (_, option) => ({
        data: option,
        columnIndices: Array.from(items.subarray(optionStart[option], optionStart[option + 1])),
      }));
    }
    const cover = this.#cover;
    const selected = new Int32Array(geometry.cellCount);
    const covered = new Uint8Array(cover.problem.primaryCount);
    for (let i = 0; i < count; i++) {
      const givens = selected.subarray(0, selectGivens(cover, cells, i * geometry.cellCount, selected));
      const solver = this.#package.createSolver({ columns: cover.problem.primaryCount });
      solver.addSparseConstraints(this.#remainingRows(givens, covered));
      const solutions = solver.find(SOLUTION_LIMIT);
      answers.solutions[i] = solutions.length;
      answers.stop[i] = solutions.length < SOLUTION_LIMIT ? Stop.exhausted : Stop.solutionLimit;
      if (solutions.length > 0) {
        for (const { data } of solutions[0]) {
          answers.cells[i * geometry.cellCount + cover.cellOf[data]] = cover.digitOf[data];
        }
      }
    }
  }

  #remainingRows(givens: Int32Array, covered: Uint8Array): { data: number; columnIndices: number[] }[] {
    const rows = this.#rows;
    const left = [];
    covered.fill(0);
    for (let k = 0; k < givens.length; k++) {
      left.push(rows[givens[k]]);
      for (const column of rows[givens[k]].columnIndices) covered[column] = 1;
    }
    for (let option = 0; option < rows.length; option++) {
      const { columnIndices } = rows[option];
      let free = 1;
      for (let k = 0; k < columnIndices.length; k++) free &= covered[columnIndices[k]] ^ 1;
      if (free === 1) left.push(rows[option]);
    }
    return left;
  }
}
