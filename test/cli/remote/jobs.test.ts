import { describe, expect, test } from 'vitest';
import { writeStatus } from '../../../lib/batch/delivery/commit.ts';
import { jobKeys } from '../../../lib/batch/delivery/result-keys.ts';
import type { Upload } from '../../../lib/batch/delivery/upload-event.ts';
import { JobList } from '../../../lib/cli/remote/jobs.ts';
import { systemHashing } from '../../../lib/node/system.ts';
import { FakeClock, INPUT_BUCKET, RESULTS_BUCKET } from '../../support/dependencies.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';
import { EASY } from '../../support/puzzles.ts';
import { deliver, upload } from '../../support/uploads.ts';
import { memoryConnection } from './memory-connection.ts';

const NOW = Date.parse('2025-03-01T12:10:00Z');

/** Keys and states of the listed jobs. */
async function states(buckets: MemoryBuckets, prefix = ''): Promise<(readonly [string, string])[]> {
  const jobs = await new JobList(memoryConnection(buckets)).list({ prefix }, NOW);
  return jobs.map(({ key, state }) => [key, state] as const);
}

/** Writes a status of an unsolved version. */
async function putStatus(
  buckets: MemoryBuckets,
  { bucket, key, versionId }: Upload,
  status: { readonly state: 'running' | 'failed'; readonly deadline?: string },
): Promise<void> {
  const jobId = '0123456789abcdef';
  const input = { bucket, key, versionId: versionId! };
  const storage = { store: memoryStore(buckets), resultsBucket: RESULTS_BUCKET, clock: new FakeClock() };
  const keys = jobKeys(key, versionId!, jobId, systemHashing);
  await writeStatus({ jobId, input, keys }, storage, { ...status, updatedAt: '2025-03-01T12:00:00.000Z' });
}

describe('a job is listed as', () => {
  test('queued if it has not started, under inbox/ and under scheduled/', async () => {
    const buckets = new MemoryBuckets();
    upload(buckets, 'inbox/a.txt', EASY);
    upload(buckets, 'scheduled/b.txt', EASY);
    expect(await states(buckets)).toEqual([
      ['inbox/a.txt', 'queued'],
      ['scheduled/b.txt', 'queued'],
    ]);
  });

  test.each([
    ['running before its deadline', { state: 'running', deadline: '2025-03-01T12:15:00Z' }, 'running'],
    ['stalled past its deadline', { state: 'running', deadline: '2025-03-01T12:05:00Z' }, 'stalled'],
    ['failed', { state: 'failed' }, 'failed'],
  ] as const)('%s', async (_name, status, state) => {
    const buckets = new MemoryBuckets();
    await putStatus(buckets, upload(buckets, 'inbox/a.txt', EASY), status);
    expect(await states(buckets)).toEqual([['inbox/a.txt', state]]);
  });

  test('done, with its counts', async () => {
    const buckets = new MemoryBuckets();
    await deliver(buckets, upload(buckets, 'inbox/a.txt', `${EASY}\n${EASY}\n`));
    const [job] = await new JobList(memoryConnection(buckets)).list({ prefix: '' }, NOW);
    expect(job).toMatchObject({ state: 'done', puzzles: { total: 2, solved: 2 }, attempt: 'attempt-a' });
  });

  test('rejected, with the reason', async () => {
    const buckets = new MemoryBuckets();
    await deliver(buckets, upload(buckets, 'inbox/a.txt', 'nothing\n'));
    const [job] = await new JobList(memoryConnection(buckets)).list({ prefix: '' }, NOW);
    expect(job).toMatchObject({ state: 'rejected', error: { code: 'no_puzzles' } });
  });

  test.each([
    ['done', EASY],
    ['rejected', 'nothing\n'],
  ])('%s by its done marker if it has no status', async (state, body) => {
    const buckets = new MemoryBuckets();
    await deliver(buckets, upload(buckets, 'inbox/a.txt', body));
    buckets.markDeleted(RESULTS_BUCKET, buckets.keys(RESULTS_BUCKET, 'status/')[0]!);
    expect(await states(buckets)).toEqual([['inbox/a.txt', state]]);
  });

  test('done although the status of an attempt is failed', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, 'inbox/a.txt', EASY);
    await deliver(buckets, uploaded);
    await putStatus(buckets, uploaded, { state: 'failed' });
    expect(await states(buckets)).toEqual([['inbox/a.txt', 'done']]);
  });
});

describe('the list has', () => {
  test('the newest version of a key, and unfinished older ones', async () => {
    const buckets = new MemoryBuckets();
    await deliver(buckets, upload(buckets, 'inbox/a.txt', EASY));
    upload(buckets, 'inbox/a.txt', `${EASY}\n`);
    await deliver(buckets, upload(buckets, 'inbox/a.txt', `${EASY}\n\n`));
    expect(await states(buckets)).toEqual([
      ['inbox/a.txt', 'done'],
      ['inbox/a.txt', 'queued'],
    ]);
  });

  test('jobs whose object was deleted', async () => {
    const buckets = new MemoryBuckets();
    const uploaded = upload(buckets, 'inbox/a.txt', EASY);
    await deliver(buckets, uploaded);
    buckets.deleteVersion(INPUT_BUCKET, uploaded.key, uploaded.versionId!);
    expect(await states(buckets)).toEqual([['inbox/a.txt', 'done']]);
  });

  test('no folder markers, and nothing outside the watched prefixes', async () => {
    const buckets = new MemoryBuckets();
    upload(buckets, 'inbox/folder/', '');
    upload(buckets, 'elsewhere/a.txt', EASY);
    expect(await states(buckets)).toEqual([]);
  });

  test.each([
    ['inbox/', ['inbox/a.txt', 'inbox/b/a.txt']],
    ['inbox/b/', ['inbox/b/a.txt']],
    ['in', ['inbox/a.txt', 'inbox/b/a.txt']],
    ['other/', []],
  ])('only keys with the prefix %s', async (prefix, keys) => {
    const buckets = new MemoryBuckets();
    for (const key of ['inbox/a.txt', 'inbox/b/a.txt', 'scheduled/a.txt']) {
      await deliver(buckets, upload(buckets, key, EASY));
    }
    expect((await states(buckets, prefix)).map(([key]) => key)).toEqual(keys);
  });

  test('the full key of an upload that is too long for the results bucket', async () => {
    const buckets = new MemoryBuckets();
    const key = `inbox/${'é'.repeat(450)}.txt`;
    await deliver(buckets, upload(buckets, key, EASY));
    expect(await states(buckets, key)).toEqual([[key, 'done']]);
  });
});

test('documents in a final state are read once', async () => {
  const buckets = new MemoryBuckets();
  await deliver(buckets, upload(buckets, 'inbox/a.txt', EASY));
  const gets: string[] = [];
  const connection = memoryConnection(buckets);
  const store = memoryStore(buckets, {
    before: async ({ operation, key }) => {
      if (operation === 'get') gets.push(key);
      return undefined;
    },
  });
  const list = new JobList({ ...connection, store });
  await list.list({ prefix: '' }, NOW);
  await list.list({ prefix: '' }, NOW);
  expect(gets).toEqual([expect.stringMatching(/^status\/inbox\/a.txt\//)]);
});

test('documents that were deleted are forgotten', async () => {
  const buckets = new MemoryBuckets();
  await deliver(buckets, upload(buckets, 'inbox/a.txt', EASY));
  const list = new JobList(memoryConnection(buckets));
  expect(await list.list({ prefix: '' }, NOW)).toMatchObject([{ state: 'done' }]);
  const store = memoryStore(buckets);
  const kept: [key: string, body: string][] = [];
  for (const prefix of ['status/', 'done/']) {
    for (const key of buckets.keys(RESULTS_BUCKET, prefix)) {
      kept.push([key, buckets.text(RESULTS_BUCKET, key)]);
      await store.delete(RESULTS_BUCKET, key);
    }
  }
  expect(await list.list({ prefix: '' }, NOW)).toMatchObject([{ state: 'queued' }]);
  for (const [key, body] of kept) {
    buckets.write(RESULTS_BUCKET, key, body.replace(/("state": ?)"done"/, '$1"rejected"'), {});
  }
  expect(await list.list({ prefix: '' }, NOW)).toMatchObject([{ state: 'rejected' }]);
});
