/** The most that the functions of a stack can cost in a day: a product of its settings, whatever is uploaded. */
import { DEFAULT_MEMORY_MB } from '../limits.ts';
import { lambdaDollars } from './prices.ts';

const SECONDS_OF_DAY = 86_400;

/** Settings that bound the work of a stack. */
interface StackCapacity {
  /** Files solved at the same time, each by a function of so many MiB. */
  readonly files: number;
  readonly memoryMb: number;
  /** Shards of all large files solved at the same time, each by a function of so many MiB. */
  readonly shards: number;
  readonly shardMemoryMb: number;
}

/**
 * Concurrent executions of each function that works on large files, while so many shards are solved. Counting a shard takes a twelfth of the time of
 * solving it, so with a quarter of the functions it takes a third of the time; large files are planned and merged as fast as
 * they are handed over.
 */
export function largeFileConcurrency({ files, shards }: Pick<StackCapacity, 'files' | 'shards'>) {
  return { plan: files, count: Math.ceil(shards / 4), solve: shards, merge: files };
}

/**
 * US dollars of a day in which every function runs all the time: `PRICES` of Lambda, without requests of S3 and Step
 * Functions, which grow with the number of uploads and shards.
 */
export function mostDollarsOfDay(capacity: StackCapacity): number {
  const { files, memoryMb, shardMemoryMb } = capacity;
  const { plan, count, solve, merge } = largeFileConcurrency(capacity);
  const mb = files * memoryMb + solve * shardMemoryMb + (plan + count + merge) * DEFAULT_MEMORY_MB;
  return lambdaDollars((mb / 1024) * SECONDS_OF_DAY, 0);
}
