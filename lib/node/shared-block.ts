/**
 * A block of records in shared memory, from which threads take records until none is left.
 *
 *     control  | next record to take | records solved | records taken at a time |     Int32, one of them a block
 *     cells, status, solutions, ...                         the block's and its answers' arrays
 *
 * Whoever solves the last record ends the block; nobody waits for anybody.
 */
import type { BlockAnswers, PuzzleLimits } from '../batch/solve-block.ts';
import type { Geometry } from '../sudoku/geometry.ts';

/**
 * Cells of the records taken at a time: 64 ordinary 9x9 puzzles, 20 of 16x16, 8 of 25x25. Few, so that hard ones are
 * shared out; enough that what is done once for each taking costs a puzzle little, and threads seldom share a cache line.
 */
const CELLS_AT_ONCE = 64 * 81;

export interface SharedBlock {
  readonly cells: Uint8Array;
  /** Records in it, 1 or more. */
  readonly count: number;
  readonly limits: PuzzleLimits;
  readonly answers: BlockAnswers;
  readonly control: Int32Array;
}

/** A block on its way to a thread. */
export interface BlockMessage extends SharedBlock {
  readonly id: number;
  /** Left out where it is that of the block before. */
  readonly geometry?: Geometry;
}

/** What a thread says: a block's last record is solved, or something went wrong. */
export type WorkerMessage =
  | { readonly id: number; readonly kind: 'solved' }
  | { readonly id: number; readonly kind: 'outOfTime' }
  | { readonly id: number; readonly kind: 'failed'; readonly error: Error };

/** The `control` of a block of puzzles of so many cells, of which nothing is taken. */
export function createControl(cellCount: number): Int32Array {
  const control = new Int32Array(new SharedArrayBuffer(12));
  control[2] = Math.max(1, Math.floor(CELLS_AT_ONCE / cellCount));
  return control;
}

/** Whether records are left to take; another thread may be quicker. */
export function hasUntaken({ control, count }: SharedBlock): boolean {
  return Atomics.load(control, 0) < count;
}

/** Takes the next few records: the first of them; `count` or more where none are left. */
export function takeRecords({ control }: SharedBlock): number {
  return Atomics.add(control, 0, control[2]!);
}

/** Behind the last of the records taken with `from`. */
export function endOfTaken({ control, count }: SharedBlock, from: number): number {
  return Math.min(from + control[2]!, count);
}

/** Says that records are solved; whether they were the block's last ones. */
export function endRecords({ control, count }: SharedBlock, from: number, to: number): boolean {
  return Atomics.add(control, 1, to - from) + to - from === count;
}
