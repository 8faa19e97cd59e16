/** Bulk runs over many uploads: what waits, what is read, and how they end. */
import { describe, expect, it } from 'vitest';
import type { FollowState } from '../../../lib/batch/bulk-run/follow-run.ts';
import { runIdAt } from '../../../lib/batch/bulk-run/run-keys.ts';
import type { RunStatus } from '../../../lib/batch/bulk-run/run-status.ts';
import { uploadInMessage } from '../../../lib/batch/delivery/upload-event.ts';
import {
  DayClock,
  RUN,
  RUN_FOLDER,
  runBulk,
  runReport,
  SentMessages,
  STARTED_AT,
} from '../../support/bulk-run.ts';
import { RESULTS_BUCKET } from '../../support/dependencies.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
import { EASY } from '../../support/puzzles.ts';
import { deliver, upload } from '../../support/uploads.ts';

const PUZZLES = { total: 2, solved: 1, multiple: 0, unsolvable: 1, invalid: 0, unreadable: 0, limit: 0 };
const DONE = JSON.stringify({
  schema: 'dlx-batch/done@1',
  jobId: '0123456789abcdef',
  outcome: 'completed',
  puzzles: PUZZLES,
  seconds: 2,
  gbSeconds: 4,
});

/** Solves so many uploads a second while the run waits. */
function steadyWorld(buckets: MemoryBuckets, clock: DayClock, perSecond: number) {
  const queue = new SentMessages();
  let worked = 0;
  const startMs = clock.dayMs;
  let [oldestMessage, idle] = [0, 0];
  return {
    queue,
    clock,
    get mostWaiting() {
      return oldestMessage;
    },
    async whileWaiting() {
      const all = Math.floor(((clock.dayMs - startMs) / 1000) * perSecond);
      oldestMessage = Math.max(oldestMessage, queue.bodies.length - worked);
      // A function that has nothing to do does not work ahead.
      const bodies = queue.bodies.slice(worked, Math.max(worked, all - idle));
      idle = all - worked - bodies.length;
      for (const { key, versionId } of bodies.flatMap((body) => uploadInMessage(JSON.parse(body)) ?? [])) {
        buckets.write(RESULTS_BUCKET, `done/${key}/${versionId}`, DONE);
        worked++;
      }
    },
  };
}

function manyUploads(count: number): MemoryBuckets {
  const buckets = new MemoryBuckets();
  for (let k = 0; k < count; k++) upload(buckets, `inbox/${String(k).padStart(7, '0')}.txt`, EASY);
  return buckets;
}

describe('a run of many uploads', () => {
  it('sends as many as are solved in some minutes, and each once', async () => {
    const buckets = manyUploads(1500);
    const clock = new DayClock();
    const world = steadyWorld(buckets, clock, 2);
    await runBulk(buckets, RUN, world);
    expect(world.queue.bodies).toHaveLength(1500);
    expect(new Set(world.queue.uploads.map(({ key }) => key)).size).toBe(1500);
    // Five minutes of work, and what it began with.
    expect(world.mostWaiting).toBeLessThanOrEqual(700);
    expect(runReport(buckets)).toMatchObject({
      versions: { planned: 1500, sent: 1500, solved: 1500, open: 0 },
      puzzles: { total: 3000, solved: 1500, unsolvable: 1500 },
      solveSeconds: 3000,
    });
  });

  it('lasts as long as its uploads, however slow they are', async () => {
    const buckets = manyUploads(12);
    const clock = new DayClock();
    const world = steadyWorld(buckets, clock, 1 / 36_000);
    await runBulk(buckets, RUN, world);
    expect(clock.dayMs - Date.parse(STARTED_AT)).toBeGreaterThan(4 * 86_400_000);
    expect(runReport(buckets).versions).toMatchObject({ solved: 12, stalled: 0 });
  });

  it('reads one object for each, and lists none', async () => {
    const buckets = manyUploads(2000);
    const world = steadyWorld(buckets, new DayClock(), 50);
    const reads: Record<string, number> = {};
    await runBulk(buckets, RUN, {
      ...world,
      hooks: (step) => ({
        async before({ operation, key }) {
          if (step !== 'follow' && step !== 'report') return undefined;
          const folder = key.split('/', 1)[0]!;
          reads[`${operation} ${folder}`] = (reads[`${operation} ${folder}`] ?? 0) + 1;
          return undefined;
        },
      }),
    });
    const { 'get done': markers = 0, ...others } = reads;
    expect(markers).toBeGreaterThanOrEqual(2000);
    expect(markers).toBeLessThan(2 * 2000);
    expect(Object.keys(others).filter((name) => /status|results|rejects/.test(name))).toEqual([]);
  });

  it('goes on in other executions, under the same id and with the first start', async () => {
    const buckets = manyUploads(30);
    const clock = new DayClock();
    const steps = await runBulk(buckets, RUN, steadyWorld(buckets, clock, 1 / 80_000));
    expect(steps.length).toBeGreaterThan(3000);
    const status = buckets.json<RunStatus>(RESULTS_BUCKET, `${RUN_FOLDER}status.json`);
    expect(status).toMatchObject({ state: 'done', startedAt: STARTED_AT, settled: 30, sent: 30 });
    expect(status.execution).toMatch(new RegExp(`^${RUN.runId}--[2-9]$`));
    expect(status.run).toEqual(RUN);
  });
});

describe('a run that a user cancels', () => {
  it('sends nothing more, keeps what is solved, and reports the rest', async () => {
    const buckets = manyUploads(1000);
    const world = steadyWorld(buckets, new DayClock(), 1);
    let waits = 0;
    await runBulk(buckets, RUN, {
      ...world,
      whileWaiting: async () => {
        await world.whileWaiting();
        if (++waits === 10) buckets.write(RESULTS_BUCKET, `${RUN_FOLDER}cancel.json`, '{}');
      },
    });
    const { versions, cancelled } = runReport(buckets);
    expect(cancelled).toBe(true);
    expect(versions.solved).toBeGreaterThan(0);
    expect(versions.sent).toBe(world.queue.bodies.length);
    expect(versions.solved + versions.open).toBe(versions.sent);
    expect(versions.sent).toBeLessThan(1000);
    const next = new SentMessages();
    await runBulk(
      buckets,
      { runId: 'next' },
      {
        queue: next,
        clock: world.clock,
        whileWaiting: async () => {
          for (const { key, versionId } of next.uploads)
            buckets.write(RESULTS_BUCKET, `done/${key}/${versionId}`, DONE);
        },
      },
    );
    expect(runReport(buckets, { runId: 'next' }).versions).toMatchObject({ solved: 1000 - versions.solved });
  });
});

it('a nightly run leaves out folders with many keys of a long list, whose run is in progress', async () => {
  const clock = new DayClock();
  const other = { runId: runIdAt('2025-03-01T12:00:00Z', 'nightly') };
  const [list, nightly] = [new SentMessages(), new SentMessages()];
  const long = new MemoryBuckets();
  for (const key of ['inbox/other.txt', 'scheduled/c.txt', 'scheduled/d.txt']) upload(long, key, EASY);
  for (let k = 0; k < 150; k++) upload(long, `inbox/june/${k}.txt`, EASY);
  const keys = Array.from({ length: 120 }, (_, k) => `inbox/june/${k}.txt`);
  long.write(RESULTS_BUCKET, `${RUN_FOLDER}keys.txt`, ['scheduled/c.txt', ...keys].join('\n'));
  const solve = (queue: SentMessages) =>
    Promise.all(queue.uploads.map((uploaded) => deliver(long, uploaded)));
  let started = false;
  await runBulk(
    long,
    { ...RUN, manifest: true },
    {
      queue: list,
      clock,
      whileWaiting: async () => {
        if (started) return;
        started = true;
        await runBulk(long, other, {
          queue: nightly,
          clock,
          whileWaiting: async () => void (await solve(nightly)),
        });
        await solve(list);
      },
    },
  );
  expect(list.uploads).toHaveLength(121);
  expect(nightly.uploads.map(({ key }) => key)).toEqual(['inbox/other.txt', 'scheduled/d.txt']);
});

describe('the state of a run', () => {
  it('has no list that grows with the uploads', async () => {
    const buckets = manyUploads(1500);
    await runBulk(buckets, RUN, steadyWorld(buckets, new DayClock(), 100));
    const sizes = buckets
      .keys(RESULTS_BUCKET, `${RUN_FOLDER}follow/`)
      .filter((key) => key.endsWith('.json'))
      .map((key) => JSON.stringify(buckets.json<{ state: FollowState }>(RESULTS_BUCKET, key)).length);
    expect(Math.max(...sizes)).toBeLessThan(1000);
  });
});
