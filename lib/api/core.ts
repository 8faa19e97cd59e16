/** The exports that the library has in every environment. */
export { type CheckResult, check } from './check.ts';
export { backtrack } from './engines/backtrack.ts';
export { bitboard } from './engines/bitboard.ts';
export { dlx } from './engines/dlx.ts';
export type { SearchEngine } from './engines/search-engine.ts';
export { DlxBatchError, ERROR_CODES, type ErrorCode } from './errors.ts';
export { type GeneratedPuzzle, type GenerateOptions, generate, generateMany } from './generate.ts';
export type {
  CoverReport,
  EngineName,
  PuzzleRecord,
  PuzzleStatus,
  RecordError,
  SymmetryName,
  VariantName,
} from './names.ts';
export type { LimitOptions, PuzzleInput, PuzzleOptions, SearchOptions } from './puzzle.ts';
export type { PuzzleResult } from './puzzle-result.ts';
export { type CellDigit, type Grade, type RateResult, type RatingStep, rate } from './rate.ts';
export { type SolveOptions, solve } from './solve.ts';
export type { FileOptions, PuzzleFile, SolveAllOptions, SolveRecord } from './solve-all.ts';
export { solveWith } from './solve-with.ts';
export type { Solver, SolverPuzzleOptions } from './solver.ts';
