/**
 * What the steps of a large job say to one another: the contract between the functions and the state machine.
 *
 *     SolveLarge   { bucket, key, versionId, options }                          input of the execution
 *        |
 *        v
 *      Plan <--------------------------+   plan-shards: { job, attempt, cursor } -> { next, cursor, items, work }
 *        | next                        |
 *        +-- plan   goes on ----------->|   (a long scan, in stretches)
 *        +-- count  Map CountShard ---->|   one child a line of `items`: { job, attempt, shard } -> { }
 *        +-- solve  Map SolveShard          one child a line of `items`: { job, attempt, shard, cursor } -> { done, cursor }
 *        |            |                     a child whose time is up is called again with its cursor
 *        |          Merge                   merge-shards: { job, attempt, cursor } -> { done, cursor }, again until done
 *        +-- end                            nothing is left to do: rejected, or committed by another attempt
 *
 * A cursor is opaque to the state machine: null at first, then whatever the function gave last. Every step may be
 * run twice with the same input; it then does the same again, or finds that it is done.
 */

/** The input of an execution, and nothing else: the same for every delivery of the same upload. */
export interface LargeJob {
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string;
  /** The options in their canonical form. */
  readonly options: string;
}

/** What each step is told of the execution it belongs to. */
export interface StepInput {
  readonly job: LargeJob;
  /** The execution's name. */
  readonly attempt: string;
}

/** JSON that only its function understands; null at first. */
export type Cursor = { readonly [name: string]: unknown } | null;

export interface PlanInput extends StepInput {
  readonly cursor: Cursor;
}

export interface PlanOutput {
  readonly next: 'plan' | 'count' | 'solve' | 'end';
  readonly cursor: Cursor;
  /** Key in the results bucket: JSON lines, one shard each; empty where no map follows. */
  readonly items: string;
  /** Prefix in the results bucket, with a final slash, for what the map itself writes; empty where none follows. */
  readonly work: string;
}

/** One line of `items`; what else it holds is between the functions. */
export interface ShardItem {
  /** From 0, in file order. */
  readonly shard: number;
  readonly [name: string]: unknown;
}

export interface CountInput extends StepInput {
  readonly shard: ShardItem;
}

export interface SolveShardInput extends StepInput {
  readonly shard: ShardItem;
  readonly cursor: Cursor;
}

export interface MergeInput extends StepInput {
  readonly cursor: Cursor;
}

/** Of solve-shard and merge-shards. */
export interface StepProgress {
  readonly done: boolean;
  readonly cursor: Cursor;
}
