import type { Geometry } from '../../sudoku/geometry/geometry.ts';

/** Facts about a grid in a file, other than its cells. */
export interface GridInfo {
  readonly format: string;
  readonly geometry: Geometry;
  /** White space separates the cells, so digits next to each other are one number. */
  readonly spaced: boolean;
  readonly arrangement?: string;
  /** First and last line, from 1. */
  readonly line: number;
  readonly lineEnd: number;
}
