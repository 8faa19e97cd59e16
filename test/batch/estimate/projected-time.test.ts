import { describe, expect, it } from 'vitest';
import { tooLargeByEstimate } from '../../../lib/batch/estimate/projected-time.ts';

describe('the estimate of the time that a file takes', () => {
  const progress = { storedBytes: 1_000_000, plainBytes: 1_000_000, puzzles: 12_000, elapsedMs: 10_000 };
  const rows = [
    {
      name: 'says nothing in the first seconds',
      change: { elapsedMs: 4_999 },
      totalBytes: 1e12,
      stops: false,
    },
    { name: 'lets a file go on that fits', change: {}, totalBytes: 80e6, stops: false },
    { name: 'lets a file go on that may just fit', change: {}, totalBytes: 160e6, stops: false },
    { name: 'stops a file that takes far longer', change: {}, totalBytes: 161e6, stops: true },
  ];
  for (const { name, change, totalBytes, stops } of rows) {
    it(name, () => {
      const error = tooLargeByEstimate({ ...progress, ...change }, totalBytes, 800_000);
      expect(error?.code).toBe(stops ? 'too_large' : undefined);
    });
  }

  it('says how much was done, and how much there is', () => {
    const error = tooLargeByEstimate(progress, 1e9, 800_000);
    expect(error?.message).toMatch(/about 10000 s.*800 s.*12000 puzzles and 1000000 of 1000000000 bytes/);
  });
});
