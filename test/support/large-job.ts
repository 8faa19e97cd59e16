/** Runs the steps of a large job in this process, in the order of its state machine, with faults and orders of a test. */

import type { Upload } from '../../lib/batch/delivery/upload-event.ts';
import { collectBytes } from '../../lib/batch/job/input.ts';
import { countShard } from '../../lib/batch/large/count-range.ts';
import type { LargeDependencies, RangeItem, Shard } from '../../lib/batch/large/large-job.ts';
import { mergeShards } from '../../lib/batch/large/merge-shards.ts';
import { planShards } from '../../lib/batch/large/plan-shards.ts';
import { solveShard } from '../../lib/batch/large/solve-shard.ts';
import type { Cursor, LargeJob, StepProgress } from '../../lib/batch/large/steps.ts';
import { canonicalOptions } from '../../lib/batch/options.ts';
import type { ObjectStore } from '../../lib/batch/ports.ts';
import type { UploadDependencies } from '../../lib/batch/upload/solve-upload.ts';

import type { SplitRule } from '../../lib/exact-cover/split/split-search.ts';
import { optionsFrom, RESULTS_BUCKET, UnevenClock, uploadDependencies } from './dependencies.ts';
import { type CallHooks, type MemoryBuckets, memoryStore } from './memory-store.ts';

export interface LargeRun {
  readonly attempt?: string;
  readonly shardBytes?: number;
  /** @default that of a stack */
  readonly largeSeconds?: number;
  readonly options?: Readonly<Record<string, string>>;
  /** Reorders the items of a map. @default keeps their order */
  readonly order?: <Item>(items: Item[]) => Item[];
  /** Hooks around the storage calls of one step. */
  readonly hooks?: (step: string) => CallHooks;
  /** The store of one step, or of the maps, which read the lists of shards. @default the buckets */
  readonly store?: (step: string) => ObjectStore;
  /** Times a step is tried; the last error is thrown. @default 1 */
  readonly tries?: number;
  /**
   * Seed of the clocks, which differ between steps, so that block sizes differ each time a shard is read.
   * @default 1
   */
  readonly seed?: number;
  /** Time of each function in milliseconds. @default 900,000 */
  readonly functionMs?: number;
  /** When the search of an exact cover is split. @default that of a stack */
  readonly splitRule?: SplitRule;
  /** Replaces dependencies of one step, such as its time. */
  readonly dependencies?: (step: string) => Partial<LargeDependencies>;
}

/** @returns the names of the steps, in order */
export async function runLarge(buckets: MemoryBuckets, job: LargeJob, run: LargeRun = {}): Promise<string[]> {
  const { attempt = 'attempt-a', order = (items) => items, tries = 1, shardBytes, largeSeconds } = run;
  const { seed = 1, functionMs = 900_000 } = run;
  const storeOf = run.store ?? ((name) => memoryStore(buckets, run.hooks?.(name)));
  const steps: string[] = [];
  const step = async <Result>(
    name: string,
    work: (dependencies: UploadDependencies & LargeDependencies) => Promise<Result>,
  ) => {
    for (let left = tries; ; left--) {
      steps.push(name);
      const clock = new UnevenClock(seed + 1000 * steps.length);
      const dependencies = uploadDependencies(storeOf(name), attempt, {
        clock,
        remainingMs: () => functionMs - clock.nowMs,
        splitRule: run.splitRule,
        ...run.dependencies?.(name),
      });
      try {
        return await work(dependencies);
      } catch (error) {
        if (left <= 1) throw error;
      }
    }
  };
  const items = async <Item>(key: string): Promise<Item[]> => {
    const list = await storeOf('maps').get(RESULTS_BUCKET, key);
    const lines = new TextDecoder().decode(await collectBytes(list!.body)).split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  };
  let cursor: Cursor = null;
  for (;;) {
    const planned: Awaited<ReturnType<typeof planShards>> = await step('plan', (dependencies) =>
      planShards(
        { job, attempt, cursor },
        {
          ...dependencies,
          shardBytes,
          largeSeconds,
          resultsBucket: RESULTS_BUCKET,
        },
      ),
    );
    cursor = planned.cursor;
    if (planned.next === 'end') return steps;
    if (planned.next === 'plan') continue;
    if (planned.next === 'count') {
      for (const shard of order(await items<RangeItem>(planned.items))) {
        await step(`count ${shard.shard}`, (dependencies) =>
          countShard({ job, attempt, shard }, dependencies),
        );
      }
      continue;
    }
    for (const shard of order(await items<Shard>(planned.items))) {
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
