/** What a benchmark compares: something that solves all puzzles of a case in one call. */
import type { Answers, EngineName, SearchLimits } from '../../sudoku/engine.ts';
import { createEngine } from '../../sudoku/engines.ts';
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import type { BenchCase } from './bench-case.ts';

/** Every solver proves that there is one solution: it stops at the second. */
export const SOLUTION_LIMIT = 2;

/** Nodes after which a puzzle is given up: plain backtracking would take minutes for some 17-clue puzzles. */
export const BENCH_NODES = 500_000;

export interface BenchSolver {
  readonly name: string;
  readonly version: string;
  /** Nodes after which it gives a puzzle up; Infinity for never. */
  readonly maxNodes: number;
  /** Why it does not take a geometry; undefined where it does. */
  refuses(geometry: Geometry): string | undefined;
  /** Solves all puzzles of a case and fills `solutions`, `stop` and `cells` of their answers. */
  solve(puzzles: BenchCase, answers: Answers): void;
}

/**
 * One of the project's engines; it gets whole blocks of puzzles.
 *
 * @param maxNodes nodes after which it gives a puzzle up; may be Infinity
 */
export function engineSolver(
  name: EngineName,
  maxNodes: number,
  engine: ReturnType<typeof createEngine> = createEngine(name),
  label: string = name,
): BenchSolver {
  const limits: SearchLimits = {
    maxSolutions: SOLUTION_LIMIT,
    maxNodes,
    sliceNodes: Number.POSITIVE_INFINITY,
    pauseAtSolution: false,
  };
  return {
    name: label,
    version: String(engine.version),
    maxNodes,
    refuses: (geometry) => engine.refuses(geometry),
    solve: (puzzles, answers) => engine.solve(puzzles, 0, puzzles.count, limits, answers),
  };
}
