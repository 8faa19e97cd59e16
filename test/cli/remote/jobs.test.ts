import { expect, test } from 'vitest';
import { writeStatus } from '../../../lib/batch/delivery/commit.ts';
import { jobKeys } from '../../../lib/batch/delivery/result-keys.ts';
import { JobList } from '../../../lib/cli/remote/jobs.ts';
import { systemHashing } from '../../../lib/node/system.ts';
import { FakeClock, INPUT_BUCKET, RESULTS_BUCKET } from '../../support/dependencies.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';
import { EASY } from '../../support/puzzles.ts';
import { expectTable, type Shown } from '../../support/text-table.ts';
import { deliver, upload } from '../../support/uploads.ts';
import { memoryConnection } from './memory-connection.ts';

const NOW = Date.parse('2025-03-01T12:10:00Z');
const A = 'inbox/a.txt';

type Event = Parameters<Shown>[0];

/** What may have happened to an upload: it waits, it has ended, or it has another status than its outcome. */
const EVENTS: Readonly<Record<string, (buckets: MemoryBuckets, event: Event) => unknown>> = {
  waits: (buckets, { key = A, body = EASY }) => upload(buckets, key, body),
  ends: (buckets, { key = A, body = EASY }) => deliver(buckets, upload(buckets, key, body)),
  /** An upload with a status of an attempt, and whether it also has an outcome. */
  async has(buckets, { state, runsMs, isEnded }) {
    const uploaded = upload(buckets, A, EASY);
    if (isEnded) await deliver(buckets, uploaded);
    const jobId = '0123456789abcdef';
    const input = { bucket: INPUT_BUCKET, key: A, versionId: uploaded.versionId! };
    const storage = {
      store: memoryStore(buckets),
      resultsBucket: RESULTS_BUCKET,
      clock: new FakeClock(),
      hashing: systemHashing,
    };
    const keys = jobKeys(A, input.versionId, jobId, systemHashing);
    await writeStatus({ jobId, input, keys }, storage, { state }, runsMs);
  },
  'loses its status': (buckets) =>
    buckets.markDeleted(RESULTS_BUCKET, buckets.keys(RESULTS_BUCKET, 'status/')[0]!),
  async 'is deleted'(buckets) {
    const { versionId } = (await memoryStore(buckets).head(INPUT_BUCKET, A))!;
    buckets.deleteVersion(INPUT_BUCKET, A, versionId!);
  },
};

test('the list of jobs is what jobs.txt says', () =>
  expectTable(new URL('jobs.txt', import.meta.url), {
    'the jobs of inbox/a.txt and of other uploads after events': async ({ prefix = '', events }) => {
      const buckets = new MemoryBuckets();
      for (const event of events) await EVENTS[event.it]!(buckets, event);
      const jobs = await new JobList(memoryConnection(buckets)).list({ prefix }, NOW);
      return jobs.map(({ key, state, puzzles, attempt, error }) =>
        [`${key}: ${state}`, puzzles && `${puzzles.solved} of ${puzzles.total} in ${attempt}`, error?.code]
          .filter((fact) => fact !== undefined)
          .join(', '),
      );
    },
  }));

test('documents in a final state are read once', async () => {
  const buckets = new MemoryBuckets();
  await deliver(buckets, upload(buckets, A, EASY));
  const gets: string[] = [];
  const store = memoryStore(buckets, {
    before: async ({ operation, key }) => {
      if (operation === 'get') gets.push(key);
      return undefined;
    },
  });
  const list = new JobList({ ...memoryConnection(buckets), store });
  await list.list({ prefix: '' }, NOW);
  await list.list({ prefix: '' }, NOW);
  expect(gets).toEqual([expect.stringMatching(/^status\/inbox\/a.txt\//)]);
});

test('documents that were deleted are forgotten', async () => {
  const buckets = new MemoryBuckets();
  await deliver(buckets, upload(buckets, A, EASY));
  const list = new JobList(memoryConnection(buckets));
  const states = async () => (await list.list({ prefix: '' }, NOW)).map(({ state }) => state);
  expect(await states()).toEqual(['done']);
  const keys = ['status/', 'done/'].flatMap((prefix) => buckets.keys(RESULTS_BUCKET, prefix));
  const kept = keys.map((key) => [key, buckets.text(RESULTS_BUCKET, key)] as const);
  for (const key of keys) await memoryStore(buckets).delete(RESULTS_BUCKET, key);
  expect(await states()).toEqual(['queued']);
  for (const [key, body] of kept) {
    buckets.write(RESULTS_BUCKET, key, body.replace(/("state": ?)"done"/, '$1"rejected"'), {});
  }
  expect(await states()).toEqual(['rejected']);
});
