import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateSteps } from '../../../lib/batch/report/rate-chart.ts';
import { samplesOfIntervals, Throughput } from '../../../lib/batch/report/throughput.ts';

/** Told after each of so many blocks of 512 puzzles, of 3 ms each. */
function told(blocks: number, most?: number): Throughput {
  const throughput = new Throughput(most);
  for (let k = 1; k <= blocks; k++) throughput.add(k * 512, k * 3);
  return throughput;
}

describe('throughput', () => {
  it.each([
    [3, [1, 2, 3]],
    [4, [1, 2, 3, 4]],
    [5, [2, 4]],
    [6, [2, 4, 6]],
    [8, [2, 4, 6, 8]],
    [9, [2, 4, 6, 8]],
    [12, [4, 8, 12]],
    [21, [8, 16]],
  ])('told %i times, keeps at most four samples: %j', (blocks, kept) => {
    const expected = kept.map((k) => ({ puzzles: k * 512, elapsedMs: k * 3 }));
    expect(told(blocks, 4).samples()).toEqual(expected);
  });

  it('stays small however often it is told, and evenly spread', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), (blocks) => {
        const samples = told(blocks).samples();
        expect(samples.length).toBeLessThanOrEqual(200);
        const strides = new Set(samples.map(({ puzzles }, k) => puzzles - (samples[k - 1]?.puzzles ?? 0)));
        expect(strides.size).toBeLessThanOrEqual(1);
        expect(samples.length).toBeGreaterThanOrEqual(Math.min(blocks, 100));
      }),
    );
  });
});

describe('stretches that ran side by side', () => {
  it('add up', () => {
    const stretches = [
      { startMs: 1000, durationMs: 2000, puzzles: 200 },
      { startMs: 2000, durationMs: 2000, puzzles: 400 },
      { startMs: 3000, durationMs: 0, puzzles: 8 },
    ];
    expect(samplesOfIntervals(stretches, 3)).toEqual([
      { puzzles: 100, elapsedMs: 2000 },
      { puzzles: 408, elapsedMs: 3000 },
      { puzzles: 608, elapsedMs: 4000 },
    ]);
  });

  it('are nothing where there are none', () => {
    expect(samplesOfIntervals([])).toEqual([]);
  });
});

describe('the steps of the rate', () => {
  it('are equally long, and hold all puzzles of the samples', () => {
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
