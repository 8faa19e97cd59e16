/**
 * What a recogniser finds in a file: a puzzle, as a plain value. Only the reader enters it into a block (`RecordSink`),
 * decodes its cells, and learns whether they are a puzzle.
 *
 *     53..7....6..195... 534678912...      cells, and the solution that the file expects
 *     format line, geometry 9x9, line 7 to 7
 */
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import type { CellCode, GridBuffer } from '../cells/grid-buffer.ts';
import type { RecordNotes } from './record-block.ts';

/** Where a grid is, and how it is written. */
export interface GridPlace {
  readonly format: string;
  /** With the regions, the variant and the candidates that the file states. */
  readonly geometry: Geometry;
  /** White space separates the cells, so digits next to each other are one number. */
  readonly spaced?: boolean;
  readonly arrangement?: string | undefined;
  /** First and last line, from 1. */
  readonly line: number;
  readonly lineEnd: number;
}

/** Cells that are adjacent bytes, from an offset on: as many as the geometry has. */
export interface CellRange {
  readonly bytes: Uint8Array;
  readonly from: number;
}

/** The cells of a grid: codes with the offset of each, or a range of bytes. */
export type Cells = GridBuffer | CellRange;

export interface Found extends GridPlace {
  readonly cells: Cells;
  /** Its name, its expected solution, warnings, labels. */
  readonly notes?: RecordNotes | undefined;
}

/** The code of a cell, by its index. */
export function codeAt(cells: Cells, index: number): CellCode {
  return 'bytes' in cells ? cells.bytes[cells.from + index] : cells.codes[index];
}

/** The offset of a cell, by its index. */
export function offsetOf(cells: Cells, index: number): number {
  return 'bytes' in cells ? cells.from + index : cells.offset[index];
}
