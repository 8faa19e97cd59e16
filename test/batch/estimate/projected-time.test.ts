import { describe, expect, it } from 'vitest';
import { tooLargeByEstimate } from '../../../lib/batch/estimate/projected-time.ts';

describe('the projected time of a file', () => {
  const progress = { storedBytes: 1_000_000, plainBytes: 1_000_000, puzzles: 12_000, elapsedMs: 10_000 };
  const rows = [
    {
      name: 'does not stop a file in the first seconds',
      change: { elapsedMs: 4_999 },
      totalBytes: 1e12,
      stops: false,
    },
    { name: 'does not stop a file that fits', change: {}, totalBytes: 80e6, stops: false },
    { name: 'does not stop a file that may just fit', change: {}, totalBytes: 160e6, stops: false },
    { name: 'stops a file that takes much longer', change: {}, totalBytes: 161e6, stops: true },
  ];
  for (const { name, change, totalBytes, stops } of rows) {
    it(name, () => {
      const error = tooLargeByEstimate({ ...progress, ...change }, { storedBytes: totalBytes }, 800_000);
      expect(error?.code).toBe(stops ? 'too_large' : undefined);
    });
  }

  it('names the progress and the total', () => {
    const error = tooLargeByEstimate(progress, { storedBytes: 1e9 }, 800_000);
    expect(error?.message).toMatch(/about 10000 s.*800 s.*12000 puzzles and 1000000 of 1000000000 bytes/);
  });
});
