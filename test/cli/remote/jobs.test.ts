import { expect, test } from 'vitest';
import { writeStatus } from '../../../lib/batch/delivery/commit.ts';
import { jobKeys } from '../../../lib/batch/delivery/result-keys.ts';
import { JobList } from '../../../lib/cli/remote/jobs.ts';
import { systemHashing } from '../../../lib/node/system.ts';
import { FakeClock, INPUT_BUCKET, RESULTS_BUCKET } from '../../support/dependencies.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';
import { EASY } from '../../support/puzzles.ts';
import { deliver, upload } from '../../support/uploads.ts';
import { memoryConnection } from './memory-connection.ts';

const NOW = Date.parse('2025-03-01T12:10:00Z');
const A = 'inbox/a.txt';
const LONG = `inbox/${'é'.repeat(450)}.txt`;

/** What may have happened to an upload: it waits, it has run, or it has another status than its outcome. */
type Event = (buckets: MemoryBuckets) => unknown;

const waits =
  (key: string, body = EASY): Event =>
  (buckets) =>
    upload(buckets, key, body);
const ends =
  (key: string, body = EASY): Event =>
  (buckets) =>
    deliver(buckets, upload(buckets, key, body));
/** An upload with a status of an attempt, and whether it also has an outcome. */
const has =
  (
    state: 'running' | 'failed',
    { runsMs, ended = false }: { runsMs?: number; ended?: boolean } = {},
  ): Event =>
  async (buckets) => {
    const uploaded = upload(buckets, A, EASY);
    if (ended) await deliver(buckets, uploaded);
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
  };
const losesStatus: Event = (buckets) =>
  buckets.markDeleted(RESULTS_BUCKET, buckets.keys(RESULTS_BUCKET, 'status/')[0]!);
const isDeleted: Event = async (buckets) => {
  const { versionId } = (await memoryStore(buckets).head(INPUT_BUCKET, A))!;
  buckets.deleteVersion(INPUT_BUCKET, A, versionId!);
};
const THREE = [ends(A), ends('inbox/b/a.txt'), ends('scheduled/a.txt')];

const CASES: readonly (readonly [
  name: string,
  events: readonly Event[],
  states: readonly string[],
  prefix?: string,
])[] = [
  [
    'an upload that has not started',
    [waits(A), waits('scheduled/b.txt')],
    [`${A}: queued`, 'scheduled/b.txt: queued'],
  ],
  ['before its deadline', [has('running', { runsMs: 900_000 })], [`${A}: running`]],
  ['past its deadline', [has('running', { runsMs: 300_000 })], [`${A}: stalled`]],
  ['failed', [has('failed')], [`${A}: failed`]],
  ['done', [ends(A)], [`${A}: done`]],
  ['done, although an attempt has failed', [has('failed', { ended: true })], [`${A}: done`]],
  ['done, by its marker alone', [ends(A), losesStatus], [`${A}: done`]],
  ['rejected', [ends(A, 'nothing\n')], [`${A}: rejected`]],
  ['rejected, by its marker alone', [ends(A, 'nothing\n'), losesStatus], [`${A}: rejected`]],
  [
    'the newest version of a key, and unfinished older ones',
    [ends(A), waits(A, `${EASY}\n`), ends(A, `${EASY}\n\n`)],
    [`${A}: done`, `${A}: queued`],
  ],
  ['a job whose object was deleted', [ends(A), isDeleted], [`${A}: done`]],
  ['no folders, and nothing elsewhere', [waits('inbox/folder/', ''), waits('elsewhere/a.txt')], []],
  ['a folder', THREE, [`${A}: done`, 'inbox/b/a.txt: done'], 'inbox/'],
  ['a folder in it', THREE, ['inbox/b/a.txt: done'], 'inbox/b/'],
  ['a part of a name', THREE, [`${A}: done`, 'inbox/b/a.txt: done'], 'in'],
  ['another prefix', THREE, [], 'other/'],
  ['a key that is too long for the results bucket', [ends(LONG)], [`${LONG}: done`], LONG],
];

test.each(CASES.map(([name, ...row]) => ({ name, row })))('the list of jobs has $name', async ({ row }) => {
  const [events, states, prefix = ''] = row;
  const buckets = new MemoryBuckets();
  for (const event of events) await event(buckets);
  const jobs = await new JobList(memoryConnection(buckets)).list({ prefix }, NOW);
  expect(jobs.map(({ key, state }) => `${key}: ${state}`)).toEqual(states);
});

test('a job that has ended has its counts, or the reason of its rejection', async () => {
  const buckets = new MemoryBuckets();
  await ends(A, `${EASY}\n${EASY}\n`)(buckets);
  await ends('inbox/b.txt', 'nothing\n')(buckets);
  expect(await new JobList(memoryConnection(buckets)).list({ prefix: '' }, NOW)).toMatchObject([
    { puzzles: { total: 2, solved: 2 }, attempt: 'attempt-a' },
    { error: { code: 'no_puzzles' } },
  ]);
});

test('documents in a final state are read once', async () => {
  const buckets = new MemoryBuckets();
  await ends(A)(buckets);
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
  await ends(A)(buckets);
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
