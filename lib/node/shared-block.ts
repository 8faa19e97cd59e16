/**
 * A block of records in shared memory, from which threads take records until none are left.
 *
 *     control  | next record to take | records solved |     Int32, one for each block
 *     cells, status, solutions, ...                         arrays of the block and of its answers
 *
 * The thread that solves the last record finishes the block; no thread waits for another.
 */
import type { BlockAnswers } from '../batch/solving/block-answers.ts';
import type { PuzzleLimits } from '../batch/solving/drive.ts';
import type { Geometry } from '../sudoku/geometry/geometry.ts';

export interface SharedBlock {
  readonly cells: Uint8Array;
  /** Records in it, 1 or more. */
  readonly count: number;
  readonly limits: PuzzleLimits;
  readonly answers: BlockAnswers;
  readonly control: Int32Array;
}

/** The message that sends a block to a thread. */
export interface BlockMessage extends SharedBlock {
  readonly id: number;
  readonly kind: 'block';
  /** Undefined if it is that of the block before. */
  readonly geometry?: Geometry;
}

/** The message of a thread about a block: all records are solved, or an error. */
export type WorkerMessage =
  | { readonly id: number; readonly kind: 'solved' }
  | { readonly id: number; readonly kind: 'outOfTime' }
  | { readonly id: number; readonly kind: 'failed'; readonly error: Error };

/** The `control` of a new block. */
export function createControl(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** Whether records are left; another thread may take them first. */
export function hasRecordsLeft({ control, count }: SharedBlock): boolean {
  return Atomics.load(control, 0) < count;
}

/** Takes the next `records` records, or fewer if fewer are left. @returns the first one; `count` or more if none are left */
export function takeRecords({ control }: SharedBlock, records: number): number {
  return Atomics.add(control, 0, records);
}

/** Marks records as solved, `to` exclusive. @returns whether all records of the block are solved */
export function finishRecords({ control, count }: SharedBlock, from: number, to: number): boolean {
  return Atomics.add(control, 1, to - from) + to - from === count;
}
