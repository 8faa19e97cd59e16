/** The library for browsers: `import { solve } from 'dlx-batch/browser'`. */
import type { PuzzleFile, SolveAllOptions, SolveRecord } from './solve-all.ts';
import type { Solver, SolverOptions } from './solver.ts';

export { type CheckResult, check } from './check.ts';
export { DlxBatchError, ERROR_CODES, type ErrorCode } from './errors.ts';
export { type GeneratedPuzzle, type GenerateOptions, generate, type SymmetryName } from './generate.ts';
export type { EngineName, PuzzleInput, PuzzleOptions, SolveOptions, VariantName } from './puzzle.ts';
export { type PuzzleResult, type PuzzleStatus, type RecordError, solve } from './solve.ts';
export type { CoverReport, PuzzleFile, PuzzleRecord, SolveAllOptions, SolveRecord } from './solve-all.ts';
export type { Solver, SolverOptions } from './solver.ts';

export function solveAll(
  _input: PuzzleFile,
  _options: SolveAllOptions = {},
): AsyncGenerator<SolveRecord, void, void> {
  throw new Error('not implemented');
}

export function createSolver(_options: SolverOptions = {}): Promise<Solver> {
  throw new Error('not implemented');
}
