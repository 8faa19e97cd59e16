import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../lib/batch/ports.ts';
import { DurationHistogram } from '../../../lib/batch/results/duration-histogram.ts';
import { JobStatistics } from '../../../lib/batch/results/statistics.ts';
import type { BlockAnswers } from '../../../lib/batch/solving/block-answers.ts';
import type { RecordBlock } from '../../../lib/formats/records/record-block.ts';
import { FakeClock, UnevenClock } from '../../support/dependencies.ts';
import { CLASHING, CUT_OFF, EASY, HARD, SOLUTION, TWO_SOLUTIONS, UNSOLVABLE } from '../../support/puzzles.ts';
import { solveText } from '../../support/run-job.ts';

/** Durations in microseconds with three decimals, from zero to hours. */
const durations = fc.array(
  fc
    .oneof(
      fc.integer({ min: 0, max: 5_000 }),
      fc.integer({ min: 0, max: 50_000_000 }),
      fc.integer({ min: 0, max: 10_000_000_000_000 }),
    )
    .map((ns) => ns / 1000),
  { minLength: 1, maxLength: 400 },
);

function histogramOf(values: readonly number[]): DurationHistogram {
  const histogram = new DurationHistogram();
  for (const us of values) histogram.add(us);
  return histogram;
}

/** The smallest value that at least `percent` % of all values do not exceed. */
function exactPercentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length - 1e-9) - 1)]!;
}

function expectClose(found: number, exact: number, ratio: number, what: string): void {
  expect(Math.abs(found - exact), `${what}: ${found} for ${exact}`).toBeLessThanOrEqual(
    exact * ratio + 0.0011,
  );
}

describe('durations', () => {
  it('have percentiles within 0.1 % of the exact ones', () => {
    fc.assert(
      fc.property(durations, (values) => {
        const summary = histogramOf(values).summary()!;
        for (const [name, percent] of [
          ['p50', 50],
          ['p90', 90],
          ['p95', 95],
          ['p99', 99],
          ['p999', 99.9],
        ] as const) {
          expectClose(summary[name], exactPercentile(values, percent), 0.001, name);
        }
      }),
    );
  });

  it('have the exact minimum, maximum, mean and standard deviation', () => {
    fc.assert(
      fc.property(durations, (values) => {
        const { min, max, mean, stddev } = histogramOf(values).summary()!;
        const exactMean = values.reduce((sum, us) => sum + us, 0) / values.length;
        const variance = values.reduce((sum, us) => sum + (us - exactMean) ** 2, 0) / values.length;
        expect(min).toBe(Math.min(...values));
        expect(max).toBe(Math.max(...values));
        expectClose(mean, exactMean, 1e-9, 'mean');
        expectClose(stddev, Math.sqrt(variance), 1e-6, 'stddev');
      }),
    );
  });

  it('merged have the summary of all together', () => {
    fc.assert(
      fc.property(durations, fc.nat(), (values, seed) => {
        const cut = seed % (values.length + 1);
        const merged = histogramOf(values.slice(0, cut));
        merged.merge(histogramOf(values.slice(cut)).snapshot());
        const whole = histogramOf(values);
        const { mean, stddev, ...rest } = merged.summary()!;
        const { mean: wholeMean, stddev: wholeStddev, ...wholeRest } = whole.summary()!;
        expect(merged.sumUs).toBeCloseTo(whole.sumUs, 3);
        expect(rest).toEqual(wholeRest);
        expectClose(mean, wholeMean, 1e-9, 'mean');
        expectClose(stddev, wholeStddev, 1e-6, 'stddev');
        expect(merged.bars()).toEqual(whole.bars());
      }),
    );
  });

  it('are counted in consecutive bars with bounds that double', () => {
    fc.assert(
      fc.property(durations, (values) => {
        const bars = histogramOf(values).bars();
        for (const [k, { fromUs, toUs }] of bars.entries()) {
          expect(toUs).toBe(Math.max(1, fromUs * 2));
          if (k > 0) expect(fromUs).toBe(bars[k - 1]!.toUs);
        }
        expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
        expect(bars[0]!.count).toBeGreaterThan(0);
        expect(bars.at(-1)!.count).toBeGreaterThan(0);
      }),
    );
  });

  it('have no summary and no bars if there are none', () => {
    const none = new DurationHistogram();
    expect(none.summary()).toBeUndefined();
    expect(none.bars()).toEqual([]);
  });
});

/** A clock that advances by a different, reproducible step with each read. */
function unevenClock(): Clock {
  let nowMs = 0;
  let reads = 0;
  return {
    monotonicMs: () => {
      reads++;
      nowMs += ((reads * 7919) % 101) / 8;
      return nowMs;
    },
    timeOfDay: () => '2025-03-01T12:00:00.000Z',
  };
}

/** A solved block of puzzles, too large to be drawn, with these search counts. */
function blockOf(
  puzzles: readonly { readonly guesses: number; readonly nodes: number; readonly solveUs: number }[],
): [RecordBlock, BlockAnswers] {
  const geometry = { size: 100, cellCount: 10_000, variant: 'standard' };
  const block = { count: puzzles.length, geometry, line: puzzles.map(() => 7), cells: [] };
  const answers = {
    status: puzzles.map(() => 0),
    guesses: puzzles.map(({ guesses }) => guesses),
    nodes: puzzles.map(({ nodes }) => nodes),
    solveUs: puzzles.map(({ solveUs }) => solveUs),
    searchBytes: puzzles.map(() => 0),
  };
  return [block as unknown as RecordBlock, answers as unknown as BlockAnswers];
}

describe('the statistics of a job', () => {
  const LINES = [EASY, TWO_SOLUTIONS, UNSOLVABLE, CLASHING, CUT_OFF, HARD, SOLUTION];
  const file = `${LINES.join('\n')}\n`.repeat(4) + '1234............\n'.repeat(3);
  const solved = solveText(
    file,
    { records: 'true', 'max-nodes': '40' },
    { dependencies: { clock: unevenClock() } },
  );

  it('have the same hardest and slowest puzzles in any blocks and any pieces', () => {
    const puzzle = fc.record({
      guesses: fc.integer({ min: 0, max: 3 }),
      nodes: fc.integer({ min: 1, max: 4 }),
      solveUs: fc.integer({ min: 0, max: 5 }),
    });
    const cut = fc.integer({ min: 1, max: 12 });
    const parts = fc.array(fc.tuple(fc.array(puzzle, { minLength: 1, maxLength: 12 }), cut));
    fc.assert(
      fc.property(parts, (pieces) => {
        const merged = new JobStatistics();
        let firstIndex = 1;
        for (const [puzzles, size] of pieces) {
          const piece = new JobStatistics();
          for (let from = 0; from < puzzles.length; from += size) {
            const some = puzzles.slice(from, from + size);
            piece.addBlock(...blockOf(some), firstIndex);
            firstIndex += some.length;
          }
          merged.merge(JSON.parse(JSON.stringify(piece.snapshot())));
        }
        const all = pieces
          .flatMap(([puzzles]) => puzzles)
          .map((each, k) => ({ index: k + 1, line: 7, ...each }));
        const first = (order: (a: (typeof all)[number], b: (typeof all)[number]) => number) =>
          all.toSorted((a, b) => order(a, b) || a.index - b.index).slice(0, 10);
        const { hardest, slowest, counts } = merged.snapshot();
        const withGuesses = (...counts: number[]) =>
          all.filter((each) => counts.includes(each.guesses)).length;
        const guesses = [withGuesses(0), withGuesses(1), withGuesses(2, 3)];
        expect(guesses.map((_, bar) => counts.guesses[bar] ?? 0)).toEqual(guesses);
        expect(hardest).toEqual(
          first((a, b) => b.guesses - a.guesses || b.nodes - a.nodes).map(({ solveUs: _, ...rest }) => rest),
        );
        expect(slowest).toEqual(
          first((a, b) => b.solveUs - a.solveUs).map(({ guesses: _, ...rest }) => rest),
        );
      }),
    );
  });

  it.each([1, 2, 3])('have the same hardest puzzles in blocks of other sizes (seed %i)', async (seed) => {
    const { stats } = await solveText(
      file,
      { 'max-nodes': '40' },
      { dependencies: { clock: new UnevenClock(seed) }, cuts: [100 * seed, 1000 * seed] },
    );
    expect(stats.hardest).toEqual((await solved).stats.hardest);
    expect(stats.slowest).not.toEqual((await solved).stats.slowest);
  });

  it('have the time of each puzzle that an engine searched, and of no other', async () => {
    const { stats, records } = await solved;
    const timed = records.flatMap(({ solveUs }) => (solveUs === undefined ? [] : [solveUs]));
    expect(stats.timing.histogram.reduce((sum, { count }) => sum + count, 0)).toBe(timed.length);
    expect(stats.timing.solveUs).toMatchObject({ min: Math.min(...timed), max: Math.max(...timed) });
    expect(timed).toHaveLength(4 * 5 + 3);
  });

  it('have the time of a search from one read of the clock to the next', async () => {
    const clock = new FakeClock(0.5);
    const { records } = await solveText(
      `${LINES.join('\n')}\n`,
      { records: 'true' },
      { dependencies: { clock } },
    );
    expect(records.map(({ solveUs }) => solveUs)).toEqual([500, 500, 500, undefined, undefined, 500, 500]);
  });

  it('have the engine and the runtime', async () => {
    const { stats } = await solved;
    expect(stats.engine).toEqual({ name: 'dlx', version: expect.any(Number), workers: 1 });
    expect(stats.runtime).toEqual({
      node: 'v24.0.0',
      arch: 'arm64',
      memoryMb: 1769,
      coldStart: false,
      simd: true,
    });
  });
});
