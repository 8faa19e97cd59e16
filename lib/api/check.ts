import type { RecordError } from '../batch/results/record-error.ts';
import type { PuzzleInput, PuzzleOptions } from './puzzle.ts';

export interface CheckResult {
  readonly status: 'valid' | 'invalid' | 'unreadable';
  readonly givens: number;
  readonly error?: RecordError;
}

export function check(_puzzle: PuzzleInput, _options: PuzzleOptions = {}): CheckResult {
  throw new Error('not implemented');
}
