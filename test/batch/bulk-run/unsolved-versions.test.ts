/** Reports of versions that were not solved, and the runs that try them again. */
import { describe, expect, it } from 'vitest';
import type { UnsolvedVersion } from '../../../lib/batch/bulk-run/report/run-report.ts';
import type { Upload } from '../../../lib/batch/delivery/upload-event.ts';
import {
  DayClock,
  RUN,
  RUN_FOLDER,
  runBulk,
  runLines,
  runReport,
  STARTED_AT,
  solvingQueue,
} from '../../support/bulk-run.ts';
import { INPUT_BUCKET, RESULTS_BUCKET } from '../../support/dependencies.ts';
import { failing } from '../../support/faults.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
import { EASY } from '../../support/puzzles.ts';
import { deliver, upload } from '../../support/uploads.ts';

describe('an unsolved version', () => {
  const REJECTED = 'no puzzles here\n';

  /** One upload of each outcome, none of them delivered yet. */
  function uploads(): MemoryBuckets {
    const buckets = new MemoryBuckets();
    upload(buckets, 'scheduled/fails.txt', EASY);
    upload(buckets, 'scheduled/<b>.txt', REJECTED);
    upload(buckets, 'scheduled/solved.txt', EASY);
    upload(buckets, 'scheduled/stalls.txt', EASY);
    return buckets;
  }

  /** Delivers an upload with the outcome in its name. */
  function work(buckets: MemoryBuckets, clock: DayClock) {
    const noReads = failing(
      ({ operation, bucket }) => operation === 'get' && bucket === INPUT_BUCKET,
      new Error('disk'),
    );
    return async (uploaded: Upload) => {
      if (uploaded.key.includes('stalls')) return;
      const fails = uploaded.key.includes('fails');
      await deliver(buckets, uploaded, {
        lastReceive: true,
        hooks: fails ? noReads : {},
        dependencies: { clock },
      });
    };
  }

  async function firstRun() {
    const buckets = uploads();
    const clock = new DayClock();
    const steps = await runBulk(buckets, RUN, { ...solvingQueue(buckets, work(buckets, clock)), clock });
    return { buckets, clock, steps };
  }

  it('is in the report, with the reason', async () => {
    const { buckets } = await firstRun();
    expect(runReport(buckets).versions).toMatchObject({
      planned: 4,
      solved: 1,
      rejected: 1,
      failed: 1,
      stalled: 1,
    });
    const unsolved = runLines<UnsolvedVersion>(buckets, 'unsolved.jsonl');
    expect(unsolved.map(({ key, outcome }) => `${key} ${outcome}`)).toEqual([
      'scheduled/<b>.txt rejected',
      'scheduled/fails.txt failed',
      'scheduled/stalls.txt stalled',
    ]);
    expect(unsolved[1]!.message).toContain('disk');
    expect(runReport(buckets).unsolved).toEqual(unsolved);
  });

  it('is named as one that its bucket will delete, if it was replaced or deleted and has no outcome', async () => {
    const buckets = uploads();
    upload(buckets, 'scheduled/fails.txt', EASY);
    buckets.markDeleted(INPUT_BUCKET, 'scheduled/stalls.txt');
    buckets.markDeleted(INPUT_BUCKET, 'scheduled/<b>.txt');
    const clock = new DayClock();
    await runBulk(buckets, RUN, { ...solvingQueue(buckets, work(buckets, clock)), clock });
    const { expiring, unsolved } = runReport(buckets);
    expect(unsolved).toHaveLength(4);
    expect(expiring.versions).toBe(2);
    expect(expiring.first.map(({ key, outcome }) => `${key} ${outcome}`)).toEqual([
      'scheduled/fails.txt failed',
      'scheduled/stalls.txt stalled',
    ]);
    const page = buckets.text(RESULTS_BUCKET, `${RUN_FOLDER}report.html`);
    expect(page.slice(page.indexOf('Not solved, and to be deleted'))).toMatch(
      /2 of these versions.*stalls\.txt/s,
    );
  });

  it('is waited for during a day, with fewer and fewer polls', async () => {
    const { clock, steps } = await firstRun();
    expect(clock.dayMs - Date.parse(STARTED_AT)).toBeGreaterThanOrEqual(86_400_000);
    expect(steps.filter((step) => step === 'follow').length).toBeLessThan(300);
  });

  it('is not waited for if it has failed', async () => {
    const buckets = new MemoryBuckets();
    upload(buckets, 'scheduled/fails.txt', EASY);
    const clock = new DayClock();
    await runBulk(buckets, RUN, { ...solvingQueue(buckets, work(buckets, clock)), clock });
    expect(clock.dayMs - Date.parse(STARTED_AT)).toBeLessThan(60_000);
  });

  it('is not tried again by the next run if it was rejected', async () => {
    const { buckets, clock } = await firstRun();
    const world = solvingQueue(buckets);
    await runBulk(buckets, { runId: 'next' }, { ...world, clock });
    expect(world.queue.uploads.map(({ key }) => key)).toEqual([
      'scheduled/fails.txt',
      'scheduled/stalls.txt',
    ]);
  });

  it('is tried again, and no other version, by a rerun', async () => {
    const { buckets } = await firstRun();
    upload(buckets, 'scheduled/new.txt', EASY);
    const again = { runId: 'again', rerunOf: RUN.runId };
    const clock = new DayClock();
    clock.dayMs += 1000;
    const world = solvingQueue(buckets, (uploaded) =>
      deliver(buckets, uploaded, { dependencies: { clock } }),
    );
    await runBulk(buckets, again, { ...world, clock });
    expect(world.queue.uploads.map(({ key }) => key)).toEqual([
      'scheduled/<b>.txt',
      'scheduled/fails.txt',
      'scheduled/stalls.txt',
    ]);
    expect(runReport(buckets, again).versions).toMatchObject({
      planned: 3,
      solved: 2,
      rejected: 1,
      stalled: 0,
    });
    expect(clock.dayMs - Date.parse(STARTED_AT)).toBeLessThan(60_000);
  });

  it('is tried again by a retry, whatever its age; then the dead letters go back, once all have an outcome', async () => {
    const buckets = new MemoryBuckets();
    const clock = new DayClock();
    buckets.now = '2025-03-01T11:59:59.000Z';
    for (const key of ['inbox/fails.txt', 'inbox/young.txt', 'scheduled/night.txt'])
      upload(buckets, key, EASY);
    const again = { runId: 'again', retry: true, graceMinutes: 0 } as const;
    const world = solvingQueue(buckets, work(buckets, clock));
    const moved: unknown[] = [];
    const deadLetters = {
      async moveBack() {
        moved.push(runReport(buckets, again).versions);
      },
    };
    clock.dayMs += 1000;
    await runBulk(buckets, again, { ...world, clock, dependencies: { deadLetters } });
    expect(world.queue.uploads.map(({ key }) => key)).toEqual(['inbox/fails.txt', 'inbox/young.txt']);
    expect(moved).toMatchObject([{ planned: 2, solved: 1, failed: 1 }]);
    // Other runs leave them, and one that is cancelled too: not all that it was to solve has an outcome.
    await runBulk(buckets, { runId: 'night' }, { ...world, clock, dependencies: { deadLetters } });
    buckets.write(RESULTS_BUCKET, 'runs/ended/cancel.json', '{}');
    await runBulk(buckets, { ...again, runId: 'ended' }, { ...world, clock, dependencies: { deadLetters } });
    expect(moved).toHaveLength(1);
  });

  it('is escaped on the page of the report', async () => {
    const { buckets } = await firstRun();
    const page = buckets.text(RESULTS_BUCKET, `${RUN_FOLDER}report.html`);
    expect(page).toContain('scheduled/&lt;b&gt;.txt');
    expect(page).not.toContain('<b>');
    // Only to places of the page itself.
    expect(page).not.toMatch(/(src|href)=(?!"#)/);
  });
});
