/** Bulk runs that run out of time or crash, and continue in another invocation. */
import { describe, expect, it } from 'vitest';
import {
  DayClock,
  RUN,
  RUN_FOLDER,
  type RunOptions,
  runBulk,
  runLines,
  runReport,
  solvingQueue,
  threeUploads,
} from '../../support/bulk-run.ts';
import { RESULTS_BUCKET } from '../../support/dependencies.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
import { EASY } from '../../support/puzzles.ts';
import { upload } from '../../support/uploads.ts';

describe('a run that is stopped', () => {
  /** Each invocation has time for a few versions. */
  function shortOfTime(): RunOptions['dependencies'] {
    return { remainingMs: hurried() };
  }

  it('continues under the same id, and sends each version once', async () => {
    const buckets = new MemoryBuckets();
    for (let k = 0; k < 25; k++) upload(buckets, `scheduled/${k}.txt`, EASY);
    const world = solvingQueue(buckets);
    const clock = new DayClock();
    const steps = await runBulk(buckets, RUN, { ...world, clock, dependencies: shortOfTime() });
    expect(steps.filter((step) => step === 'plan').length).toBeGreaterThan(4);
    expect(steps.filter((step) => step === 'send').length).toBeGreaterThan(1);
    expect(world.queue.uploads).toHaveLength(25);
    expect(new Set(world.queue.uploads.map(({ key }) => key)).size).toBe(25);
    expect(runReport(buckets).versions).toMatchObject({ found: 25, planned: 25, solved: 25 });
    expect(buckets.keys(RESULTS_BUCKET, RUN_FOLDER)).toEqual(
      ['plan.jsonl', 'report.html', 'report.json', 'status.json', 'unsolved.jsonl'].map(
        (name) => RUN_FOLDER + name,
      ),
    );
  });

  it('gives the same report in several slices as in one', async () => {
    /** @param remainingMs called in the report step */
    const reported = async (remainingMs: () => number) => {
      const buckets = new MemoryBuckets();
      for (let k = 0; k < 400; k++) upload(buckets, `scheduled/${k}.txt`, EASY);
      let now = '';
      // Nothing is solved, so the report lists every version.
      const steps = await runBulk(buckets, RUN, {
        hooks: (step) => {
          now = step;
          return {};
        },
        dependencies: { remainingMs: () => (now === 'report' ? remainingMs() : 100_000) },
      });
      const slices = steps.filter((step) => step === 'report').length;
      return { slices, report: runReport(buckets), unsolved: runLines(buckets, 'unsolved.jsonl') };
    };
    const whole = await reported(() => 100_000);
    let calls = 0;
    // Enough time at the first call of a slice, none at the second.
    const split = await reported(() => (calls++ % 2 === 0 ? 100_000 : 0));
    expect([whole.slices, split.slices]).toEqual([1, 3]);
    expect(split.unsolved).toHaveLength(400);
    expect(split.unsolved).toEqual(whole.unsolved);
    expect(split.report).toEqual(whole.report);
  });

  it('after its plan is frozen keeps the plan unchanged', async () => {
    const buckets = await threeUploads();
    let done = false;
    await runBulk(buckets, RUN, {
      ...solvingQueue(buckets),
      tries: 2,
      hooks: () => ({
        async after({ operation, key }) {
          if (done || operation !== 'close' || !key.endsWith('/plan.jsonl')) return undefined;
          done = true;
          upload(buckets, 'scheduled/later.txt', EASY);
          throw new Error('no answer');
        },
      }),
    });
    expect(runLines(buckets, 'plan.jsonl')).toHaveLength(2);
    expect(buckets.list(RESULTS_BUCKET, `${RUN_FOLDER}plan.jsonl`)).toHaveLength(1);
  });
});

/** Remaining time that ends at every eighth call. */
function hurried(): () => number {
  let calls = 0;
  return () => (calls++ % 8 === 7 ? 0 : 100_000);
}
