import { Construct } from 'constructs';
import type { LargeFileConcurrency } from '../../batch/estimate/most-dollars.ts';
import { DEFAULT_MEMORY_MB } from '../../batch/limits.ts';
import { BatchFunction, type PuzzleFunctionSettings } from '../batch-function.ts';
import type { ACCESS } from '../bucket-access.ts';

export interface ShardFunctionsProps extends PuzzleFunctionSettings {
  /** MiB of the function that solves shards; the vCPU share is proportional, one vCPU at 1,769. */
  readonly shardMemoryMb: number;
  /** @default - that of the account */
  readonly reserved?: LargeFileConcurrency;
}

/**
 * The functions of the steps of a large job, each with the permissions that it needs:
 *
 *                   uploads   work/                results/, rejects/, done/, status/
 *     plan-shards   read      read, write, abort   all that a reject needs
 *     count-shard   read      read, write
 *     solve-shard   read      read, write, abort
 *     merge-shards            read                 all that a commit needs; list parts of the files that it joins, and abort
 *                                                  those of the files that it writes
 */
export class ShardFunctions extends Construct {
  readonly plan: BatchFunction;
  readonly count: BatchFunction;
  readonly solve: BatchFunction;
  readonly merge: BatchFunction;

  constructor(scope: Construct, id: string, props: ShardFunctionsProps) {
    super(scope, id);
    const { buckets } = props;
    const memoryMb = DEFAULT_MEMORY_MB;
    this.plan = new BatchFunction(this, 'Plan', {
      ...props,
      reservedConcurrency: props.reserved?.plan,
      name: 'plan-shards',
      description: 'Plans the shards of a large file',
      memoryMb,
    });
    this.count = new BatchFunction(this, 'Count', {
      ...props,
      reservedConcurrency: props.reserved?.count,
      name: 'count-shard',
      description: 'Counts the puzzles of one shard of a large file',
      memoryMb,
    });
    this.solve = new BatchFunction(this, 'Solve', {
      ...props,
      reservedConcurrency: props.reserved?.solve,
      name: 'solve-shard',
      description: 'Solves the puzzles of one shard of a large file',
      memoryMb: props.shardMemoryMb,
    });
    this.merge = new BatchFunction(this, 'Merge', {
      ...props,
      reservedConcurrency: props.reserved?.merge,
      name: 'merge-shards',
      description: 'Merges the results of the shards of a large file into one result set, and commits it',
      memoryMb,
    });

    for (const { name, role } of this.all) buckets.grant(role, name as keyof typeof ACCESS).assertSuccess();
  }

  get all(): readonly BatchFunction[] {
    return [this.plan, this.count, this.solve, this.merge];
  }
}
