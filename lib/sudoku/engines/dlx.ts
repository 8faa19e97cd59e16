/**
 * The `dlx` engine: sudoku of any geometry by dancing links.
 *
 * A geometry's exact-cover problem (sudoku-cover.ts) is built once, when its first puzzle comes, and kept. A
 * puzzle is that problem with its givens preselected.
 */
import { DancingLinks, type RunLimits, SearchStop } from '../../exact-cover/dancing-links.ts';
import { type Answers, type Engine, type PuzzleCells, type SearchLimits, Stop } from '../engine.ts';
import type { Geometry } from '../geometry.ts';
import { type SudokuCover, sudokuCover } from '../sudoku-cover.ts';

/** A geometry's problem, its solver, and room for a puzzle's givens. */
interface Solver {
  readonly cover: SudokuCover;
  readonly links: DancingLinks;
  readonly givens: Int32Array;
  /** One object for all calls, so that a puzzle allocates nothing. */
  readonly limits: { -readonly [K in keyof RunLimits]: RunLimits[K] };
}

/** Makes a `dlx` engine; it takes every geometry. */
export function createDlxEngine(): Engine {
  return new DlxEngine();
}

class DlxEngine implements Engine {
  readonly name = 'dlx';
  readonly version = 1;

  private readonly solvers = new WeakMap<Geometry, Solver>();
  private paused: { readonly solver: Solver; readonly index: number } | undefined;

  refuses(): undefined {
    return undefined;
  }

  solve(puzzles: PuzzleCells, from: number, to: number, limits: SearchLimits, answers: Answers): void {
    const solver = this.solverFor(puzzles.geometry);
    this.paused = undefined;
    for (let index = from; index < to; index++) {
      selectGivens(solver, puzzles.cells, index);
      answers.cells.fill(0, index * puzzles.geometry.cellCount, (index + 1) * puzzles.geometry.cellCount);
      this.search(solver, index, limits, answers);
    }
  }

  resume(limits: SearchLimits, answers: Answers): void {
    if (this.paused === undefined) {
      throw new Error('no puzzle is paused: resume follows a solve or resume whose stop was paused');
    }
    const { solver, index } = this.paused;
    this.paused = undefined;
    this.search(solver, index, limits, answers);
  }

  private solverFor(geometry: Geometry): Solver {
    let solver = this.solvers.get(geometry);
    if (solver === undefined) {
      const cover = sudokuCover(geometry);
      solver = {
        cover,
        links: new DancingLinks(cover.problem),
        givens: new Int32Array(geometry.cellCount),
        limits: { maxSolutions: 0, maxNodes: 0, sliceNodes: 0, pauseAtSolution: true },
      };
      this.solvers.set(geometry, solver);
    }
    return solver;
  }

  /** Runs until the limits say stop, or pause; leaves the answers of this puzzle up to date. */
  private search(solver: Solver, index: number, limits: SearchLimits, answers: Answers): void {
    const { links, limits: runLimits } = solver;
    const sliceEnd = links.nodes + limits.sliceNodes;
    runLimits.maxSolutions = limits.maxSolutions;
    runLimits.maxNodes = limits.maxNodes;
    for (;;) {
      const before = links.solutions;
      runLimits.sliceNodes = sliceEnd - links.nodes;
      // The core keeps no solution: it must stop at the first one for us to write it down.
      runLimits.pauseAtSolution = limits.pauseAtSolution || before === 0;
      const stop = links.run(runLimits);
      if (links.solutions > before && (before === 0 || limits.pauseAtSolution)) {
        writeSolution(solver, answers.cells, index);
      }
      if (stop === SearchStop.solution && !limits.pauseAtSolution) {
        continue;
      }
      answers.solutions[index] = links.solutions;
      answers.nodes[index] = links.nodes;
      answers.guesses[index] = links.guesses;
      answers.stop[index] = ENGINE_STOP[stop];
      if (answers.stop[index] === Stop.paused) {
        this.paused = { solver, index };
      }
      return;
    }
  }
}

/** By the core's stop: the engine's. */
const ENGINE_STOP: Readonly<Record<SearchStop, Stop>> = {
  [SearchStop.exhausted]: Stop.exhausted,
  [SearchStop.solutionLimit]: Stop.solutionLimit,
  [SearchStop.nodeLimit]: Stop.nodeLimit,
  [SearchStop.slice]: Stop.paused,
  [SearchStop.solution]: Stop.paused,
};

function selectGivens(solver: Solver, cells: Uint8Array, index: number): void {
  const { givens, links, cover } = solver;
  const { size, cellCount } = cover.geometry;
  let count = 0;
  for (let cell = 0, at = index * cellCount; cell < cellCount; cell++, at++) {
    const digit = cells[at];
    if (digit > size) {
      throw new RangeError(`puzzle ${index} has digit ${digit} in cell ${cell}: expected 0 to ${size}`);
    }
    if (digit !== 0 && cover.firstOption[cell] >= 0) {
      givens[count++] = cover.firstOption[cell] + digit - 1;
    }
  }
  links.reset(givens, count);
}

function writeSolution({ cover, links }: Solver, cells: Uint8Array, index: number): void {
  const base = index * cover.geometry.cellCount;
  for (let k = 0; k < links.selectedCount; k++) {
    const option = links.selected[k];
    cells[base + cover.cellOf[option]] = cover.digitOf[option];
  }
}
