/** The solvers that a benchmark compares. */
import { NO_LIMITS } from '../../exact-cover/search.ts';
import type { Answers, EngineName, SearchLimits } from '../../sudoku/engine.ts';
import { createEngine } from '../../sudoku/engines.ts';
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import type { BenchCase } from './bench-case.ts';

/** Every solver proves uniqueness: it stops at the second solution. */
export const SOLUTION_LIMIT = 2;

/** Node limit per puzzle: plain backtracking would take minutes for some 17-clue puzzles. */
export const BENCH_NODES = 500_000;

interface AnySolver {
  readonly name: string;
  /** Undefined for a peer. */
  readonly version?: string;
  /** Node limit per puzzle; Infinity for no limit. */
  readonly maxNodes: number;
  /** Why the solver does not support a geometry; undefined if it does. */
  refuses(geometry: Geometry): string | undefined;
}

/** A solver in this process. */
export interface BenchSolver extends AnySolver {
  /** Solves all puzzles of a case and fills `solutions`, `stop` and `cells` of their answers. */
  solve(puzzles: BenchCase, answers: Answers): void;
}

/** A solver in another process, which measures its own time, because pipes cost as much as easy puzzles. */
export interface PeerSolver extends AnySolver {
  /**
   * Solves all puzzles of a case several times, and fills their answers each time.
   *
   * @param onAnswer is called for each answer with the index of its puzzle, so that no answer is unchecked
   * @returns the seconds of solving
   */
  solveRepeatedly(
    puzzles: BenchCase,
    repeats: number,
    answers: Answers,
    onAnswer: (index: number) => void,
  ): Promise<number>;
}

/**
 * Wraps one of the project's engines, which solve blocks of puzzles.
 *
 * @param maxNodes node limit per puzzle, possibly Infinity
 */
export function engineSolver(
  name: EngineName,
  maxNodes: number,
  engine: ReturnType<typeof createEngine> = createEngine(name),
  label: string = name,
): BenchSolver {
  const limits: SearchLimits = { ...NO_LIMITS, maxSolutions: SOLUTION_LIMIT, maxNodes };
  return {
    name: label,
    version: String(engine.version),
    maxNodes,
    refuses: (geometry) => engine.refuses(geometry),
    solve: (puzzles, answers) => engine.solve(puzzles, 0, puzzles.count, limits, answers),
  };
}
