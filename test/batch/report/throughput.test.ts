import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type RateStep, Throughput } from '../../../lib/batch/report/throughput.ts';

function puzzlesOf(steps: readonly RateStep[]): number {
  return steps.reduce((sum, { fromMs, toMs, perSecond }) => sum + ((toMs - fromMs) * perSecond) / 1000, 0);
}

const duration = fc.double({ min: 0.001, max: 5000, noNaN: true });

it('the steps are few, equally long but for the last, and include all puzzles', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(600), duration), { minLength: 12, maxLength: 200 }), (blocks) => {
      const throughput = new Throughput();
      let puzzles = 0;
      let elapsedMs = 0;
      for (const [more, ms] of blocks) {
        puzzles += more;
        elapsedMs += ms;
        throughput.reach(puzzles, elapsedMs);
      }
      const steps = throughput.steps();
      expect(steps.length).toBeLessThanOrEqual(40);
      if (elapsedMs > 1000) expect(steps.length).toBeGreaterThanOrEqual(20);
      expect(steps.at(-1)!.toMs).toBe(elapsedMs);
      expect(puzzlesOf(steps)).toBeCloseTo(puzzles, 3);
      const lengths = steps.slice(0, -1).map(({ fromMs, toMs }) => toMs - fromMs);
      expect(new Set(lengths).size).toBeLessThanOrEqual(1);
    }),
  );
});

it('parallel intervals add up', () => {
  const throughput = new Throughput();
  throughput.add(200, 1000, 3000);
  throughput.add(400, 2000, 4000);
  throughput.add(8, 3000, 3000);
  for (let empty = 0; empty < 9; empty++) throughput.add(0, 0, 1);
  const steps = throughput.steps();
  const between = (fromMs: number, toMs: number) =>
    puzzlesOf(steps.filter((step) => step.fromMs >= fromMs && step.toMs <= toMs));
  expect([between(0, 1000), between(1000, 2000), between(2000, 3000), between(3000, 4000)]).toEqual(
    [0, 100, 300, 208].map((count) => expect.closeTo(count, 6)),
  );
});

it('a few blocks have no steps', () => {
  const throughput = new Throughput();
  for (let block = 1; block < 12; block++) throughput.reach(block * 512, block * 1000);
  expect(throughput.steps()).toEqual([]);
});
