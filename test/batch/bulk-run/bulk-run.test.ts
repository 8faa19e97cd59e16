/** Bulk runs over buckets in memory: plan, messages, waiting and report. */
import { describe, expect, it } from 'vitest';
import { messageFor } from '../../../lib/batch/bulk-run/planned-version.ts';
import { runIdAt } from '../../../lib/batch/bulk-run/run-keys.ts';
import type { RunStatus } from '../../../lib/batch/bulk-run/run-status.ts';
import { parseMessage, type Upload, uploadInMessage } from '../../../lib/batch/delivery/upload-event.ts';
import {
  DayClock,
  planOf,
  RUN,
  RUN_FOLDER,
  runBulk,
  runReport,
  SentMessages,
  STARTED_AT,
  solvingQueue,
  threeUploads,
} from '../../support/bulk-run.ts';
import { INPUT_BUCKET, RESULTS_BUCKET } from '../../support/dependencies.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
import { EASY } from '../../support/puzzles.ts';
import { readResultSet } from '../../support/result-set.ts';
import { deliver, upload } from '../../support/uploads.ts';

describe('a bulk run', () => {
  it('solves only scheduled uploads and uploads whose event was lost', async () => {
    const buckets = await threeUploads();
    const world = solvingQueue(buckets);
    await runBulk(buckets, RUN, world);
    expect(world.queue.uploads.map(({ key }) => key)).toEqual(['inbox/lost.txt', 'scheduled/night.txt']);
    expect(readResultSet(buckets, 'scheduled/night.txt').manifest.puzzles.solved).toBe(1);
    expect(runReport(buckets)).toMatchObject({
      schema: 'dlx-batch/run@2',
      run: RUN,
      startedAt: STARTED_AT,
      versions: { found: 3, alreadyDone: 1, planned: 2, solved: 2, rejected: 0, failed: 0, stalled: 0 },
      puzzles: { total: 2, solved: 2 },
      unsolved: [],
    });
    expect((await planOf(buckets)).map(({ key, why }) => `${key} ${why}`)).toEqual([
      'inbox/lost.txt missed',
      'scheduled/night.txt scheduled',
    ]);
  });

  it('sweeps other prefixes, of which only that for events has a grace period', async () => {
    const buckets = new MemoryBuckets();
    for (const key of ['inbox/a.txt', 'z/new/old.txt', 'scheduled/b.txt']) upload(buckets, key, EASY);
    buckets.now = STARTED_AT;
    for (const key of ['z/new/young.txt', 'a/later/young.txt']) upload(buckets, key, EASY);
    const queue = new SentMessages();
    const uploadPrefixes = { inbox: 'z/new/', scheduled: 'a/later/' };
    await runBulk(buckets, RUN, { queue, dependencies: { uploadPrefixes } });
    expect((await planOf(buckets)).map(({ key, why }) => `${key} ${why}`)).toEqual([
      'a/later/young.txt scheduled',
      'z/new/old.txt missed',
    ]);
  });

  it('sends events without a sequencer, with the run id outside of the detail', async () => {
    const buckets = await threeUploads();
    const queue = new SentMessages();
    const clock = new DayClock();
    await runBulk(buckets, RUN, { queue, clock });
    const [lost] = queue.uploads;
    expect(lost).toMatchObject({ key: 'inbox/lost.txt', bytes: 81, runId: RUN.runId });
    expect(lost!.versionId).toBe(buckets.list(INPUT_BUCKET, 'inbox/lost.txt')[0]!.versionId);
    expect(lost!.sequencer).toBeUndefined();
    expect(JSON.parse(queue.bodies[0]!).detail.runId).toBeUndefined();
  });

  it.each([
    ['before', true],
    ['after', false],
  ])('a resend that comes %s the event of a version is the same job, with one result', async (_, first) => {
    const buckets = new MemoryBuckets();
    const byEvent = upload(buckets, 'inbox/a.txt', EASY);
    const [version] = buckets.listAll(INPUT_BUCKET, 'inbox/a.txt');
    const resent = uploadInMessage(parseMessage(messageFor(version!, INPUT_BUCKET)));
    upload(buckets, 'inbox/a.txt', 'a newer version\n');
    const [one, two] = first ? [resent!, byEvent] : [byEvent, resent!];
    expect(await deliver(buckets, one, { attempt: 'attempt-a' })).toMatchObject({ kind: 'completed' });
    expect(await deliver(buckets, two, { attempt: 'attempt-b' })).toMatchObject({ kind: 'duplicate' });
    expect(
      buckets.keys(RESULTS_BUCKET, 'results/').filter((key) => key.endsWith('manifest.json')),
    ).toHaveLength(1);
    expect(resent).toMatchObject({ runId: undefined, sequencer: undefined });
  });

  it('solves nothing again on the next day', async () => {
    const buckets = await threeUploads();
    await runBulk(buckets, RUN, solvingQueue(buckets));
    const next = { runId: 'next' };
    const world = solvingQueue(buckets);
    await runBulk(buckets, next, world);
    expect(world.queue.bodies).toEqual([]);
    expect(runReport(buckets, next).versions).toMatchObject({ found: 3, alreadyDone: 3, planned: 0 });
  });

  it('skips new versions in the inbox, and plans new scheduled ones', async () => {
    const buckets = new MemoryBuckets();
    for (const [name, now] of [
      ['old', '2025-03-01T09:59:59.000Z'],
      ['young', '2025-03-01T10:00:01.000Z'],
    ] as const) {
      buckets.now = now;
      upload(buckets, `inbox/${name}.txt`, EASY);
      upload(buckets, `scheduled/${name}.txt`, EASY);
    }
    const world = solvingQueue(buckets);
    await runBulk(buckets, RUN, world);
    const keys = world.queue.uploads.map(({ key }) => key);
    expect(keys).toEqual(['inbox/old.txt', 'scheduled/old.txt', 'scheduled/young.txt']);
    expect(runReport(buckets).versions.tooYoung).toBe(1);
  });

  it('solves every version of a key, and latest.json names the newest', async () => {
    const buckets = new MemoryBuckets();
    const [first, second, third] = ['1', '2', '3'].map((name) =>
      upload(buckets, 'scheduled/a.txt', `# ${name}\n${EASY}`),
    );
    await deliver(buckets, second!);
    buckets.markDeleted(INPUT_BUCKET, 'scheduled/a.txt');
    const world = solvingQueue(buckets);
    await runBulk(buckets, RUN, world);
    const sent = world.queue.uploads.map(({ versionId }) => versionId);
    expect(sent.sort()).toEqual([first!.versionId, third!.versionId]);
    const latest = buckets.json<{ input: Upload }>(RESULTS_BUCKET, 'results/scheduled/a.txt/latest.json');
    expect(latest.input.versionId).toBe(third!.versionId);
  });

  it('ignores folder markers and other prefixes', async () => {
    const buckets = new MemoryBuckets();
    buckets.write(INPUT_BUCKET, 'scheduled/', '');
    buckets.write(INPUT_BUCKET, 'scheduled/a/', '');
    buckets.write(INPUT_BUCKET, 'elsewhere/a.txt', EASY);
    await runBulk(buckets, RUN);
    expect(runReport(buckets).versions).toMatchObject({ found: 0, planned: 0 });
  });

  it('keeps what is planned if its process stops, as its messages may be sent', async () => {
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

  it('plans only keys with its prefix', async () => {
    const buckets = new MemoryBuckets();
    for (const key of ['inbox/june/a.txt', 'inbox/june.txt', 'scheduled/june/b.txt'])
      upload(buckets, key, EASY);
    const world = solvingQueue(buckets);
    await runBulk(buckets, { ...RUN, prefix: 'inbox/june/' }, world);
    expect(world.queue.uploads.map(({ key }) => key)).toEqual(['inbox/june/a.txt']);
  });
});

describe('a run while another is in progress', () => {
  /** Starts a second run while the first one waits. @returns the keys and counts of the second run */
  async function overlapping(hoursLater: number) {
    const buckets = await threeUploads();
    const clock = new DayClock();
    const second = new SentMessages();
    const other = { runId: runIdAt('2025-03-01T12:00:00Z', 'other') };
    let started = false;
    await runBulk(buckets, RUN, {
      clock,
      whileWaiting: async () => {
        if (started) return;
        started = true;
        upload(buckets, 'scheduled/later.txt', EASY);
        const later = new DayClock();
        later.dayMs = clock.dayMs + hoursLater * 3_600_000;
        await runBulk(buckets, other, { queue: second, clock: later });
      },
    });
    return { sent: second.uploads.map(({ key }) => key), report: runReport(buckets, other) };
  }

  it('does nothing, and is completed, as the other one holds all uploads', async () => {
    const { sent, report } = await overlapping(0);
    expect(sent).toEqual([]);
    expect(report).toMatchObject({ versions: { found: 0, planned: 0 }, heldBy: [RUN.runId] });
  });

  it('sends them if the other one has not gone on for hours', async () => {
    const { sent, report } = await overlapping(5);
    expect(sent).toEqual(['inbox/lost.txt', 'scheduled/later.txt', 'scheduled/night.txt']);
    expect(report).toMatchObject({ versions: { planned: 3 }, heldBy: [] });
  });
});

describe('ten thousand small objects with three thousand solved ones', () => {
  it('give seven thousand jobs, none twice', async () => {
    const buckets = new MemoryBuckets();
    const done = '{"schema":"dlx-batch/done@1","jobId":"0123456789abcdef","outcome":"completed"}';
    for (let k = 0; k < 10_000; k++) {
      const { key, versionId } = upload(buckets, `inbox/${k % 100}/${k}.txt`, EASY);
      if (k % 10 < 3) buckets.write(RESULTS_BUCKET, `done/${key}/${versionId}`, done);
    }
    const queue = new SentMessages();
    await runBulk(buckets, RUN, {
      queue,
      whileWaiting: async () => {
        for (const { key, versionId } of queue.uploads) {
          buckets.write(RESULTS_BUCKET, `done/${key}/${versionId}`, done);
        }
      },
    });
    expect(queue.uploads).toHaveLength(7000);
    expect(new Set(queue.uploads.map(({ key }) => key)).size).toBe(7000);
    const status = buckets.json<RunStatus>(RESULTS_BUCKET, `${RUN_FOLDER}status.json`);
    expect(status).toMatchObject({ state: 'done', found: 10_000, alreadyDone: 3000, planned: 7000 });
  });
});
