import type { WriteGrid } from './grid-drawing.ts';

/** Writes solutions in the layout of a text format. */
export interface GridWriter {
  /** Whether an entry has several lines: then a blank line separates entries. */
  readonly multiLine: boolean;
  readonly write: WriteGrid;
}
