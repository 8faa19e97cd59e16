import type { EngineName, PuzzleInput, SolveOptions } from './puzzle.ts';
import type { PuzzleResult } from './solve.ts';
import type { PuzzleFile, SolveAllOptions, SolveRecord } from './solve-all.ts';

export interface SolverOptions {
  readonly engine?: EngineName;
  readonly workers?: number;
}

export interface Solver extends AsyncDisposable {
  readonly workers: number;
  solve(
    puzzle: PuzzleInput,
    options?: Omit<SolveOptions, 'engine'> & { readonly signal?: AbortSignal },
  ): Promise<PuzzleResult>;
  solveAll(
    input: PuzzleFile,
    options?: Omit<SolveAllOptions, 'engine'>,
  ): AsyncGenerator<SolveRecord, void, void>;
  close(): Promise<void>;
}
