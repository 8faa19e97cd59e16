/** Estimates of bulk runs: what they keep of versions, and how they depend on the settings of the stack. */
import { describe, expect, it } from 'vitest';
import { estimateJob } from '../../../lib/batch/estimate/job-estimate.ts';
import { DEFAULT_RUN_SETTINGS, estimateRun, RunSizes } from '../../../lib/batch/estimate/run-estimate.ts';
import type { ObjectVersion } from '../../../lib/batch/ports.ts';

const SAMPLE = { puzzles: 10, solveUs: 4000, bytesPerPuzzle: 82, usPerByte: 5, sampled: 3 };

function version(bytes: number): ObjectVersion {
  return { key: `inbox/${bytes}.txt`, versionId: 'v', bytes, etag: 'e', lastModified: '', latest: true };
}

function sizesOf(all: Iterable<number>): RunSizes {
  const sizes = new RunSizes();
  for (const bytes of all) sizes.add(version(bytes));
  return sizes;
}

function* manySizes(count: number) {
  // Sizes from a byte to 100 MB, in no order.
  for (let k = 0; k < count; k++) yield Math.round(Math.exp(((k * 7919) % 1000) / 54));
}

describe('the estimate of a bulk run', () => {
  it('keeps as much of a million versions as of ten thousand', () => {
    const few = sizesOf(manySizes(10_000));
    const many = sizesOf(manySizes(1_000_000));
    expect(many.classes.size).toBe(few.classes.size);
    expect(many.classes.size).toBeLessThan(1300);
    expect(many.sampled).toHaveLength(20);
    const [one, other] = [few, many].map((sizes) => estimateRun(sizes, SAMPLE, DEFAULT_RUN_SETTINGS));
    expect(other!.dollars.total / one!.dollars.total).toBeCloseTo(100, 5);
    expect(other!.puzzles / one!.puzzles).toBeCloseTo(100, 5);
  });

  it('is nearly the sum of the estimates of its files', () => {
    const all = [...manySizes(3000)];
    const estimate = estimateRun(sizesOf(all), SAMPLE, DEFAULT_RUN_SETTINGS);
    const { memoryMb, shardConcurrency } = DEFAULT_RUN_SETTINGS;
    const jobs = all.map((bytes) =>
      estimateJob({ bytes, sample: SAMPLE, memoryMb, concurrency: shardConcurrency }),
    );
    const sum = (of: (job: (typeof jobs)[0]) => number) => jobs.reduce((total, job) => total + of(job), 0);
    expect(Math.abs(estimate.dollars.total / sum(({ dollars }) => dollars.total) - 1)).toBeLessThan(0.01);
    expect(Math.abs(estimate.puzzles / sum(({ puzzles }) => puzzles) - 1)).toBeLessThan(0.001);
    expect(Math.abs(estimate.vcpuSeconds / sum(({ vcpuSeconds }) => vcpuSeconds) - 1)).toBeLessThan(0.01);
  });

  it('halves the time at twice the concurrency, at the same price', () => {
    const sizes = sizesOf(Array.from({ length: 1000 }, () => 820));
    const [once, twice] = [1, 2].map((times) =>
      estimateRun(sizes, SAMPLE, { ...DEFAULT_RUN_SETTINGS, concurrency: times * 4 }),
    );
    expect(once!.wallSeconds).toBeCloseTo(2 * twice!.wallSeconds, 8);
    expect(once!.dollars).toEqual(twice!.dollars);
  });

  it('is that of the file if there is one', () => {
    const { memoryMb, shardConcurrency } = DEFAULT_RUN_SETTINGS;
    for (const bytes of [1, 820, 987_654_321]) {
      const job = estimateJob({ bytes, sample: SAMPLE, memoryMb, concurrency: shardConcurrency });
      const found = estimateRun(sizesOf([bytes]), SAMPLE, DEFAULT_RUN_SETTINGS);
      expect(found.dollars).toEqual(job.dollars);
      expect(found.vcpuSeconds).toBe(job.vcpuSeconds);
    }
  });
});
