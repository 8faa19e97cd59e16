/**
 * A block of records in shared memory, from which threads take records until none is left.
 *
 *     control  | next record to take | records solved |     Int32, one of them a block
 *     cells, status, solutions, ...                         the block's and its answers' arrays
 *
 * Whoever solves the last record ends the block; nobody waits for anybody.
 */
import type { BlockAnswers, PuzzleLimits } from '../batch/solving/solve-block.ts';
import type { Geometry } from '../sudoku/geometry/geometry.ts';

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

/** The `control` of a block of which nothing is taken. */
export function createControl(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** Whether records are left to take; another thread may be quicker. */
export function hasRecordsLeft({ control, count }: SharedBlock): boolean {
  return Atomics.load(control, 0) < count;
}

/** Takes the next records, so many or what is left: the first of them; `count` or more where none are left. */
export function takeRecords({ control }: SharedBlock, records: number): number {
  return Atomics.add(control, 0, records);
}

/** Says that records are solved; whether they were the block's last ones. */
export function finishRecords({ control, count }: SharedBlock, from: number, to: number): boolean {
  return Atomics.add(control, 1, to - from) + to - from === count;
}
