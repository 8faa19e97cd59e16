import type { CoverReport } from '../batch/covers/cover-report.ts';
import type { PuzzleRecord } from '../batch/results/puzzle-record.ts';
import type { SolveOptions } from './puzzle.ts';

export type { CoverReport } from '../batch/covers/cover-report.ts';
export type { PuzzleRecord } from '../batch/results/puzzle-record.ts';

export type PuzzleFile =
  | string
  | Uint8Array
  | AsyncIterable<string | Uint8Array>
  | Iterable<string | Uint8Array>;

export interface SolveAllOptions extends Omit<SolveOptions, 'size' | 'regions'> {
  readonly format?: string;
  readonly fileName?: string;
  readonly signal?: AbortSignal;
}

export type SolveRecord = PuzzleRecord | CoverReport;
