/** Runs the steps of a large job as its state machine does, in this process; the test sets order, retries and crashes. */

import type { Upload } from '../../lib/batch/delivery/upload-event.ts';
import { countShard } from '../../lib/batch/fan-out/count-shard.ts';
import { mergeShards } from '../../lib/batch/fan-out/merge-shards.ts';
import type { RangeItem, Shard } from '../../lib/batch/fan-out/plan.ts';
import { planShards } from '../../lib/batch/fan-out/plan-shards.ts';
import { type ShardMachinery, solveShard } from '../../lib/batch/fan-out/solve-shard.ts';
import type { Cursor, LargeJob, StepProgress } from '../../lib/batch/fan-out/steps.ts';
import { canonicalOptions } from '../../lib/batch/options.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { optionsFrom, RESULTS_BUCKET, UnevenClock, uploadDependencies } from './dependencies.ts';
import { type CallHooks, type MemoryBuckets, memoryStore } from './memory-store.ts';

export interface LargeRun {
  readonly attempt?: string;
  readonly shardBytes?: number;
  readonly options?: Readonly<Record<string, string>>;
  /** The order in which the items of a map run. @default their own */
  readonly order?: <Item>(items: Item[]) => Item[];
  /** Hooks of the storage calls of one step. */
  readonly hooks?: (step: string) => CallHooks;
  /** Tries of a step; the last error is thrown. @default 1 */
  readonly tries?: number;
  /**
   * Seed of the clocks, which differ in each step, so that blocks have other sizes each time a shard is read.
   * @default 1
   */
  readonly seed?: number;
  /** Milliseconds that each function has on its clock. @default 900,000 */
  readonly functionMs?: number;
  /** Replaces some dependencies of one step, such as its time. */
  readonly dependencies?: (step: string) => Partial<ShardMachinery>;
}

/** Runs a large job. @returns the names of the steps, in order */
export async function runLarge(buckets: MemoryBuckets, job: LargeJob, run: LargeRun = {}): Promise<string[]> {
  const { attempt = 'attempt-a', order = (items) => items, tries = 1, shardBytes } = run;
  const { seed = 1, functionMs = 900_000 } = run;
  const steps: string[] = [];
  const step = async <Result>(name: string, work: (dependencies: ShardMachinery) => Promise<Result>) => {
    for (let left = tries; ; left--) {
      steps.push(name);
      const store = memoryStore(buckets, run.hooks?.(name));
      const clock = new UnevenClock(seed + 1000 * steps.length);
      const dependencies = uploadDependencies(store, attempt, {
        clock,
        remainingMs: () => functionMs - clock.nowMs,
        ...run.dependencies?.(name),
      });
      try {
        return await work(dependencies);
      } catch (error) {
        if (left <= 1) throw error;
      }
    }
  };
  const items = <Item>(key: string): Item[] =>
    buckets
      .text(RESULTS_BUCKET, key)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  let cursor: Cursor = null;
  for (;;) {
    const planned: Awaited<ReturnType<typeof planShards>> = await step('plan', (dependencies) =>
      planShards(
        { job, attempt, cursor },
        {
          ...dependencies,
          clock: dependencies.clock,
          openEngine: ({ engine }) => createEngine(engine),
          shardBytes,
          resultsBucket: RESULTS_BUCKET,
        },
      ),
    );
    cursor = planned.cursor;
    if (planned.next === 'end') return steps;
    if (planned.next === 'plan') continue;
    if (planned.next === 'count') {
      for (const shard of order(items<RangeItem>(planned.items))) {
        await step(`count ${shard.shard}`, (dependencies) =>
          countShard({ job, attempt, shard }, dependencies),
        );
      }
      continue;
    }
    for (const shard of order(items<Shard>(planned.items))) {
      let shardCursor: Cursor = null;
      for (let done = false; !done; ) {
        const from: Cursor = shardCursor;
        const progress: StepProgress = await step(`solve ${shard.shard}`, (dependencies) =>
          solveShard({ job, attempt, shard, cursor: from }, dependencies),
        );
        done = progress.done;
        shardCursor = progress.cursor;
      }
    }
    break;
  }
  let mergeCursor: Cursor = null;
  for (let done = false; !done; ) {
    const from: Cursor = mergeCursor;
    const progress: StepProgress = await step('merge', (dependencies) =>
      mergeShards({ job, attempt, cursor: from }, { ...dependencies, minPartBytes: buckets.minPartBytes }),
    );
    done = progress.done;
    mergeCursor = progress.cursor;
  }
  return steps;
}

/** The job of an upload. */
export function largeJob(
  { bucket, key, versionId }: Upload,
  options: Readonly<Record<string, string>> = {},
): LargeJob {
  return { bucket, key, versionId: versionId!, options: canonicalOptions(optionsFrom(options)) };
}
