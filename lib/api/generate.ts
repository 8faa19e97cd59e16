import type { SymmetryName } from '../sudoku/generator/symmetry.ts';
import type { PuzzleOptions } from './puzzle.ts';

export type { SymmetryName } from '../sudoku/generator/symmetry.ts';

export interface GenerateOptions extends Omit<PuzzleOptions, 'regions'> {
  readonly count?: number;
  readonly seed?: number;
  readonly givens?: number | 'minimal';
  readonly unique?: boolean;
  readonly symmetry?: SymmetryName;
}

export interface GeneratedPuzzle {
  readonly puzzle: string;
  readonly solution: string;
  readonly givens: number;
  readonly regions?: string;
  readonly seed: number;
}

export function generate(_options: GenerateOptions = {}): IterableIterator<GeneratedPuzzle> {
  throw new Error('not implemented');
}
