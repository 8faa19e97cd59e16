/** What a file would take: functions, time at a concurrency, dollars by service; from a sample of its front. */

import { LARGE_JOB_SECONDS, MB_PER_VCPU } from '../limits.ts';
import type { CostSample } from './cost-sample.ts';
import { lambdaDollars, PRICES } from './prices.ts';
import { shardBytesFor } from './shard-size.ts';

export interface EstimateRequest {
  /** Bytes of the file, unpacked. */
  readonly bytes: number;
  readonly sample: CostSample;
  /** MiB of the functions. */
  readonly memoryMb: number;
  /** Most shards at one time. */
  readonly concurrency: number;
}

export interface JobEstimate {
  readonly bytes: number;
  readonly puzzles: number;
  /** Whether one function solves it, or the state machine in shards. */
  readonly path: 'one function' | 'shards';
  readonly shards: number;
  readonly shardBytes: number;
  readonly vcpuSeconds: number;
  readonly wallSeconds: number;
  readonly dollars: {
    readonly lambda: number;
    readonly stepFunctions: number;
    readonly s3: number;
    readonly sqs: number;
    readonly total: number;
  };
  readonly prices: { readonly date: string; readonly region: string };
}

/** State transitions of an execution, and of a shard: two children, one to count and one to solve. */
const JOB_TRANSITIONS = 12;
const SHARD_TRANSITIONS = 6;
/** Objects that are written and read for a shard: its counts, its three or four pieces, its result, its part of a join. */
const SHARD_WRITES = 8;
const SHARD_READS = 10;
/** The same for a job in one function. */
const JOB_WRITES = 10;
const JOB_READS = 8;
/** SQS requests for a message: sent, received, deleted, and polls in vain. */
const QUEUE_REQUESTS = 4;
/** Starting a function, reading a plan, writing what came of it; and planning, counting, joining a job. */
const SHARD_OVERHEAD_SECONDS = 1.5;
const JOB_OVERHEAD_SECONDS = 20;
/** Reading without solving, as a share of all: what counting costs. */
const COUNTING_SHARE = 0.08;

export function estimateJob({ bytes, sample, memoryMb, concurrency }: EstimateRequest): JobEstimate {
  const vcpus = vcpusOf(memoryMb);
  const solveSeconds = (sample.usPerByte * bytes) / 1e6;
  // The function that decides takes its sample on one thread, at the speed it has.
  const isLarge = solveSeconds / Math.min(1, vcpus) > LARGE_JOB_SECONDS;
  const shardBytes = isLarge ? shardBytesFor(bytes, sample.usPerByte) : bytes;
  const shards = isLarge ? Math.ceil(bytes / shardBytes) : 1;
  const overhead = isLarge ? shards * SHARD_OVERHEAD_SECONDS + solveSeconds * COUNTING_SHARE : 0.5;
  const vcpuSeconds = solveSeconds + overhead;
  const waves = Math.ceil(shards / concurrency);
  const perShard = vcpuSeconds / shards / vcpus;
  const wallSeconds = waves * perShard + (isLarge ? JOB_OVERHEAD_SECONDS : 0);
  const gbSeconds = (vcpuSeconds / vcpus) * (memoryMb / 1024);
  const lambda = lambdaDollars(gbSeconds, isLarge ? 2 * shards + 4 : 1);
  const transitions = isLarge ? JOB_TRANSITIONS + shards * SHARD_TRANSITIONS : 0;
  const stepFunctions = transitions * PRICES.stateTransition;
  const writes = JOB_WRITES + (isLarge ? shards * SHARD_WRITES : 0);
  const reads = JOB_READS + (isLarge ? shards * SHARD_READS : 0);
  const s3 = writes * PRICES.s3Write + reads * PRICES.s3Read;
  const sqs = QUEUE_REQUESTS * PRICES.sqsRequest;
  return {
    bytes,
    puzzles: Math.round(bytes / sample.bytesPerPuzzle),
    path: isLarge ? 'shards' : 'one function',
    shards,
    shardBytes,
    vcpuSeconds,
    wallSeconds,
    dollars: { lambda, stepFunctions, s3, sqs, total: lambda + stepFunctions + s3 + sqs },
    prices: { date: PRICES.date, region: PRICES.region },
  };
}

/** vCPUs at work in a function: what its memory pays for, as far as its threads, one for each whole vCPU, use it. */
function vcpusOf(memoryMb: number): number {
  const paid = memoryMb / MB_PER_VCPU;
  return Math.min(paid, Math.max(1, Math.round(paid)));
}
