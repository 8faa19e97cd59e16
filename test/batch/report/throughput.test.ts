import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateSteps } from '../../../lib/batch/report/charts.ts';
import { samplesOfIntervals, Throughput } from '../../../lib/batch/report/throughput.ts';

/** Adds blocks of 512 puzzles and 3 ms each. */
function added(blocks: number): Throughput {
  const throughput = new Throughput();
  for (let k = 1; k <= blocks; k++) throughput.add(k * 512, k * 3);
  return throughput;
}

describe('throughput', () => {
  it('has a bounded number of evenly spread samples after any number of calls', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), (blocks) => {
        const samples = added(blocks).samples();
        expect(samples.length).toBeLessThanOrEqual(200);
        const strides = new Set(samples.map(({ puzzles }, k) => puzzles - (samples[k - 1]?.puzzles ?? 0)));
        expect(strides.size).toBeLessThanOrEqual(1);
        expect(samples.length).toBeGreaterThanOrEqual(Math.min(blocks, 100));
      }),
    );
  });
});

describe('parallel intervals', () => {
  it('add up', () => {
    const intervals = [
      { startMs: 1000, durationMs: 2000, puzzles: 200 },
      { startMs: 2000, durationMs: 2000, puzzles: 400 },
      { startMs: 3000, durationMs: 0, puzzles: 8 },
    ];
    expect(samplesOfIntervals(intervals, 3)).toEqual([
      { puzzles: 100, elapsedMs: 2000 },
      { puzzles: 408, elapsedMs: 3000 },
      { puzzles: 608, elapsedMs: 4000 },
    ]);
  });

  it('give no samples if there are none', () => {
    expect(samplesOfIntervals([])).toEqual([]);
  });
});

describe('the steps of the rate', () => {
  it('are equally long, and include all puzzles of the samples', () => {
    const pause = fc.double({ min: 0.001, max: 50, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(600), pause), { maxLength: 200 }), (blocks) => {
        let puzzles = 0;
        let elapsedMs = 0;
        const samples = blocks.map(([more, ms]) => {
          puzzles += more;
          elapsedMs += ms;
          return { puzzles, elapsedMs };
        });
        const steps = rateSteps(samples);
        expect(steps.length).toBe(samples.length < 12 ? 0 : Math.min(40, Math.floor(samples.length / 3)));
        if (steps.length === 0) return;
        expect(steps.at(-1)!.toMs).toBe(elapsedMs);
        const all = steps.reduce(
          (sum, { fromMs, toMs, perSecond }) => sum + ((toMs - fromMs) * perSecond) / 1000,
          0,
        );
        expect(Math.abs(all - puzzles)).toBeLessThan(1e-6 * (1 + puzzles));
        for (const { fromMs, toMs } of steps) expect(toMs - fromMs).toBeCloseTo(elapsedMs / steps.length, 6);
      }),
    );
  });
});
