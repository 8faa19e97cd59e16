/** Estimates a bulk run: each planned version by its size, with the average cost of a few samples. */
import type { Engine } from '../../sudoku/engine.ts';
import type { SolveOptions } from '../options.ts';
import type { Clock, ObjectStore, ObjectVersion } from '../ports.ts';
import type { CostSample } from './cost-sample.ts';
import { estimateJob, type JobEstimate } from './job-estimate.ts';
import { sampleObject } from './object-sample.ts';

export interface RunEstimate {
  readonly puzzles: number;
  readonly vcpuSeconds: number;
  readonly wallSeconds: number;
  readonly dollars: JobEstimate['dollars'];
  readonly prices: JobEstimate['prices'];
  readonly sampled: number;
}

export interface RunEstimateSettings {
  readonly memoryMb: number;
  /** Files solved in parallel, and shards of one large file. */
  readonly concurrency: number;
  readonly shardConcurrency: number;
}

/** Collects the sizes of planned versions, and picks the 1st, 2nd, 4th, 8th ... version for samples. */
export class RunSizes {
  readonly bytes: number[] = [];
  readonly sampled: ObjectVersion[] = [];

  add(version: ObjectVersion): void {
    this.bytes.push(version.bytes);
    if (this.bytes.length === 2 ** this.sampled.length) this.sampled.push(version);
  }
}

/** @returns undefined if no version can be sampled */
export async function estimateRun(
  sizes: RunSizes,
  inputBucket: string,
  settings: RunEstimateSettings,
  options: SolveOptions,
  engine: Engine,
  store: ObjectStore,
  clock: Clock,
): Promise<RunEstimate | undefined> {
  const samples: CostSample[] = [];
  for (const { key, versionId, bytes } of sizes.sampled) {
    if (bytes === 0) continue;
    const source = { bucket: inputBucket, key, versionId, bytes };
    const sample = await sampleObject(source, options, engine, store, clock);
    if (sample !== undefined && sample.puzzles > 0) samples.push(sample);
  }
  if (samples.length === 0) return undefined;
  const mean = (of: (sample: CostSample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const sample: CostSample = {
    puzzles: mean(({ puzzles }) => puzzles),
    solveUs: mean(({ solveUs }) => solveUs),
    bytesPerPuzzle: mean(({ bytesPerPuzzle }) => bytesPerPuzzle),
    usPerByte: mean(({ usPerByte }) => usPerByte),
  };
  const total = { puzzles: 0, vcpuSeconds: 0, smallSeconds: 0, longestSeconds: 0 };
  const dollars = { lambda: 0, stepFunctions: 0, s3: 0, sqs: 0, total: 0 };
  let prices: JobEstimate['prices'] = { date: '', region: '' };
  for (const bytes of sizes.bytes) {
    const { memoryMb, shardConcurrency } = settings;
    const job = estimateJob({ bytes, sample, memoryMb, concurrency: shardConcurrency });
    total.puzzles += job.puzzles;
    total.vcpuSeconds += job.vcpuSeconds;
    if (job.path === 'one function') total.smallSeconds += job.wallSeconds;
    total.longestSeconds = Math.max(total.longestSeconds, job.wallSeconds);
    for (const name of Object.keys(dollars) as (keyof typeof dollars)[]) dollars[name] += job.dollars[name];
    prices = job.prices;
  }
  const wallSeconds = Math.max(total.longestSeconds, total.smallSeconds / settings.concurrency);
  const { puzzles, vcpuSeconds } = total;
  return { puzzles, vcpuSeconds, wallSeconds, dollars, prices, sampled: samples.length };
}
