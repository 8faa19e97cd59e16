import { describe, expect, test } from 'vitest';
import { estimateJob } from '../../../lib/batch/estimate/job-estimate.ts';
import { DEFAULT_MEMORY_MB } from '../../../lib/batch/limits.ts';

/** Puzzles of 82 bytes that take 8 us each. */
const SAMPLE = { puzzles: 12_000, solveUs: 8, bytesPerPuzzle: 82, usPerByte: 8 / 82 };
/** A million puzzles: 8 s of one vCPU. */
const BYTES = 82_000_000;

const estimated = (changes: Partial<Parameters<typeof estimateJob>[0]> = {}) =>
  estimateJob({ bytes: BYTES, sample: SAMPLE, memoryMb: DEFAULT_MEMORY_MB, concurrency: 100, ...changes });

describe('the estimate of a job', () => {
  test('of a million puzzles is one function for a few seconds', () => {
    const { puzzles, path, wallSeconds, dollars } = estimated();
    expect([puzzles, path]).toEqual([1_000_000, 'one function']);
    expect(wallSeconds).toBeCloseTo(8.5, 6);
    expect(dollars.total).toBeCloseTo(0.00025, 5);
  });

  test.each([
    ['a quarter of a vCPU takes four times as long', DEFAULT_MEMORY_MB / 4, 4],
    ['1.4 of a vCPU, on one thread, as long as one', DEFAULT_MEMORY_MB * 1.4, 1],
    ['1.7 of a vCPU, on two threads, less', DEFAULT_MEMORY_MB * 1.7, 1 / 1.7],
    ['four vCPUs take a quarter', DEFAULT_MEMORY_MB * 4, 1 / 4],
  ])('follows the memory: %s', (_name, memoryMb, times) => {
    expect(estimated({ memoryMb }).wallSeconds / estimated().wallSeconds).toBeCloseTo(times, 3);
  });

  test('costs the same with a quarter of a vCPU for four times as long', () => {
    const { lambda } = estimated({ memoryMb: DEFAULT_MEMORY_MB / 4 }).dollars;
    expect(lambda).toBeCloseTo(estimated().dollars.lambda, 9);
  });
});
