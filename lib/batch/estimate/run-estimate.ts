/** Estimates a bulk run: each planned version by its size, with the average cost of a few samples. */
import type { Engine } from '../../sudoku/engine.ts';
import { formatHints } from '../job/format-hints.ts';
import { RecordSource } from '../job/record-source.ts';
import { rejectionOf } from '../job/rejection.ts';
import {
  DEFAULT_GRACE_MINUTES,
  DEFAULT_MAX_CONCURRENCY,
  DEFAULT_MEMORY_MB,
  DEFAULT_SHARD_CONCURRENCY,
  type RunSettings,
} from '../limits.ts';
import type { SolveOptions } from '../options.ts';
import type { Clock, ObjectStore, ObjectVersion, Unpacking } from '../ports.ts';
import type { ObjectSource } from '../storage/object-source.ts';
import { type CostSample, sampleCost } from './cost-sample.ts';
import { estimateJob } from './job-estimate.ts';
import { PRICE_LIST } from './prices.ts';

export type RunEstimate = ReturnType<typeof estimateRun>;

export const DEFAULT_RUN_SETTINGS: RunSettings = {
  memoryMb: DEFAULT_MEMORY_MB,
  concurrency: DEFAULT_MAX_CONCURRENCY,
  shardConcurrency: DEFAULT_SHARD_CONCURRENCY,
  graceMinutes: DEFAULT_GRACE_MINUTES,
};

/** Versions of about the same size. */
interface SizeClass {
  readonly count: number;
  readonly bytes: number;
}

/** Size classes for a factor of e in bytes: versions of a class differ by 2 % at most. */
const CLASSES = 64;

/**
 * Counts planned versions by their size, and picks the 1st, 2nd, 4th, 8th ... version for samples. So its memory does not
 * grow with the number of versions.
 */
export class RunSizes {
  readonly classes = new Map<number, SizeClass>();
  readonly sampled: ObjectVersion[] = [];
  #count = 0;

  add(version: ObjectVersion): void {
    const name = Math.round(Math.log(version.bytes + 1) * CLASSES);
    const { count, bytes } = this.classes.get(name) ?? { count: 0, bytes: 0 };
    this.classes.set(name, { count: count + 1, bytes: bytes + version.bytes });
    this.#count++;
    if (this.#count === 2 ** this.sampled.length) this.sampled.push(version);
  }
}

/** The average of samples. */
interface RunSample extends Pick<CostSample, 'usPerByte' | 'bytesPerPuzzle'> {
  /** How many there are. */
  readonly sampled: number;
}

/** What reads the samples. */
interface Reading {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly unpacking: Unpacking;
}

/** Solves samples of some versions. @returns undefined if no version can be sampled */
export async function sampleRun(
  sizes: RunSizes,
  inputBucket: string,
  options: SolveOptions,
  engine: Engine,
  reading: Reading,
): Promise<RunSample | undefined> {
  const samples: CostSample[] = [];
  for (const { key, versionId, bytes } of sizes.sampled) {
    if (bytes === 0) continue;
    const stored = { bucket: inputBucket, key, versionId, bytes };
    const sample = await sampleObject(stored, options, engine, reading);
    if (sample !== undefined && sample.puzzles > 0) samples.push(sample);
  }
  if (samples.length === 0) return undefined;
  const mean = (of: (sample: CostSample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  return {
    bytesPerPuzzle: mean(({ bytesPerPuzzle }) => bytesPerPuzzle),
    usPerByte: mean(({ usPerByte }) => usPerByte),
    sampled: samples.length,
  };
}

/** @returns undefined if the object is missing, rejected, compressed, UTF-16, or not a file of puzzles in cells */
async function sampleObject(
  { bucket, key, versionId, bytes }: ObjectSource,
  options: SolveOptions,
  engine: Engine,
  { store, clock, unpacking }: Reading,
): Promise<CostSample | undefined> {
  const object = await store.get(bucket, key, versionId);
  if (object === undefined) return undefined;
  const hints = { ...formatHints(options), fileName: key };
  const source = new RecordSource(object.body, hints, unpacking, clock, { storedBytes: bytes });
  try {
    const detection = await source.detect();
    if (detection.kind !== 'puzzles' || !source.isPlain) return undefined;
    return sampleCost({ source, detection, options, engine, clock });
  } catch (error) {
    if (rejectionOf(error) === undefined) throw error;
    return undefined;
  } finally {
    await source.close();
  }
}

export function estimateRun(sizes: RunSizes, sample: RunSample, settings: RunSettings) {
  const total = { puzzles: 0, vcpuSeconds: 0, smallSeconds: 0, longestSeconds: 0 };
  const dollars = { lambda: 0, stepFunctions: 0, s3: 0, sqs: 0, total: 0 };
  const { memoryMb, shardConcurrency } = settings;
  for (const { count, bytes } of sizes.classes.values()) {
    const job = estimateJob({ bytes: bytes / count, sample, memoryMb, concurrency: shardConcurrency });
    total.puzzles += count * job.puzzles;
    total.vcpuSeconds += count * job.vcpuSeconds;
    if (job.path === 'one function') total.smallSeconds += count * job.wallSeconds;
    total.longestSeconds = Math.max(total.longestSeconds, job.wallSeconds);
    for (const name of Object.keys(dollars) as (keyof typeof dollars)[]) {
      dollars[name] += count * job.dollars[name];
    }
  }
  const { puzzles, vcpuSeconds, longestSeconds, smallSeconds } = total;
  const wallSeconds = Math.max(longestSeconds, smallSeconds / settings.concurrency);
  return { puzzles, vcpuSeconds, wallSeconds, dollars, prices: PRICE_LIST, sampled: sample.sampled };
}
