/** One puzzle as the caller passes it. */
import type { EngineName } from '../sudoku/engine.ts';
import type { VariantName } from '../sudoku/geometry/variants.ts';

export type { EngineName } from '../sudoku/engine.ts';
export type { VariantName } from '../sudoku/geometry/variants.ts';

export type PuzzleInput = string | ArrayLike<number>;

export interface PuzzleOptions {
  readonly size?: number;
  readonly variant?: VariantName;
  readonly box?: readonly [rows: number, columns: number];
  readonly regions?: string | ArrayLike<number>;
  readonly alphabet?: string;
}

export interface SolveOptions extends PuzzleOptions {
  readonly engine?: EngineName;
  readonly solutions?: number;
  readonly maxNodes?: number;
  readonly maxMs?: number;
}
