/** Bulk runs that run out of time or crash, and continue in another invocation. */
import { describe, expect, it } from 'vitest';
import {
  DayClock,
  planOf,
  RUN,
  RUN_FOLDER,
  type RunOptions,
  runBulk,
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
    expect(steps.filter((step) => step === 'plan').length).toBeGreaterThan(2);
    expect(steps.filter((step) => step === 'follow').length).toBeGreaterThan(2);
    expect(world.queue.uploads).toHaveLength(25);
    expect(new Set(world.queue.uploads.map(({ key }) => key)).size).toBe(25);
    expect(runReport(buckets).versions).toMatchObject({ found: 25, planned: 25, solved: 25 });
    const names = buckets.keys(RESULTS_BUCKET, RUN_FOLDER).map((key) => key.slice(RUN_FOLDER.length));
    expect(names.filter((name) => !/^(plan|follow)\//.test(name))).toEqual([
      'report.html',
      'report.json',
      'status.json',
      'unsolved.jsonl',
    ]);
  });

  it('keeps what is planned, as its messages may be sent', async () => {
    const buckets = await threeUploads();
    let done = false;
    await runBulk(buckets, RUN, {
      ...solvingQueue(buckets),
      tries: 2,
      hooks: () => ({
        async after({ operation, key }) {
          if (done || operation !== 'putIf' || !key.endsWith('/plan/00000.json')) return undefined;
          done = true;
          upload(buckets, 'scheduled/later.txt', EASY);
          throw new Error('no answer');
        },
      }),
    });
    expect(done).toBe(true);
    expect(await planOf(buckets)).toHaveLength(2);
  });
});

/** Remaining time that ends at every eighth call. */
function hurried(): () => number {
  let calls = 0;
  return () => (calls++ % 8 === 7 ? 0 : 100_000);
}
