/**
 * The contract between the functions of a large job and the state machine SolveLarge.
 *
 *     SolveLarge   { bucket, key, versionId, options }                          input of the execution
 *        |
 *        v
 *      Plan <--------------------------+   plan-shards: { job, attempt, cursor } -> { next, cursor, items, work }
 *        | next                        |
 *        +-- plan --------------------->|   continues a long scan with its next slice
 *        +-- count  Map CountShard ---->|   one child per line of `items`: { job, attempt, shard } -> { }
 *        +-- solve  Map SolveShard          one child per line of `items`: { job, attempt, shard, cursor } -> { done, cursor }
 *        |            |                     repeated with the returned cursor until done
 *        |          Merge                   merge-shards: { job, attempt, cursor } -> { done, cursor }, repeated until done
 *        +-- end                            finished: rejected, or committed by another attempt
 *
 * A cursor is opaque to the state machine: null at first, then the one that the function returned last. Every step may
 * run twice with the same input: it repeats its work, or finds it done.
 */
import type { JobIdentity } from '../delivery/job-id.ts';

/** The whole input of an execution: the same for every delivery of the same upload. */
export type LargeJob = JobIdentity;

/** The part of the input that all steps share. */
export interface StepInput {
  readonly job: LargeJob;
  /** Name of the execution. */
  readonly attempt: string;
}

/** JSON that only the function reads; null at first. */
export type Cursor = {
  /** The step that is next, from 0. */
  readonly step?: number;
  /** Of Merge: the file that is joined, from 0, the id of its join, and the parts that are stored. */
  readonly file?: number;
  readonly joinId?: string;
  readonly parts?: number;
} | null;

/** The input of plan-shards and merge-shards. */
export interface CursorInput extends StepInput {
  readonly cursor: Cursor;
}

export interface PlanOutput {
  readonly next: 'plan' | 'count' | 'solve' | 'end';
  readonly cursor: Cursor;
  /** Key in the results bucket: JSON lines, one shard per line; empty if no map follows. */
  readonly items: string;
  /** Prefix in the results bucket, with a final slash, for the output of the map state; empty if no map follows. */
  readonly work: string;
}

/** One line of `items`; the state machine does not read its other fields. */
export interface ShardItem {
  /** From 0, in file order. */
  readonly shard: number;
  readonly [name: string]: unknown;
}

export interface CountInput extends StepInput {
  readonly shard: ShardItem;
}

export type SolveShardInput = CountInput & CursorInput;

/** The output of solve-shard and merge-shards. */
export interface StepProgress {
  readonly done: boolean;
  readonly cursor: Cursor;
}

export const DONE: StepProgress = { done: true, cursor: null };
