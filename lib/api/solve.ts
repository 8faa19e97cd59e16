import type { RecordError } from '../batch/results/record-error.ts';
import type { PuzzleStatus } from '../batch/solving/puzzle-status.ts';
import type { PuzzleInput, SolveOptions } from './puzzle.ts';

export type { RecordError } from '../batch/results/record-error.ts';
export type { PuzzleStatus } from '../batch/solving/puzzle-status.ts';

export interface PuzzleResult {
  readonly status: PuzzleStatus;
  readonly solution?: string;
  readonly cells?: readonly number[];
  readonly solutions: number;
  readonly exact: boolean;
  readonly givens: number;
  readonly nodes: number;
  readonly guesses: number;
  readonly error?: RecordError;
}

export function solve(_puzzle: PuzzleInput, _options: SolveOptions = {}): PuzzleResult {
  throw new Error('not implemented');
}
