/** Estimates the functions, time and dollars that a file takes, from a sample. */
import { LARGE_JOB_SECONDS, MB_PER_VCPU } from '../limits.ts';
import type { CostSample } from './cost-sample.ts';
import { JOB_S3_DOLLARS, lambdaDollars, PRICE_LIST, PRICES, s3Dollars } from './prices.ts';
import { shardBytesFor } from './shard-size.ts';

interface EstimateRequest {
  /** Size of the unpacked file. */
  readonly bytes: number;
  readonly sample: Pick<CostSample, 'usPerByte' | 'bytesPerPuzzle'>;
  /** Memory of a function in MiB. */
  readonly memoryMb: number;
  /** Shards solved in parallel, at most. */
  readonly concurrency: number;
}

export type JobEstimate = ReturnType<typeof estimateJob>;

/** State transitions of an execution, and of a shard: one child execution counts it, one solves it. */
const JOB_TRANSITIONS = 12;
const SHARD_TRANSITIONS = 6;
/** S3 requests for a shard: its count, three or four files, its result, its part of a join. */
const SHARD_WRITES = 8;
const SHARD_READS = 10;
/** SQS requests for a message: send, receive, delete, and empty receives. */
const QUEUE_REQUESTS = 4;
/** Per shard: starting a function, reading the plan, writing the result. Per job: planning, counting, joining. */
const SHARD_OVERHEAD_SECONDS = 1.5;
const JOB_OVERHEAD_SECONDS = 20;
/** Time of counting (reading without solving), as a share of the time of solving. */
const COUNTING_SHARE = 0.08;

export function estimateJob({ bytes, sample, memoryMb, concurrency }: EstimateRequest) {
  const vcpus = vcpusOf(memoryMb);
  const solveSeconds = (sample.usPerByte * bytes) / 1e6;
  // The function that chooses the path solves its sample on one thread.
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
  const s3 = JOB_S3_DOLLARS + (isLarge ? shards * s3Dollars(SHARD_WRITES, SHARD_READS) : 0);
  const sqs = QUEUE_REQUESTS * PRICES.sqsRequest;
  return {
    bytes,
    puzzles: Math.round(bytes / sample.bytesPerPuzzle),
    path: isLarge ? ('shards' as const) : ('one function' as const),
    shards,
    shardBytes,
    vcpuSeconds,
    wallSeconds,
    dollars: { lambda, stepFunctions, s3, sqs, total: lambda + stepFunctions + s3 + sqs },
    prices: PRICE_LIST,
  };
}

/** vCPUs that a function uses: those its memory pays for, but no more than its threads, one for each whole vCPU. */
function vcpusOf(memoryMb: number): number {
  const paid = memoryMb / MB_PER_VCPU;
  return Math.min(paid, Math.max(1, Math.round(paid)));
}
